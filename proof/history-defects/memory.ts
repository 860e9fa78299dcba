/** What history defects remember, for each organization apart, and what they know of a request: its key, and its place among those that arrived at once. */

import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '#contract/operation.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Key } from '#mocks/core/resources.ts'
import type { Middleware } from '../mutations/mutation.ts'

/** A value for each organization (or task, or key), created when it is first asked for. */
export function perOne<T, Of extends object = Organization>(create: () => T): (of: Of) => T {
  const all = new WeakMap<Of, T>()
  return (of) => {
    const known = all.get(of) ?? create()
    all.set(of, known)
    return known
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

/** Gathers simultaneous requests to operations, of one credential or of everybody; `here` is the place of the one that is handled. */
export function gathering(
  operations: readonly OperationId[],
  ofEverybody: boolean,
): { middleware: Middleware; here: () => Place } {
  const storage = new AsyncLocalStorage<Place>()
  const open = new Map<unknown, { size: number; operations: Set<OperationId>; full: Promise<unknown> }>()
  return {
    here: () => storage.getStore() ?? { rank: 0, size: 1, operations: new Set() },
    async middleware({ operation, request }, next) {
      if (!operation || !operations.includes(operation)) return next(request)
      const { headers } = request
      const key = ofEverybody || (headers.get('authorization') ?? headers.get('cookie'))
      const full = () => sleep(instant).then(() => open.delete(key))
      const group = open.get(key) ?? { size: 0, operations: new Set<OperationId>(), full: full() }
      open.set(key, group)
      group.operations.add(operation)
      const rank = group.size++
      await group.full
      return storage.run({ ...group, rank }, () => next(request))
    },
  }
}
