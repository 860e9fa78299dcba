/** Mutations that know which key asks, and which other organizations there are. */
import type { Organization } from '#mocks/core/organization.ts'
import { combine, type Mutation } from '../mutations/mutation.ts'
import { precondition } from '../mutations/rules.ts'
import { perOne } from './memory.ts'

/** Knows the key of each request of a key route, and all organizations. */
export function watched(
  change: (world: {
    keyOf: (org: Organization) => { id: string; isFirst: boolean } | undefined
    others: (org: Organization) => Organization[]
  }) => Mutation,
): Mutation {
  const keys = perOne(() => ({ key: undefined as { id: string; isFirst: boolean } | undefined }))
  const all = new Set<Organization>()
  return combine(
    change({
      keyOf: (org) => keys(org).key,
      others: (org) => [...all].filter((one) => one !== org),
    }),
    precondition(({ principal: { org, key } }) => {
      all.add(org)
      keys(org).key = key && { id: key.id, isFirst: org.keys.all()[0] === key }
      return undefined
    }),
  )
}
