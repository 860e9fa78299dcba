/** First causes only: a violation that follows from another one is no violation of its own. Pure. */
import { consequences } from '../catalogue/consequences.ts'
import { becauseOf } from '../harness/expect.ts'
import type { RequirementResult } from '../harness/outcome.ts'
import { resultOf } from './results.ts'
import { fits } from './selection.ts'

/** The results, where a violation that follows from another one is not exercised and says because of which. */
export function withoutConsequences(results: readonly RequirementResult[]): RequirementResult[] {
  const violated = new Set(results.filter(isViolated).map(({ requirement }) => requirement.id))
  return results.map((result) => {
    const { requirement, actual } = result
    const cause = isViolated(result) ? causeOf(result, violated) : undefined
    return cause === undefined ? result : resultOf(requirement, becauseOf(cause, `${actual} follows`))
  })
}

/** Whether a violation follows from others that are known. */
export function followsFrom(result: RequirementResult, known: readonly { readonly id: string }[]): boolean {
  return isViolated(result) && causeOf(result, new Set(known.map(({ id }) => id))) !== undefined
}

/** Checks to be repeated in another order: what would follow from others among them comes after them. */
export function causesFirst<
  T extends { readonly before: { readonly result: RequirementResult } | undefined },
>(left: readonly T[]): T[] {
  const violated = left.flatMap(({ before }) => (before && isViolated(before.result) ? before.result : []))
  const known = violated.map(({ requirement }) => requirement)
  const follows = ({ before }: T) => before !== undefined && followsFrom(before.result, known)
  return [...left.filter((one) => !follows(one)), ...left.filter(follows)]
}

const isViolated = ({ outcome }: RequirementResult) => outcome === 'failed' || outcome === 'warned'

function causeOf(
  { requirement, offBy }: RequirementResult,
  violated: ReadonlySet<string>,
): string | undefined {
  return consequences.find(
    ({ cause, follow, onlyBalances }) =>
      violated.has(cause) &&
      (!onlyBalances || offBy !== undefined) &&
      follow.some((pattern) => fits(requirement.id, pattern)),
  )?.cause
}
