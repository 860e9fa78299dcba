/** Makes a new organization with the state that another one has or had. */
import type { Organization } from '../../core/organization.ts'
import type { OrganizationState } from '../../core/state.ts'
import type { Service } from '../../pipeline/service.ts'
import type { Tenant } from '../../tenants/tenant.ts'
import { faultsAt } from './faults-at.ts'
import type { Moment } from './organization-at.ts'

/**
 * Returns a new organization with a state of another: its own id and keys, everything else as it was. New ids and
 * secrets are drawn anew, since no two organizations share a secret; outcomes and delays continue as they would have.
 * Fault rules of the organization apply to it too.
 */
export function fork(service: Service, org: Organization, moment: Moment, name: string): Tenant {
  const { tenants, faults } = service
  const source = tenants.tenantOf(org)
  const fresh = tenants.tenant(name).org
  const tenant = tenants.restore(
    name,
    stateOf(moment, fresh.dump(), org),
    source?.settings,
    source && tenants.createdWith(source.name),
  )
  if (source?.quirks) tenant.quirks?.restore(source.quirks.dump())
  faults.restoreOf(tenant.org.id, faultsAt(service, org, moment))
  return tenant
}

/** Requests stay those of the other organization, so that the ledger names none. */
function stateOf({ at, state }: Moment, fresh: OrganizationState, org: Organization): OrganizationState {
  return structuredClone({
    ...state,
    id: fresh.id,
    clock: { now: at, frozen: org.clock.frozen },
    keys: fresh.keys,
    windows: {},
    chance: { ...state.chance, ids: fresh.chance.ids },
    ledger: state.ledger.map((entry) => ({ ...entry, request_id: null })),
  })
}

/** Returns a name that no organization has: the given one, or `NAME-fork`, `NAME-fork-2` and so on. */
export function freeName(service: Service, of: string): string {
  const base = `${of.split('.')[0]}-fork`
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`
    if (!service.tenants.isTaken(name)) return name
  }
}
