/** Mutations by which effects show later: lists, balances and deletions of keys. Times are ms of mock time. */
import type { Organization } from '#mocks/core/organization.ts'
import type { Key } from '#mocks/core/resources.ts'
import { combine, type Mutation } from './mutation.ts'
import { handle } from './rules.ts'

/** A list of rows by their ids, without those that are too young. */
const grown = <Item extends { readonly id: unknown }>(
  items: readonly Item[],
  rows: { get(id: string): { readonly created_at: number } | undefined },
  before: number,
) => items.filter(({ id }) => (rows.get(String(id))?.created_at ?? 0) <= before)

/** The lists of tasks and of documents show what is new after a delay. */
export const lateLists = (delay: number): Mutation => combine(lateTasks(delay), lateDocuments(delay))

export const lateTasks = (delay: number): Mutation =>
  handle('listTasks', (call, usual) => {
    const answer = usual(call)
    return 'items' in answer
      ? { ...answer, items: grown(answer.items, call.org.tasks, call.now - delay) }
      : answer
  })

export const lateDocuments = (delay: number): Mutation =>
  handle('listDocuments', (call, usual) => {
    const answer = usual(call)
    return 'items' in answer ? { items: grown(answer.items, call.org.documents, call.now - delay) } : answer
  })

/** The list of landing pages shows a new one after a delay. */
export const lateLandingPages = (delay: number): Mutation =>
  handle('listLandingPages', (call, usual) => {
    const answer = usual(call)
    if (!('items' in answer)) return answer
    const items = answer.items.map((item) => ({ ...item, id: item.id }))
    return { ...answer, items: grown(items, call.org.landingPages, call.now - delay) }
  })

/** The list of keys shows a new one after a delay. */
export const lateKeyList = (delay: number): Mutation =>
  handle('listKeys', (call, usual) => {
    const answer = usual(call)
    return 'keys' in answer ? { keys: grown(answer.keys, call.org.keys, call.now - delay) } : answer
  })

/** The balance of an organization some time ago; entries from before its first request count always. */
function balancesAgo(delay: number) {
  const firsts = new Map<Organization, number>()
  return {
    onOrganization: (org: Organization) => void firsts.set(org, org.ledger.entries.length),
    of: (org: Organization, now: number) =>
      org.ledger.entries
        .filter(({ at }, i) => i < (firsts.get(org) ?? 0) || at <= now - delay)
        .reduce((sum, { amount }) => sum + amount, 0),
  }
}

/** The routes that report the balance show a change after a delay; what can be spent changes at once. */
export function lateBalance(delay: number): Mutation {
  const { onOrganization, of } = balancesAgo(delay)
  return combine(
    { onOrganization },
    handle('whoami', (call, usual) => ({ ...usual(call), credits: of(call.org, call.now) })),
    handle('createTask', (call, usual) => ({ ...usual(call), credits: of(call.org, call.now) })),
    handle('listTasks', (call, usual) => ({ ...usual(call), credits: of(call.org, call.now) })),
  )
}

/** A deleted key is accepted for a while; the list shows it no more. */
export function lateDeletion(
  delay: number,
  isLate: (key: Key, org: Organization) => boolean = () => true,
): Mutation {
  const due = new Map<Key, number>()
  return combine(
    {
      async middleware({ request, mock }, next) {
        for (const [key, at] of due) if (at <= mock.clock.now()) key.deleted = due.delete(key)
        return next(request)
      },
    },
    handle('deleteKey', (call, usual) => {
      const key = call.org.keys.get(call.id)
      const isAffected = key !== undefined && isLate(key, call.org)
      const again = key && due.has(key)
      if (again) key.deleted = true
      const answer = usual(call)
      if (key && (again || ('ok' in answer && isAffected))) {
        key.deleted = false
        if (!again) due.set(key, call.now + delay)
      }
      return answer
    }),
    handle('listKeys', (call, usual) => {
      const answer = usual(call)
      const gone = new Set<unknown>([...due.keys()].map(({ id }) => id))
      return 'keys' in answer ? { keys: answer.keys.filter(({ id }) => !gone.has(id)) } : answer
    }),
  )
}
