/** Mutations by which effects show later: lists, balances and deletions of keys. Times are ms of mock time. */
import type { Organization } from '#mocks/core/organization.ts'
import type { Key } from '#mocks/core/resources.ts'
import { combine, type Mutation } from './mutation.ts'
import { answer, handle } from './rules.ts'

/** A list of rows by their ids, without those that are too young. */
const grown = <Item extends { readonly id: unknown }>(
  items: readonly Item[],
  rows: { get(id: string): { readonly created_at: number } | undefined },
  before: number,
) => items.filter(({ id }) => (rows.get(String(id))?.created_at ?? 0) <= before)

/** The lists of tasks and of documents show what is new after a delay. */
export const lateLists = (delay: number): Mutation => combine(lateTasks(delay), lateDocuments(delay))

export const lateTasks = (delay: number): Mutation =>
  answer('listTasks', ({ items }, { org, now }) => ({ items: grown(items, org.tasks, now - delay) }))

export const lateDocuments = (delay: number): Mutation =>
  answer('listDocuments', ({ items }, { org, now }) => ({ items: grown(items, org.documents, now - delay) }))

/** The list of landing pages shows a new one after a delay. */
export const lateLandingPages = (delay: number): Mutation =>
  answer('listLandingPages', ({ items }, { org, now }) => ({
    items: grown(
      items.map((item) => ({ ...item, id: item.id })),
      org.landingPages,
      now - delay,
    ),
  }))

/** The list of keys shows a new one after a delay. */
export const lateKeyList = (delay: number): Mutation =>
  answer('listKeys', ({ keys }, { org, now }) => ({ keys: grown(keys, org.keys, now - delay) }))

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
    ...(['whoami', 'createTask', 'listTasks'] as const).map((operation) =>
      answer(operation, (_, { org, now }) => ({ credits: of(org, now) })),
    ),
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
    answer('listKeys', ({ keys }) => {
      const gone = new Set<unknown>([...due.keys()].map(({ id }) => id))
      return { keys: keys.filter(({ id }) => !gone.has(id)) }
    }),
  )
}
