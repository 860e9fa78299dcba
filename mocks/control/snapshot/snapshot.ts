/** A snapshot: the state that determines later responses, as JSON, of a mock or of one organization. */
import { z } from 'zod'
import { clock, listOf, organization, recordOf } from '../../core/state.ts'
import { faults, ownFaults } from '../../faults/rule.ts'

/** Options as they were written. They are validated when they are parsed. */
const options = z.record(z.string(), z.unknown())

/** Number of draws of each quirk. */
const drawn = recordOf(z.string(), z.int().min(0))

const tenant = z.object({
  /** The part of its key after `wak_test_`. */
  name: z.string().min(1).max(4_096),
  /** Options of this organization; null: those of the mock apply. */
  options: options.nullable(),
  /** Options that it was created with, as its key could contain them; absent: none. */
  created: z.string().optional(),
  /** Number of requests of this organization. */
  requests: z.int().min(0),
  surprises: drawn.nullable(),
  faults: ownFaults,
  state: organization,
})

const version = z.literal(1, 'is of another version of the mock')

const ofMock = z.object({
  of: z.literal('mock'),
  version,
  options,
  clock,
  surprises: drawn.nullable(),
  faults,
  organizations: listOf(tenant).superRefine((tenants, context) => {
    const once = (what: string, values: readonly string[]) => {
      if (new Set(values).size < values.length)
        context.addIssue({ code: 'custom', message: `contain ${what} twice` })
    }
    once(
      'a name',
      tenants.map(({ name }) => name),
    )
    once(
      'an id',
      tenants.map(({ state }) => state.id),
    )
    once(
      'a key',
      tenants.flatMap(({ state }) => state.keys.map(({ secret }) => secret)),
    )
  }),
})

const ofOrganization = z.object({
  of: z.literal('organization'),
  version,
  organization: tenant.extend({ options }),
})

/** Schema of a snapshot. */
export const snapshot = z.discriminatedUnion('of', [ofMock, ofOrganization])

/** A snapshot. It contains the secrets of keys and is not meant to be edited. */
export type Snapshot = z.output<typeof snapshot>
/** The state of one organization in a snapshot. */
export type TenantState = z.output<typeof tenant>
