/** Restores the initial state of a mock, part by part. */
import type { Organization } from '../core/organization.ts'
import type { Service } from '../pipeline/service.ts'

/** The parts that can be reset: organizations and keys; fault rules and their counts; the journal; clocks. */
export const resetParts = ['state', 'faults', 'journal', 'clock'] as const
/** A part that can be reset. */
export type ResetPart = (typeof resetParts)[number]

const resets: Readonly<Record<ResetPart, (service: Service, org: Organization | undefined) => void>> = {
  state: (service, org) => service.tenants.reset(org),
  faults: (service, org) => service.faults.reset(org?.id),
  journal: (service, org) => service.journal.clear(org?.id),
  clock(service, org) {
    if (org) return org.clock.reset()
    service.clock.reset()
    for (const clock of service.tenants.clocks()) clock.reset()
  },
}

/** Resets parts of one organization, or of the whole mock. The clock comes first, since other parts read it. */
export function reset(service: Service, wanted: readonly ResetPart[], org?: Organization): void {
  for (const part of resetParts.toReversed()) if (wanted.includes(part)) resets[part](service, org)
  // If nothing refers to earlier requests any more, their numbering restarts.
  if (!wanted.includes('state') || !wanted.includes('journal')) return
  service.journal.restart(org?.id)
  service.connections.forget(org?.id)
}
