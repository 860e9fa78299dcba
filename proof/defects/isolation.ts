/** §5.2, §7: what one organization can see and do of another. */
import type { OperationId } from '#contract/operation.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Call } from '#mocks/handlers/handler.ts'
import {
  viewDocumentItem,
  viewKey,
  viewLandingPage,
  viewNotification,
  viewTask,
} from '#mocks/handlers/views.ts'
import type { Mutation } from '../mutations/mutation.ts'
import { combine } from '../mutations/mutation.ts'
import { handle, precondition } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

type Others = (org: Organization) => Organization[]

/** An alteration that knows all organizations that were met. */
function knowing(mutate: (others: Others) => Mutation): Mutation {
  const met = new Set<Organization>()
  const others: Others = (org) => [...met].filter((one) => one !== org)
  return combine({ meet: (org) => void met.add(org) }, mutate(others))
}

/** Decides about an id as the organization that owns it. */
const asOwner = (operation: 'getTask' | 'getDocument' | 'runTask' | 'readNotification') => () =>
  knowing((others) =>
    handle(operation, (call: Call<typeof operation>, usual) => {
      const { org, id } = call
      const owns = (one: Organization) =>
        (one.tasks.get(id) ?? one.documents.get(id) ?? one.notifications.get(id)) !== undefined
      const owner = owns(org) ? org : (others(org).find(owns) ?? org)
      return usual({ ...call, org: owner })
    }),
  )

const seen = (operation: Parameters<typeof asOwner>[0], breaks: string[], what: string): Defect => ({
  id: `isolation-${operation}`,
  title: `${operation} takes the id of another organization's ${what}.`,
  breaks,
  mutate: asOwner(operation),
})

