/** Takes a snapshot. It shares rows with the mock: serialize or copy it before the next change. */

import type { Options } from '../../config/options.ts'
import type { Organization } from '../../core/organization.ts'
import type { Service } from '../../pipeline/service.ts'
import type { Snapshot, TenantState } from './snapshot.ts'

/** Returns a snapshot of an organization, or of the whole mock. */
export function takeSnapshot(service: Service, org?: Organization): Snapshot {
  if (org) {
    const tenant = tenantOf(service, org)
    const options = tenant.options ?? toJson(service.settings.options)
    return { of: 'organization', version: 1, organization: { ...tenant, options } }
  }
  const organizations = service.tenants.organizations().map((one) => tenantOf(service, one))
  return { of: 'mock', version: 1, ...mockApart(service), organizations }
}

/** Returns the state of a mock without its organizations. */
export function mockApart({ settings, clock, faults, tenants }: Service) {
  return {
    options: toJson(settings.options),
    clock: { now: clock.now(), frozen: clock.frozen },
    surprises: tenants.quirks?.dump() ?? null,
    faults: faults.dump(),
  }
}

/** Returns the state of an organization without what `Organization.dump` tells. */
export function tenantApart({ tenants, journal, faults }: Service, org: Organization) {
  const name = tenants.nameOf(org) ?? ''
  const own = tenants.ownOptions(name)
  const created = tenants.createdWith(name)
  return {
    name,
    ...(created === '' ? {} : { created }),
    options: own ? toJson(own) : null,
    requests: journal.countOf(org.id),
    surprises: tenants.tenantOf(org)?.quirks?.dump() ?? null,
    faults: faults.dumpOf(org.id),
  }
}

const tenantOf = (service: Service, org: Organization): TenantState => ({
  ...tenantApart(service, org),
  state: org.dump(),
})

/** Returns options as JSON, with dates as text. */
function toJson(options: Options): Record<string, unknown> {
  return JSON.parse(JSON.stringify(options))
}
