/** Back to the beginning, part by part. */
import type { Organization } from '../core/organization.ts'
import type { Service } from '../pipeline/service.ts'

/** What can be reset: organizations and keys; fault rules and their counts; the journal; clocks. */
export const parts = ['state', 'faults', 'journal', 'clock'] as const
export type Part = (typeof parts)[number]

const resets: Readonly<Record<Part, (service: Service, org: Organization | undefined) => void>> = {
  state: (service, org) => service.tenants.reset(org),
  faults: (service, org) => service.faults.reset(org?.id),
  journal: (service, org) => service.journal.clear(org?.id),
  clock(service, org) {
    if (org) return org.clock.reset()
    service.clock.reset()
    for (const clock of service.tenants.clocks()) clock.reset()
  },
}

/** Resets parts of one organization, or of the whole mock. The clock comes before what is made by its time. */
export function reset(service: Service, wanted: readonly Part[], org?: Organization): void {
  for (const part of parts.toReversed()) if (wanted.includes(part)) resets[part](service, org)
  // Where nothing is left that refers to a request, requests are counted from the first again.
  if (!wanted.includes('state') || !wanted.includes('journal')) return
  service.journal.restart(org?.id)
  service.connections.forget(org?.id)
}