export const isolation: readonly Defect[] = [
  seen('getTask', ['ISOLATION-GET-TASK'], 'task'),
  seen('getDocument', ['ISOLATION-GET-DOCUMENT'], 'document'),
  seen('runTask', ['ISOLATION-RUN-TASK'], 'task'),
  seen('readNotification', ['ISOLATION-READ-NOTIFICATION'], 'notification'),
  {
    id: 'isolation-run-hidden',
    title: "A run of another organization's task is answered 404 and started all the same.",
    breaks: ['ISOLATION-RUN-TASK'],
    mutate: () =>
      knowing((others) =>
        handle('runTask', (call, usual) => {
          for (const org of others(call.org)) if (org.tasks.get(call.id)) usual({ ...call, org })
          return usual(call)
        }),
      ),
  },
  {
    id: 'isolation-list-tasks',
    title: 'The task list shows the tasks of all organizations.',
    breaks: ['ISOLATION-LIST-TASKS'],
    mutate: () =>
      knowing((others) =>
        handle('listTasks', (call, usual) => {
          const theirs = others(call.org).flatMap((org) => org.tasks.newest(Infinity).map(viewTask))
          const answer = usual(call)
          return 'items' in answer ? { ...answer, items: [...answer.items, ...theirs] } : answer
        }),
      ),
  },
  {
    id: 'isolation-list-documents',
    title: 'The document list shows the documents of all organizations.',
    breaks: ['ISOLATION-LIST-DOCUMENTS'],
    mutate: () =>
      knowing((others) =>
        handle('listDocuments', (call, usual) => {
          const theirs = others(call.org).flatMap((org) =>
            org.documents.newest(Infinity).map(viewDocumentItem),
          )
          const answer = usual(call)
          return 'items' in answer && call.query.all ? { items: [...answer.items, ...theirs] } : answer
        }),
      ),
  },
  ...(['folder_id', undefined] as const).map(
    (filter): Defect => ({
      id: filter ? 'isolation-list-filed' : 'isolation-list-unfiled',
      title: `The document list ${filter ? 'of a folder' : 'without a query'} shows those of all organizations.`,
      breaks: [filter ? 'ISOLATION-LIST-FILED' : 'ISOLATION-LIST-UNFILED'],
      mutate: () =>
        knowing((others) =>
          handle('listDocuments', (call, usual) => {
            const { all, folder_id } = call.query
            const answer = usual(call)
            if (!('items' in answer) || all || (filter ? folder_id === undefined : folder_id !== undefined))
              return answer
            const theirs = others(call.org).flatMap((org) => org.documents.newest(Infinity))
            const fitting = theirs.filter((one) => one.folder_id === (folder_id ?? null))
            return { items: [...answer.items, ...fitting.map(viewDocumentItem)] }
          }),
        ),
    }),
  ),
  {
    id: 'isolation-list-keys',
    title: 'The list of keys shows those of all organizations.',
    breaks: ['ISOLATION-LIST-KEYS'],
    mutate: () =>
      knowing((others) =>
        handle('listKeys', (call, usual) => {
          const answer = usual(call)
          const theirs = others(call.org).flatMap((org) => org.keys.newest(Infinity, (key) => !key.deleted))
          return 'keys' in answer ? { keys: [...answer.keys, ...theirs.map(viewKey)] } : answer
        }),
      ),
  },
  {
    id: 'isolation-delete-key',
    title: "Another organization's key can be deleted.",
    breaks: ['ISOLATION-DELETE-KEY'],
    mutate: () =>
      knowing((others) =>
        handle('deleteKey', (call, usual) => {
          const owner = others(call.org).find((org) => org.keys.get(call.id))
          return usual(owner ? { ...call, org: owner } : call)
        }),
      ),
  },
  {
    id: 'isolation-run-charges-owner',
    title: "A run of another organization's task is answered 404 and costs its owner a credit.",
    breaks: ['ISOLATION-RUN-TASK'],
    mutate: () =>
      knowing((others) =>
        handle('runTask', (call, usual) => {
          for (const org of others(call.org)) if (org.tasks.get(call.id)) org.ledger.topUp(-1, call.now)
          return usual(call)
        }),
      ),
  },
  {
    id: 'isolation-unread',
    title: 'unread counts the notifications of all organizations.',
    breaks: ['ISOLATION-UNREAD'],
    mutate: () =>
      knowing((others) =>
        handle('listNotifications', (call, usual) => {
          const answer = usual(call)
          const theirs = others(call.org).reduce((sum, org) => sum + org.unread, 0)
          return 'unread' in answer ? { ...answer, unread: answer.unread + theirs } : answer
        }),
      ),
  },
  {
    id: 'isolation-list-landing-pages',
    title: 'The list of landing pages shows those of all organizations.',
    breaks: ['ISOLATION-LIST-LANDING-PAGES'],
    mutate: () =>
      knowing((others) =>
        handle('listLandingPages', (call, usual) => {
          const theirs = others(call.org).flatMap((org) =>
            org.landingPages.newest(Infinity).map(viewLandingPage),
          )
          const answer = usual(call)
          return 'items' in answer ? { items: [...answer.items, ...theirs] } : answer
        }),
      ),
  },
  {
    id: 'isolation-list-notifications',
    title: 'The list of notifications shows those of all organizations.',
    breaks: ['ISOLATION-LIST-NOTIFICATIONS'],
    mutate: () =>
      knowing((others) =>
        handle('listNotifications', (call, usual) => {
          const theirs = others(call.org).flatMap((org) =>
            org.notifications.newest(Infinity).map(viewNotification),
          )
          const answer = usual(call)
          if (!('items' in answer)) return answer
          const unread = answer.unread + others(call.org).reduce((sum, org) => sum + org.unread, 0)
          return { items: [...answer.items, ...theirs], unread }
        }),
      ),
  },
  {
    id: 'isolation-credits',
    title: 'A run takes a credit from every organization.',
    breaks: ['ISOLATION-CREDITS'],
    mutate: () =>
      knowing((others) =>
        handle('runTask', (call, usual) => {
          if (call.org.tasks.get(call.id)) for (const org of others(call.org)) org.ledger.topUp(-1, call.now)
          return usual(call)
        }),
      ),
  },
  ...(['query', 'header'] as const).map(
    (place): Defect => ({
      id: `isolation-organization-in-${place}`,
      title: `An organization id in a ${place} is believed.`,
      breaks: ['AUTH-ORGANIZATION-SENT'],
      mutate: () =>
        knowing((others) =>
          handleAll((call, org_id) => others(call.org).find(({ id }) => id === org_id) ?? call.org, place),
        ),
    }),
  ),
]

/** Answers whoami and the task list for the organization that a request names. */
function handleAll(
  owner: (call: Call, org_id: string | undefined) => Organization,
  place: 'query' | 'header',
): Mutation {
  let named: string | undefined
  const read = precondition(({ request }) => {
    named = place === 'query' ? request.query('org_id') : request.header('x-org-id')
    return undefined
  })
  const answer = <O extends OperationId>(operation: O) =>
    handle(operation, (call, usual) => usual({ ...call, org: owner(call as unknown as Call, named) }))
  return combine(read, answer('whoami'), answer('listTasks'))
}
