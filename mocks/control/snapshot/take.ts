/** Takes a snapshot. It shares rows with the mock: write it down, or copy it, before anything else happens. */

import type { MockOptions } from '../../config/options.ts'
import type { Organization } from '../../core/organization.ts'
import type { Service } from '../../pipeline/service.ts'
import type { Snapshot, TenantState } from './snapshot.ts'

/** A snapshot of an organization, or of the whole mock. */
export function takeSnapshot(service: Service, org?: Organization): Snapshot {
  const { tenants, settings, clock, faults } = service
  if (org) {
    const tenant = tenantOf(service, org)
    const options = tenant.options ?? written(settings.options)
    return { of: 'organization', version: 1, organization: { ...tenant, options } }
  }
  return {
    of: 'mock',
    version: 1,
    options: written(settings.options),
    clock: { now: clock.now(), frozen: clock.frozen },
    surprises: tenants.quirks?.dump() ?? null,
    faults: faults.dump(),
    organizations: tenants.organizations().map((one) => tenantOf(service, one)),
  }
}

function tenantOf({ tenants, journal, faults }: Service, org: Organization): TenantState {
  const name = tenants.nameOf(org) ?? ''
  const own = tenants.ownOptions(name)
  return {
    name,
    options: own ? written(own) : null,
    requests: journal.countOf(org.id),
    surprises: tenants.tenantOf(org)?.quirks?.dump() ?? null,
    faults: faults.dumpOf(org.id),
    state: org.dump(),
  }
}

/** Options as JSON has them: a Date becomes a text. */
function written(options: MockOptions): Record<string, unknown> {
  return JSON.parse(JSON.stringify(options))
}
