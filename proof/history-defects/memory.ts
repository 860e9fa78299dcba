/** What history defects remember, for each organization apart, and what they know of a request: its key, and its place among those that arrived at once. */

import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '#contract/operation.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Key, Run } from '#mocks/core/resources.ts'
import { combine, type Interception, type Middleware, type Mutation } from '../mutations/mutation.ts'
import { precondition } from '../mutations/rules.ts'

/** A value for each organization (or task, or key), created when it is first asked for. */
export function perOne<T, Of extends object = Organization>(create: () => T): (of: Of) => T {
  const all = new WeakMap<Of, T>()
  return (of) => {
    const known = all.get(of) ?? create()
    all.set(of, known)
    return known
  }
}

/** Stands between the end of a run and its effects; `usual` has them happen. */
export function onEnd(effect: (org: Organization, run: Run, usual: () => void) => void): Mutation {
  return {
    onOrganization(org) {
      const end = org.endRun.bind(org)
      org.endRun = (run) => effect(org, run, () => end(run))
    },
  }
}

export const isLiving = ({ deleted }: Key) => !deleted

/** Keys created through the API, newest first; the first key of an organization is not one of them. */
export const made = (org: Organization) => org.keys.newest(Infinity).slice(0, -1)

/** A request among those that arrived at once. */
export interface Place {
  /** From 0, in the order of arrival. */
  readonly rank: number
  /** How many there are. */
  readonly size: number
  /** The operations of all of them. */
  readonly operations: ReadonlySet<OperationId>
}

/** ms between the first and the last request that count as simultaneous. */
const instant = 4

/** Gathers simultaneous requests to operations; `here` is the place of the request that is handled. */
function crowd(
  gathered: readonly OperationId[],
  keyOf: (context: Interception) => unknown = ({ request: { headers } }) =>
    headers.get('authorization') ?? headers.get('cookie'),
): { middleware: Middleware; here: () => Place } {
  const storage = new AsyncLocalStorage<Place>()
  const open = new Map<unknown, { size: number; operations: Set<OperationId>; full: Promise<unknown> }>()
  return {
    here: () => storage.getStore() ?? { rank: 0, size: 1, operations: new Set() },
    async middleware(context, next) {
      if (!context.operation || !gathered.includes(context.operation)) return next(context.request)
      const key = keyOf(context)
      const full = () => sleep(instant).then(() => open.delete(key))
      const group = open.get(key) ?? { size: 0, operations: new Set<OperationId>(), full: full() }
      open.set(key, group)
      group.operations.add(context.operation)
      const rank = group.size++
      await group.full
      const { size, operations } = group
      return storage.run({ rank, size, operations }, () => next(context.request))
    },
  }
}

/** A mutation that knows the place of each simultaneous request to operations, by any credential where asked. */
export function together(
  operations: readonly OperationId[],
  change: (here: () => Place) => Mutation,
  everybody = false,
): Mutation {
  const { middleware, here } = everybody ? crowd(operations, () => 'all') : crowd(operations)
  return combine(change(here), { middleware })
}

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
