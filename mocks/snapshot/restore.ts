/** Restores a snapshot: all of it, or, where anything about it is wrong, nothing. */
import type { Organization } from '../core/organization.ts'
import { type MockOptions, readOptions, type Settings } from '../options.ts'
import type { Service } from '../service.ts'
import { type Snapshot, snapshot, type TenantState } from './snapshot.ts'

/** A snapshot that cannot be restored; the message says why. */
export class BadSnapshot extends Error {}

/**
 * Restores a snapshot. `org`: the organization of the call, which nothing else may be touched of.
 * @throws BadSnapshot; then nothing has changed.
 */
export function restoreSnapshot(service: Service, json: unknown, org?: Organization): void {
  const read = parse(json)
  if (read.of === 'organization') restoreOne(service, read.organization, org)
  else if (org)
    throw new BadSnapshot('This snapshot is of the whole mock; the call is about one organization.')
  else restoreAll(service, read)
}

function restoreAll(service: Service, read: Extract<Snapshot, { of: 'mock' }>): void {
  const { tenancy, faults, world } = service
  const settings = settingsFrom(read.options)
  const tenants = read.organizations.map((tenant) => ({
    tenant,
    own: tenant.options === null ? undefined : settingsFrom(tenant.options),
  }))
  for (const clock of tenancy.clocks()) clock.reset()
  world.clock.restore(read.clock)
  tenancy.begin(settings)
  tenancy.surprises?.restore(read.surprises ?? {})
  faults.restore(read.faults)
  for (const { tenant, own } of tenants) adopt(service, tenant, own)
}

function parse(json: unknown): Snapshot {
  const result = snapshot.safeParse(json)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new BadSnapshot(`This is no snapshot: ${issue?.path.join('.') || 'it'}: ${issue?.message}.`)
}

function settingsFrom(options: object): Settings {
  const settings = readOptions(options as MockOptions)
  if (!Array.isArray(settings)) return settings
  const [first] = settings
  throw new BadSnapshot(`This is no snapshot: options.${first?.option} ${first?.problem}.`)
}

function restoreOne(
  service: Service,
  tenant: TenantState & { options: NonNullable<TenantState['options']> },
  org: Organization | undefined,
): void {
  const { tenancy } = service
  const settings = settingsFrom(tenant.options)
  if (org && tenancy.nameOf(org) !== tenant.name)
    throw new BadSnapshot('This snapshot is of another organization than the call.')
  const owners = tenant.state.keys.map(({ secret }) => tenancy.ownerOf(secret))
  for (const owner of [...owners, tenancy.byId(tenant.state.id)])
    if (owner && tenancy.nameOf(owner) !== tenant.name)
      throw new BadSnapshot('An id or a key of this snapshot is that of another organization.')
  const same = JSON.stringify(settings.options) === JSON.stringify(tenancy.settings.options)
  adopt(service, tenant, same ? undefined : settings)
}

function adopt(service: Service, tenant: TenantState, own: Settings | undefined): void {
  const { tenancy, faults, journal } = service
  const org = tenancy.adopt(tenant.name, tenant.state, own)
  org.surprises?.restore(tenant.surprises ?? {})
  faults.restoreOf(org.id, tenant.faults)
  journal.recount(org.id, tenant.requests)
}
