/** Takes a snapshot. It shares rows with the mock: serialize or copy it before the next change. */

import type { Options } from '../../config/options.ts'
import type { Organization } from '../../core/organization.ts'
import type { Service } from '../../pipeline/service.ts'
import type { Snapshot, TenantState } from './snapshot.ts'

/** Returns a snapshot of an organization, or of the whole mock. */
export function takeSnapshot(service: Service, org?: Organization): Snapshot {
  const { tenants, settings, clock, faults } = service
  if (org) {
    const tenant = tenantOf(service, org)
    const options = tenant.options ?? toJson(settings.options)
    return { of: 'organization', version: 1, organization: { ...tenant, options } }
  }
  return {
    of: 'mock',
    version: 1,
    options: toJson(settings.options),
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
    options: own ? toJson(own) : null,
    requests: journal.countOf(org.id),
    surprises: tenants.tenantOf(org)?.quirks?.dump() ?? null,
    faults: faults.dumpOf(org.id),
    state: org.dump(),
  }
}

/** Returns options as JSON, with dates as text. */
function toJson(options: Options): Record<string, unknown> {
  return JSON.parse(JSON.stringify(options))
}
