/** §5.2, §7: what one organization can read and do in another. */
import type { OperationId } from '#contract/operation.ts'
import { Failure } from '#mocks/core/failure.ts'
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

/** A mutation that knows all organizations used so far. */
function withOthers(mutate: (others: Others) => Mutation): Mutation {
  const known = new Set<Organization>()
  const others: Others = (org) => [...known].filter((one) => one !== org)
  return combine({ onOrganization: (org) => void known.add(org) }, mutate(others))
}

/** Handles a request for an id as the organization that owns it. */
const asOwner = (operation: 'getTask' | 'getDocument' | 'runTask' | 'readNotification') => () =>
  withOthers((others) =>
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
  title: `${operation} accepts the id of another organization's ${what}.`,
  breaks,
  mutate: asOwner(operation),
})

/** A list that also shows what others have; `fields`: their part of its fields, undefined for an unaffected query. */
const list = <O extends OperationId>(
  operation: O,
  id: string,
  title: string,
  fields: (org: Organization, query: Call<O>['query']) => object | undefined,
): Defect => ({
  id: `isolation-${id}`,
  title,
  breaks: [`ISOLATION-${id.toUpperCase()}`],
  mutate: () =>
    withOthers((others) =>
      handle(operation, (call, usual) => {
        const answer = usual(call)
        if (answer instanceof Failure) return answer
        const all = { ...answer }
        for (const org of others(call.org)) {
          for (const [name, value] of Object.entries(fields(org, call.query) ?? {})) {
            const own = Reflect.get(all, name)
            Reflect.set(all, name, Array.isArray(own) ? [...own, ...value] : own + value)
          }
        }
        return all
      }),
    ),
})

/** The documents of an organization in a folder, or in all or none. */
const documentsIn = (org: Organization, folder: string | null | 'all') => ({
  items: org.documents
    .newest(Infinity, (one) => folder === 'all' || one.folder_id === folder)
    .map(viewDocumentItem),
})

const lists: readonly Defect[] = [
  list('listTasks', 'list-tasks', 'The task list shows the tasks of all organizations.', (org) => ({
    items: org.tasks.newest(Infinity).map(viewTask),
  })),
  list(
    'listDocuments',
    'list-documents',
    'The document list with all=1 shows the documents of all organizations.',
    (org, { all }) => (all ? documentsIn(org, 'all') : undefined),
  ),
  list(
    'listDocuments',
    'list-filed',
    'The document list of a folder shows the documents of all organizations.',
    (org, { all, folder_id }) => (all || folder_id === undefined ? undefined : documentsIn(org, folder_id)),
  ),
  list(
    'listDocuments',
    'list-unfiled',
    'The document list without a query shows the documents of all organizations.',
    (org, { all, folder_id }) => (all || folder_id !== undefined ? undefined : documentsIn(org, null)),
  ),
  list('listKeys', 'list-keys', 'The list of keys shows those of all organizations.', (org) => ({
    keys: org.keys.newest(Infinity, (key) => !key.deleted).map(viewKey),
  })),
  list(
    'listLandingPages',
    'list-landing-pages',
    'The list of landing pages shows those of all organizations.',
    (org) => ({
      items: org.landingPages.newest(Infinity).map(viewLandingPage),
    }),
  ),
  list(
    'listNotifications',
    'list-notifications',
    'The list of notifications shows those of all organizations.',
    (org) => ({
      items: org.notifications.newest(Infinity).map(viewNotification),
      unread: org.notifications.unread,
    }),
  ),
  list(
    'listNotifications',
    'unread',
    'unread counts the notifications of all organizations.',
    ({ notifications: { unread } }) => ({ unread }),
  ),
]

export const isolation: readonly Defect[] = [
  seen('getTask', ['ISOLATION-GET-TASK'], 'task'),
  seen('getDocument', ['ISOLATION-GET-DOCUMENT'], 'document'),
  seen('runTask', ['ISOLATION-RUN-TASK'], 'task'),
  seen('readNotification', ['ISOLATION-READ-NOTIFICATION'], 'notification'),
  {
    id: 'isolation-run-hidden',
    title: "A run of another organization's task is answered 404 but starts.",
    breaks: ['ISOLATION-RUN-TASK'],
    mutate: () =>
      withOthers((others) =>
        handle('runTask', (call, usual) => {
          for (const org of others(call.org)) if (org.tasks.get(call.id)) usual({ ...call, org })
          return usual(call)
        }),
      ),
  },
  ...lists,
  {
    id: 'isolation-delete-key',
    title: "Another organization's key can be deleted.",
    breaks: ['ISOLATION-DELETE-KEY'],
    mutate: () =>
      withOthers((others) =>
        handle('deleteKey', (call, usual) => {
          const owner = others(call.org).find((org) => org.keys.get(call.id))
          return usual(owner ? { ...call, org: owner } : call)
        }),
      ),
  },
  {
    id: 'isolation-run-charges-owner',
    title: "A run of another organization's task is answered 404 but costs the owner a credit.",
    breaks: ['ISOLATION-RUN-TASK'],
    mutate: () =>
      withOthers((others) =>
        handle('runTask', (call, usual) => {
          for (const org of others(call.org)) if (org.tasks.get(call.id)) org.ledger.topUp(-1, call.now)
          return usual(call)
        }),
      ),
  },
  {
    id: 'isolation-credits',
    title: 'A run takes a credit from every organization.',
    breaks: ['ISOLATION-CREDITS'],
    mutate: () =>
      withOthers((others) =>
        handle('runTask', (call, usual) => {
          if (call.org.tasks.get(call.id)) for (const org of others(call.org)) org.ledger.topUp(-1, call.now)
          return usual(call)
        }),
      ),
  },
  ...(['query', 'header'] as const).map(
    (place): Defect => ({
      id: `isolation-organization-in-${place}`,
      title: `An organization id in a ${place} selects the organization.`,
      breaks: ['AUTH-ORGANIZATION-SENT'],
      mutate: () =>
        withOthers((others) =>
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
