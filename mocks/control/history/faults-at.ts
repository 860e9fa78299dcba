/** The fault rules of an organization with the counts that they had at a moment, as far as the journal tells. */
import type { Organization } from '../../core/organization.ts'
import type { OwnFaultsState } from '../../faults/rule.ts'
import type { RecordedEntry } from '../../journal/stage.ts'
import type { Service } from '../../pipeline/service.ts'
import type { Moment } from './organization-at.ts'

/** Returns the rules, with their counts. */
export function faultsAt(
  { faults, journal }: Service,
  { id }: Organization,
  { number }: Moment,
): OwnFaultsState {
  if (number === null) return faults.dumpOf(id)
  const met = journal.entries().filter((entry) => entry.org_id === id && metRules(entry))
  const operations = met.flatMap(({ operation }) => operation ?? [])
  const count = met.filter((entry) => entry.number <= number).length
  return faults.dumpAfter({ org_id: id, operations }, count)
}

/** A request meets the rules unless something before them decides it, or a header sets its faults. */
function metRules({ operation, decided_by, reason }: RecordedEntry): boolean {
  const earlier = decided_by === 'authentication' || decided_by === 'route' || decided_by === 'preference'
  return operation !== null && !earlier && !reason?.startsWith('prefer')
}
