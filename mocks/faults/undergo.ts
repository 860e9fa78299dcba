/** Puts the faults that were asked for into effect on one request. */
import { type Failure, fail } from '../failure.ts'
import type { Visit } from '../service.ts'
import { failureFor } from './force.ts'
import { type Instruction, isSilent, type Wire } from './instruction.ts'

/** What was done to an answer, and why. */
export interface Affliction {
  reason: string
  wire?: { readonly wire: Wire; readonly ms: number }
  malformed?: boolean
  /** How the run or generation that is asked for should go. */
  wish?: { outcome?: 'failed'; duration_ms?: number }
}

/** What is decided about a request that never got as far as its effect; nobody is told. */
export const withoutEffect = {}

/**
 * Does what instructions say, then what `next` does, as far as they let it. Answers the outcome, and marks the
 * affliction with what is still to be done to the answer.
 */
export async function undergo(
  visit: Visit,
  instructions: readonly Instruction[],
  affliction: Affliction,
  next: () => object | Promise<object>,
): Promise<object> {
  for (const instruction of instructions) {
    const outcome = await apply(visit, instruction, affliction)
    if (outcome) return outcome
  }
  return next()
}

async function apply(
  visit: Visit,
  instruction: Instruction,
  affliction: Affliction,
): Promise<object | undefined> {
  switch (instruction.kind) {
    case 'delay':
      await visit.service.wait(lengthOf(visit, instruction))
      return undefined
    case 'error':
      return refuse(visit, instruction.code)
    case 'wire':
      affliction.wire = instruction
      return isSilent(instruction.wire) && !instruction.lost ? withoutEffect : undefined
    case 'malformed':
      affliction.malformed = true
      return undefined
    case 'fail':
      affliction.wish = { ...affliction.wish, outcome: 'failed' }
      return undefined
    case 'slow':
      affliction.wish = { ...affliction.wish, duration_ms: instruction.ms }
      return undefined
    case 'ok':
      return undefined
  }
}

/** The failure by which the operation answers a code. `busy` is kept true: the agent is given other work. */
function refuse(visit: Visit, code: string): Failure | undefined {
  const failure = failureFor(visit.operation, code)
  if (failure === undefined) return undefined
  if (failure !== 'busy') return fail(failure)
  const { org } = visit.principal
  const now = org.clock.now()
  org.settle(now)
  org.agent.busyUntil(now + Math.max(1, org.runPolicy.duration_ms))
  return undefined
}

function lengthOf(visit: Visit, { from, to, sigma }: Extract<Instruction, { kind: 'delay' }>): number {
  const chance = visit.principal.org.delays
  if (sigma === undefined)
    return Math.min(from + (to - from) * (from === to ? 0 : chance.fraction()), longestDelay)
  const normal = Math.sqrt(-2 * Math.log(1 - chance.fraction())) * Math.cos(2 * Math.PI * chance.fraction())
  return Math.min(from * Math.exp(sigma * normal), longestDelay)
}

/** No delay is longer, ms. */
const longestDelay = 600_000
