/** Puts the faults that were asked for into effect on one request. */
import { type Failure, fail } from '../core/failure.ts'
import { type FaultEffects, withoutEffect } from '../faults/effects.ts'
import { failureFor } from '../faults/force.ts'
import { type Instruction, isSilent } from '../faults/instruction.ts'
import type { AuthenticatedContext, Decision } from './service.ts'

/**
 * Follows instructions, then `next` unless one of them decides the request. Returns the decision; what is still
 * to be done to the answer goes into `effects`.
 */
export async function applyFaults(
  context: AuthenticatedContext,
  instructions: readonly Instruction[],
  effects: FaultEffects,
  next: () => Decision | Promise<Decision>,
): Promise<Decision> {
  for (const instruction of instructions) {
    const outcome = await apply(context, instruction, effects)
    if (outcome) return outcome
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
      await context.service.wait(lengthOf(context, instruction))
      return undefined
    case 'error':
      return refuse(context, instruction.code)
    case 'wire':
      effects.wire = instruction
      return isSilent(instruction.wire) && !instruction.lost ? withoutEffect : undefined
    case 'malformed':
      effects.malformed = true
      return undefined
    case 'fail':
      effects.wish = { ...effects.wish, outcome: 'failed' }
      return undefined
    case 'slow':
      effects.wish = { ...effects.wish, duration_ms: instruction.ms }
      return undefined
    case 'ok':
      return undefined
  }
}

/** The failure by which the operation answers a code. `busy` is kept true: the agent is given other work. */
function refuse(context: AuthenticatedContext, code: string): Failure | undefined {
  const failure = failureFor(context.operation, code)
  if (failure === undefined) return undefined
  if (failure !== 'busy') return fail(failure)
  const { org } = context.principal
  const now = org.clock.now()
  org.settle(now)
  org.agent.busyUntil(now + Math.max(1, org.runPolicy.duration_ms))
  return undefined
}

function lengthOf(
  context: AuthenticatedContext,
  { from, to, sigma }: Extract<Instruction, { kind: 'delay' }>,
): number {
  const random = context.principal.org.delays
  if (sigma === undefined)
    return Math.min(from + (to - from) * (from === to ? 0 : random.fraction()), longestDelay)
  const normal = Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction())
  return Math.min(from * Math.exp(sigma * normal), longestDelay)
}

/** No delay is longer, ms. */
const longestDelay = 600_000
