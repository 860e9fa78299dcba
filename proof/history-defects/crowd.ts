/** Requests that arrive at once: they wait for each other, and each learns its place among them. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '#contract/operation.ts'
import { combine, type Interception, type Middleware, type Mutation } from '../mutations/mutation.ts'

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
