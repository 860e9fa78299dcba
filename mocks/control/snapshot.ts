/** A snapshot: the state that determines later responses, as JSON, of a mock or of one organization. */

import { z } from 'zod'
import { endWithFullStop, tryParse } from '#contract/input/checked.ts'
import type { MockOptionsInput, MockSettings } from '../config/options.ts'
import { ControlRefusal } from '../core/failure.ts'
import { addCreditAmounts } from '../core/ledger.ts'
import type { Organization } from '../core/organization.ts'
import {
  clockStateSchema,
  createFailFastListSchema,
  createFailFastRecordSchema,
  type LedgerEntry,
  organizationSnapshotSchema,
  type Task,
} from '../core/resources.ts'
import { savedFaultRulesSchema, savedOrganizationFaultRulesSchema } from '../faults/rule.ts'
import type { MockParts } from '../pipeline/service.ts'
import { parseOptionsWithScenario } from '../scenarios/index.ts'

/** Options as they were written. They are validated when they are parsed. */
const options = z.record(z.string(), z.unknown())

/** Number of draws of each quirk. */
const drawn = createFailFastRecordSchema(z.string(), z.int().min(0))

const tenant = z.strictObject({
  /** The part of its key after `wak_test_`. */
  name: z.string().min(1).max(4_096),
  /** Options of this organization; null: those of the mock apply. */
  options: options.nullable(),
  /** Options that it was created with, as its key could contain them; absent: none. */
  created: z.string().optional(),
  /** Name by which the quirks of a fork are drawn; absent: its own. */
  quirks_of: z.string().optional(),
  requests: z.int().min(0),
  surprises: drawn.nullable(),
  faults: savedOrganizationFaultRulesSchema,
  state: organizationSnapshotSchema.refine(isCovered, { path: ['ledger'], message: 'falls below zero' }),
})

/** True if the balance was never below zero. */
function isCovered({ ledger }: z.output<typeof organizationSnapshotSchema>): boolean {
  let balance = 0
  return ledger.every(({ amount }) => {
    balance = addCreditAmounts(balance, amount)
    return balance >= 0
  })
}

const version = z.literal(1, 'is of another version of the mock')

const ofMock = z.strictObject({
  of: z.literal('mock'),
  version,
  options,
  clock: clockStateSchema,
  surprises: drawn.nullable(),
  faults: savedFaultRulesSchema,
  organizations: createFailFastListSchema(tenant).superRefine((tenants, context) => {
    const values = {
      'a name': tenants.map(({ name }) => name),
      'an id': tenants.map(({ state }) => state.id),
      'a key': tenants.flatMap(({ state }) => state.keys.map(({ secret }) => secret)),
    }
    for (const [what, all] of Object.entries(values))
      if (new Set(all).size < all.length)
        context.addIssue({ code: 'custom', message: `contain ${what} twice` })
  }),
})

const ofOrganization = z.strictObject({
  of: z.literal('organization'),
  version,
  organization: tenant.extend({ options }),
})

/** Schema of a snapshot: the state of a whole mock, or of one organization. */
export const snapshotSchema = z.discriminatedUnion('of', [ofMock, ofOrganization])

/** The state of a whole mock or of one organization as JSON. It contains the secrets of keys. */
export type Snapshot = z.output<typeof snapshotSchema>
/** The state of one organization in a snapshot. */
export type TenantState = z.output<typeof tenant>

/** Returns a snapshot of an organization; without one, of the whole mock. */
export function takeSnapshot(service: MockParts, org?: Organization): Snapshot {
  if (org) {
    const tenant = tenantOf(service, org)
    const options = tenant.options ?? optionsToJson(service.settings.options)
    return { of: 'organization', version: 1, organization: { ...tenant, options } }
  }
  const organizations = service.tenants.organizations().map((one) => tenantOf(service, one))
  return { of: 'mock', version: 1, ...savedMockState(service), organizations }
}

/** The part of a snapshot about the mock itself, without its organizations. */
export function savedMockState({ settings, clock, faults, tenants }: MockParts) {
  return {
    options: optionsToJson(settings.options),
    clock: { now: clock.now(), frozen: clock.frozen },
    surprises: tenants.quirks?.dump() ?? null,
    faults: faults.dump(),
  }
}

/**
 * The snapshot fields that tell how an organization was created, each only if it is set: `created`, its options as its
 * key could contain them; `quirks_of`, the name by which its quirks (legal oddities) are drawn if it is not its own.
 */
export function tenantCreationForSnapshot({ createdWith, quirksOf }: MockParts['tenants'], name: string) {
  const [created, quirks_of] = [createdWith(name), quirksOf(name)]
  return { ...(created !== '' && { created }), ...(quirks_of !== undefined && { quirks_of }) }
}

