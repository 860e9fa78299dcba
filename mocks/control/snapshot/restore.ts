/** Restores a snapshot completely, or changes nothing if it is invalid. */

import type { Options, Settings } from '../../config/options.ts'
import type { Organization } from '../../core/organization.ts'
import type { Service } from '../../pipeline/service.ts'
import { readSettings } from '../../scenarios/settings.ts'
import { type Snapshot, snapshot, type TenantState } from './snapshot.ts'

/** A snapshot that cannot be restored; the message names the reason. */
export class BadSnapshot extends Error {}

/**
 * Restores a snapshot. `org`: the only organization that may change; undefined: the whole mock.
 * @returns the restored organization; undefined: the snapshot was of the whole mock.
 * @throws BadSnapshot without any change if the snapshot is invalid.
 */
export function restoreSnapshot(
  service: Service,
  json: unknown,
  org?: Organization,
): Organization | undefined {
  const read = parse(json)
  if (read.of === 'organization') return restoreOne(service, read.organization, org)
  if (org)
    throw new BadSnapshot(
      'The snapshot is of the whole mock, but the call is for one organization; call without its key.',
    )
  restoreAll(service, read)
  return undefined
}

function restoreAll(service: Service, read: Extract<Snapshot, { of: 'mock' }>): void {
  const { tenants, faults, clock } = service
  const settings = settingsFrom(read.options)
  const restored = read.organizations.map((tenant) => ({
    tenant,
    own: tenant.options === null ? undefined : settingsFrom(tenant.options),
  }))
  for (const own of tenants.clocks()) own.reset()
  clock.restore(read.clock)
  tenants.startOver(settings)
  tenants.quirks?.restore(read.surprises ?? {})
  faults.restore(read.faults, settings.seed)
  for (const { tenant, own } of restored) restoreTenant(service, tenant, own)
}

function parse(json: unknown): Snapshot {
  const result = snapshot.safeParse(json)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new BadSnapshot(`Invalid snapshot: ${issue?.path.join('.') || 'it'}: ${issue?.message}.`)
}

function settingsFrom(options: object): Settings {
  const settings = readSettings(options as Options)
  if (!Array.isArray(settings)) return settings
  const [first] = settings
  throw new BadSnapshot(`Invalid snapshot: options.${first?.option} ${first?.problem}.`)
}

function restoreOne(
  service: Service,
  tenant: TenantState & { options: NonNullable<TenantState['options']> },
  org: Organization | undefined,
): Organization {
  const { tenants } = service
  const settings = settingsFrom(tenant.options)
  if (org && tenants.nameOf(org) !== tenant.name)
    throw new BadSnapshot(
      'The snapshot is of another organization than the call; send the key of that organization.',
    )
  const owners = tenant.state.keys.map(({ secret }) => tenants.ownerOf(secret))
  for (const owner of [...owners, tenants.byId(tenant.state.id)])
    if (owner && tenants.nameOf(owner) !== tenant.name)
      throw new BadSnapshot(
        'An id or a key in the snapshot belongs to another organization; restore it in another mock.',
      )
  const same = JSON.stringify(settings.options) === JSON.stringify(tenants.settings.options)
  return restoreTenant(service, tenant, same ? undefined : settings)
}

function restoreTenant(service: Service, tenant: TenantState, own: Settings | undefined): Organization {
  const { tenants, faults, journal } = service
  const { org, quirks } = tenants.restore(tenant.name, tenant.state, own, tenant.created)
  quirks?.restore(tenant.surprises ?? {})
  faults.restoreOf(org.id, tenant.faults)
  journal.recount(org.id, tenant.requests)
  return org
}
