/** Applies the requested faults to one request. */
import { type Failure, fail } from '../core/failure.ts'
import { failureFor } from '../faults/declared-failures.ts'
import { type FaultEffects, withoutEffect } from '../faults/effects.ts'
import { isSilent } from '../faults/fault-words.ts'
import { type Instruction, longestDelay } from '../faults/instruction.ts'
import type { AuthenticatedContext, Decision } from './service.ts'

/**
 * Applies instructions, then calls `next` unless one of them decides the request. Returns the decision; changes to
 * the response are stored in `effects`.
 */
export async function applyFaults(
  context: AuthenticatedContext,
  instructions: readonly Instruction[],
  effects: FaultEffects,
  next: () => Decision | Promise<Decision>,
): Promise<Decision> {
  for (const instruction of instructions) {
    const outcome = await apply(context, instruction, effects)
    context.followed.add(instruction)
    if (outcome) {
      context.decidedBy = 'fault'
      return outcome
    }
  }
  return next()
}

async function apply(
  context: AuthenticatedContext,
  instruction: Instruction,
  effects: FaultEffects,
): Promise<object | undefined> {
  switch (instruction.kind) {
    case 'delay':
      await context.service.wait(delayOf(context, instruction))
      effects.abandoned = isGone(context)
      return undefined
    case 'error':
      if (instruction.form) effects.retryAfter = instruction.form
      return forceError(context, instruction.code)
    case 'wire':
      effects.wire = instruction
      return isSilent(instruction.wire) && !instruction.lost ? withoutEffect : undefined
    case 'malformed':
      effects.malformed = true
      return undefined
    case 'fail':
      effects.runOverrides = { ...effects.runOverrides, outcome: 'failed' }
      return undefined
    case 'slow':
      effects.runOverrides = { ...effects.runOverrides, duration_ms: instruction.ms }
      return undefined
    case 'bad_gateway':
      effects.badGateway = true
      return withoutEffect
    case 'other_variant':
      effects.otherVariant = true
      return undefined
    case 'quirks':
      effects.quirks = true
      return undefined
    case 'ok':
      return undefined
  }
}

/** Returns whether the client waits for the answer no more. */
function isGone({ bindings, request }: AuthenticatedContext): boolean {
  return bindings?.incoming ? bindings.incoming.socket.destroyed : request.raw.signal.aborted
}

/** Returns the failure of the operation with a code. For `busy`, it makes the agent actually busy instead. */
function forceError(context: AuthenticatedContext, code: string): Failure | undefined {
  const failure = failureFor(context.operation, code)
  if (failure === undefined) return undefined
  if (failure !== 'busy') return fail(failure)
  const { org } = context.principal
  const now = org.clock.now()
  org.settle(now)
  org.agent.busyUntil(now + Math.max(1, org.runPolicy.duration_ms))
  return undefined
}

/** Returns the length of a delay, ms. */
function delayOf(
  context: AuthenticatedContext,
  { from, to, sigma }: Extract<Instruction, { kind: 'delay' }>,
): number {
  const random = context.principal.org.random.delays
  if (sigma === undefined) return from + (to - from) * (from === to ? 0 : random.fraction())
  const normal = Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction())
  return Math.min(from * Math.exp(sigma * normal), longestDelay)
}