/**
 * What a snapshot holds of an organization besides its resources: settings, fault rules, request count, draws of
 * quirks.
 */
export function savedTenantStateOf({ tenants, journal, faults }: MockParts, org: Organization) {
  const name = tenants.nameOf(org) ?? ''
  const own = tenants.ownOptions(name)
  return {
    name,
    ...tenantCreationForSnapshot(tenants, name),
    options: own ? optionsToJson(own) : null,
    requests: journal.countOf(org.id),
    surprises: tenants.tenantOf(org)?.quirks?.dump() ?? null,
    faults: faults.dumpOf(org.id),
  }
}

const tenantOf = (service: MockParts, org: Organization): TenantState => ({
  ...savedTenantStateOf(service, org),
  state: org.dump(),
})

/** Converts options to JSON, with dates as text, and without the slots, which differ from process to process. */
export function optionsToJson({ slots: _, ...options }: MockOptionsInput): Record<string, unknown> {
  return JSON.parse(JSON.stringify(options))
}

/** The error thrown for a snapshot that cannot be restored; its message says why. */
export class InvalidSnapshot extends ControlRefusal {
  constructor(message: string) {
    super(400, message)
  }
}

/**
 * Restores a snapshot. `org`: the only organization that the caller may change; undefined: the whole mock. @throws
 * InvalidSnapshot without any change if the snapshot is invalid.
 */
export function applySnapshot(service: MockParts, read: Snapshot, org?: Organization): void {
  if (read.of === 'organization') restoreOne(service, read.organization, org)
  else if (!org) restoreAll(service, read)
  else
    throw new InvalidSnapshot(
      'The snapshot is of the whole mock, but the call is for one organization; restore it in the whole mock.',
    )
}

function restoreAll(service: MockParts, read: Extract<Snapshot, { of: 'mock' }>): void {
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
  for (const { tenant, own } of restored) if (tenants.has(tenant.name)) restoreTenant(service, tenant, own)
}

/** Validates the JSON of a snapshot and returns it with its type. @throws InvalidSnapshot if it is not valid. */
export function validateSnapshot(json: unknown): Snapshot {
  const { data, problem } = tryParse(snapshotSchema, json)
  if (problem !== undefined) throw new InvalidSnapshot(endWithFullStop(`Invalid snapshot: ${problem}`))
  return data
}

function settingsFrom(options: object): MockSettings {
  const settings = parseOptionsWithScenario(options as MockOptionsInput)
  if (!Array.isArray(settings)) return settings
  const [first] = settings
  throw new InvalidSnapshot(endWithFullStop(`Invalid snapshot: options.${first?.option} ${first?.problem}`))
}

function restoreOne(
  service: MockParts,
  tenant: TenantState & { options: NonNullable<TenantState['options']> },
  org: Organization | undefined,
): void {
  const { tenants } = service
  const settings = settingsFrom(tenant.options)
  if (org && tenants.nameOf(org) !== tenant.name)
    throw new InvalidSnapshot(
      'The snapshot is of another organization than the call; restore it in that one.',
    )
  const owners = tenant.state.keys.map(({ secret }) => tenants.ownerOf(secret))
  for (const owner of [...owners, tenants.byId(tenant.state.id)])
    if (owner && tenants.nameOf(owner) !== tenant.name)
      throw new InvalidSnapshot(
        'An id or a key in the snapshot belongs to another organization; restore it in another mock.',
      )
  const same = JSON.stringify(settings.options) === JSON.stringify(tenants.settings.options)
  restoreTenant(service, tenant, same ? undefined : settings)
}

function restoreTenant(service: MockParts, tenant: TenantState, own: MockSettings | undefined): void {
  const { tenants, faults, journal } = service
  const { name, state, created, quirks_of } = tenant
  const { org, quirks } = tenants.restore(name, state, own, created, quirks_of)
  quirks?.restore(tenant.surprises ?? {})
  faults.restoreOf(org.id, tenant.faults)
  journal.requestsOf(org.id).count = tenant.requests
}

/**
 * Derives the state of the agent from the rows of tasks: the run that has started and not ended, and the waiting ones
 * in order (§3).
 */
export function agentStateOfTasks(tasks: readonly Task[], ledger: readonly LedgerEntry[]) {
  const unfinished = tasks.flatMap(({ run }) => (run && !run.ended ? [run] : []))
  if (unfinished.length === 0) return { active: null, waiting: [] }
  const places = new Map(ledger.map(({ id }, place) => [id, place]))
  const waiting = unfinished
    .filter(({ started_at }) => started_at === null)
    .sort((a, b) => (places.get(a.reserve.id) ?? 0) - (places.get(b.reserve.id) ?? 0))
  return {
    active: unfinished.find(({ started_at }) => started_at !== null)?.task_id ?? null,
    waiting: waiting.map(({ task_id }) => task_id),
  }
}
