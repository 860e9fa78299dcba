/** Takes a snapshot. It shares rows with the mock: write it down, or copy it, before anything else happens. */
import type { Organization } from '../core/organization.ts'
import type { MockOptions } from '../options.ts'
import type { Service } from '../service.ts'
import type { Snapshot, TenantState } from './snapshot.ts'

/** A snapshot of an organization, or of the whole mock. */
export function takeSnapshot(service: Service, org?: Organization): Snapshot {
  const { tenancy, settings, world, faults } = service
  if (org) {
    const tenant = tenantOf(service, org)
    const options = tenant.options ?? written(settings.options)
    return { of: 'organization', version: 1, organization: { ...tenant, options } }
  }
  return {
    of: 'mock',
    version: 1,
    options: written(settings.options),
    clock: { now: world.clock.now(), frozen: world.clock.frozen },
    surprises: tenancy.surprises?.dump() ?? null,
    faults: faults.dump(),
    organizations: tenancy.organizations().map((one) => tenantOf(service, one)),
  }
}

function tenantOf({ tenancy, journal, faults }: Service, org: Organization): TenantState {
  const name = tenancy.nameOf(org) ?? ''
  const own = tenancy.ownOptions(name)
  return {
    name,
    options: own ? written(own) : null,
    requests: journal.countOf(org.id),
    surprises: org.surprises?.dump() ?? null,
    faults: faults.dumpOf(org.id),
    state: org.dump(),
  }
}

/** Options as JSON has them: a Date becomes a text. */
function written(options: MockOptions): Record<string, unknown> {
  return JSON.parse(JSON.stringify(options))
}
