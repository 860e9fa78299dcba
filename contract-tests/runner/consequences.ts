/** First causes only: a violation that follows from another one is no violation of its own. Pure. */
import type { Exchange } from '#traffic/exchange.ts'
import { consequences } from '../catalogue/consequences.ts'
import { becauseOf } from '../harness/expect.ts'
import type { RequirementResult } from '../harness/outcome.ts'
import { resultOf } from './results.ts'
import { fits } from './selection.ts'

/** The results, where a violation that follows from another one is not exercised and says because of which. */
export function withoutConsequences(results: readonly RequirementResult[]): RequirementResult[] {
  const violated = results.filter(isViolated).map(violationOf)
  return results.map((result) => {
    const { requirement, actual } = result
    const cause = isViolated(result) ? causeOf(result, violated) : undefined
    return cause === undefined ? result : resultOf(requirement, becauseOf(cause, `${actual} follows`))
  })
}

/** Whether a violation follows from others that are known. */
export function followsFrom(result: RequirementResult, known: readonly Violated[]): boolean {
  return isViolated(result) && causeOf(result, known) !== undefined
}

/** Checks to be repeated in another order: what would follow from others among them comes after them. */
export function causesFirst<
  T extends { readonly before: { readonly result: RequirementResult } | undefined },
>(left: readonly T[]): T[] {
  const known = left.flatMap(({ before }) =>
    before && isViolated(before.result) ? violationOf(before.result) : [],
  )
  const follows = ({ before }: T) => before !== undefined && followsFrom(before.result, known)
  return [...left.filter((one) => !follows(one)), ...left.filter(follows)]
}

const isViolated = ({ outcome }: RequirementResult) => outcome === 'failed' || outcome === 'warned'

/** A requirement that is violated, and the exchanges that show it. */
interface Violated {
  readonly id: string
  readonly evidence: readonly Exchange[]
}

const violationOf = ({ requirement: { id }, evidence }: RequirementResult): Violated => ({ id, evidence })

function causeOf(
  { requirement, offBy, evidence }: RequirementResult,
  violated: readonly Violated[],
): string | undefined {
  const statusOf = (shown: readonly Exchange[]) => shown.at(-1)?.status
  return consequences.find(
    ({ cause, follow, onlyBalances, onlySameStatus }) =>
      violated.some(
        (one) => one.id === cause && (!onlySameStatus || statusOf(one.evidence) === statusOf(evidence)),
      ) &&
      (!onlyBalances || offBy !== undefined) &&
      follow.some((pattern) => fits(requirement.id, pattern)),
  )?.cause
}
