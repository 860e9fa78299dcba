/** Whether somebody else changes an organization: it is watched while the search sends nothing that changes it. */
import type { OperationId } from '#contract/operation.ts'
import { type Exchange, field, idOf, items } from '#traffic/exchange.ts'
import { quietTime } from '../harness/deadlines.ts'
import type { Env } from './env.ts'
import { credentialsOf } from './fill-in.ts'
import type { Tenant } from './step.ts'

/** What others change, as lists and the balance show it. */
const views: Partial<Record<OperationId, (exchange: Exchange) => unknown>> = {
  whoami: ({ json }) => field(json, 'credits'),
  listTasks: (list) => items(list).map((item) => [idOf(field(item, 'id')), field(item, 'status')]),
  listNotifications: (list) => [
    field(list.json, 'unread'),
    ...items(list).map((item) => [idOf(field(item, 'id')), field(item, 'read')]),
  ],
}

/** What changed meanwhile, in words; undefined: nothing, or reading it changes it. */
export async function changeOf({ t, wire }: Env, tenant: Tenant): Promise<string | undefined> {
  const caller = credentialsOf(t, tenant, 'key')
  const look = async () => {
    const seen = new Map<string, string>()
    for (const [operation, view] of Object.entries(views)) {
      const exchange = await wire
        .send({ operation: operation as OperationId, tenant, ...caller })
        .catch(() => undefined)
      if (exchange && exchange.status < 300) seen.set(operation, JSON.stringify(view(exchange)))
    }
    return seen
  }
  const [before, again] = [await look(), await look()]
  await t.target.sleep(quietTime)
  const after = await look()
  const changed = [...after.keys()].find(
    (operation) =>
      before.get(operation) === again.get(operation) && again.get(operation) !== after.get(operation),
  )
  return changed && `${changed} changed in ${quietTime / 1_000} s in which nothing was sent`
}
