/** The counts that a fault rule had earlier: requests are replayed, and what comes out has to be the present counts. */
import type { OperationId } from '#contract/operation.ts'
import type { CountState } from './rule.ts'
import { FaultRule } from './rule.ts'

/** Requests of an organization that met the rules. */
export interface Met {
  readonly org_id: string
  /** Of all that are known, oldest first. */
  readonly operations: readonly OperationId[]
}

/**
 * Returns the counts of a rule after the first `count` of the requests; null: none yet. Undefined: the requests do not
 * explain its present counts.
 */
export function countsAfter(
  rule: FaultRule,
  { org_id, operations }: Met,
  count: number,
): CountState | null | undefined {
  const now = rule.dump(org_id)
  if (!now) return null
  const of = rule.draft.operation
  const matching = operations.flatMap((one, place) => (of === undefined || of === one ? [place] : []))
  const replay = new FaultRule(rule.id, rule.draft, rule.seed)
  let then: CountState | null | undefined
  for (const place of matching.slice(Math.max(0, matching.length - now.matched))) {
    if (place >= count && then === undefined) then = replay.dump(org_id) ?? null
    replay.match(operations[place] as OperationId, org_id)
  }
  const end = replay.dump(org_id)
  if (JSON.stringify(end) !== JSON.stringify(now)) return undefined
  return then === undefined ? end : then
}
