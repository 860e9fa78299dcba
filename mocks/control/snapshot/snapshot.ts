/** A snapshot: everything that decides about later answers, as JSON; of a mock, or of one organization in it. */
import { z } from 'zod'
import { clock, organization } from '../../core/state.ts'
import { faults, ownFaults } from '../../faults/state.ts'

/** Options as they were written. What is wrong with them is found where they are read. */
const options = z.record(z.string(), z.unknown())

/** How often each quirk was drawn. */
const drawn = z.record(z.string(), z.int().min(0))

const tenant = z.object({
  /** What comes after `wak_test_` in its key. */
  name: z.string().min(1),
  /** Options that hold for it alone; null: those of the mock do. */
  options: options.nullable(),
  /** Requests that were counted. */
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
  organizations: z.array(tenant).superRefine((tenants, context) => {
    const once = (what: string, values: readonly string[]) => {
      if (new Set(values).size < values.length)
        context.addIssue({ code: 'custom', message: `hold ${what} twice` })
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

export const snapshot = z.discriminatedUnion('of', [ofMock, ofOrganization])

/** JSON; what is in it is not for people to write. It holds the secrets of keys. */
export type Snapshot = z.output<typeof snapshot>
export type TenantState = z.output<typeof tenant>
