/** §5.2, §7: what one organization can read and do in another. */
import type { OperationId } from '#contract/operation.ts'
import { Failure } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { HandlerCall } from '#mocks/handlers/views.ts'
import { effectById } from '../history-defects/effects.ts'
import { mutationFor } from '../history-defects/occasion.ts'
import { whenByCreatedKey } from '../history-defects/triggers.ts'
import { combineMutations } from '../mutations/mutation.ts'
import {
  callAfterRunEnd,
  overrideMethod,
  wholeOrganization,
  withKnownOrganizations,
} from '../mutations/organizations.ts'
import { changeRequests } from '../mutations/reply.ts'
import { addPrecondition, changeAnswer, handleAsOrganization, replaceHandler } from '../mutations/rules.ts'
import { type Defect, defectForEach, defectsOfTable } from './defect.ts'

/** Handles a request for an id as the organization that owns it. */
const asOwner = (operation: 'getTask' | 'getDocument' | 'runTask' | 'readNotification' | 'deleteKey') =>
  withKnownOrganizations((known) =>
    handleAsOrganization(operation, ({ org, id }) =>
      [org, ...known].find(({ tasks, documents, notifications, keys }) =>
        [tasks, documents, notifications, keys].some((rows) => rows.get(id) !== undefined),
      ),
    ),
  )

/** Does something to other organizations when a run is requested. */
const onRun = (effect: (other: Organization, call: HandlerCall<'runTask'>, run: () => void) => void) =>
  withKnownOrganizations((known) =>
    replaceHandler('runTask', (call, usual) => {
      for (const org of known) if (org !== call.org) effect(org, call, () => void usual({ ...call, org }))
      return usual(call)
    }),
  )

/**
 * A list to whose fields those of other organizations are added. `isMeant`: picks queries; `theirs`: changes the call
 * for the others.
 */
const showing = <O extends OperationId>(
  operation: O,
  fields: readonly string[],
  isMeant: (query: Partial<HandlerCall<O>['query']>) => boolean = () => true,
  theirs: Partial<HandlerCall<O>> = {},
) =>
  withKnownOrganizations((known) =>
    replaceHandler(operation, (call, usual) => {
      const answer = usual(call)
      if (answer instanceof Failure || !isMeant(call.query ?? {})) return answer
      const all = { ...answer }
      for (const org of known) {
        const shown = org !== call.org ? usual({ ...call, ...theirs, org }) : {}
        for (const name of fields.filter((one) => one in shown)) {
          const [own, value] = [Reflect.get(all, name), Reflect.get(shown, name)]
          Reflect.set(all, name, Array.isArray(own) ? [...own, ...value] : own + value)
        }
      }
      return all
    }),
  )

/** True if a query asks for the documents of no folder. */
const isUnfiled = ({ all, folder_id }: Partial<HandlerCall<'listDocuments'>['query']>) =>
  !all && folder_id === undefined

/** Answers operations for the organization that a request names. */
const named = (place: 'query' | 'header', operations: readonly OperationId[] = ['whoami', 'listTasks']) =>
  withKnownOrganizations((known) => {
    let sent: string | undefined
    return combineMutations(
      addPrecondition(({ request }) => {
        sent = request.header('x-org-id')
        return undefined
      }),
      ...operations.map((operation) =>
        handleAsOrganization(operation, ({ url }) => {
          // Other requests may come between a body and its headers.
          const id = place === 'query' ? new URL(url).searchParams.get('org_id') : sent
          return [...known].find((org) => org.id === id)
        }),
      ),
    )
  })

/** Handles an operation for the organization that the body of its request names. */
const namedInBody = (operation: 'createDocument' | 'createKey') =>
  withKnownOrganizations((known) => {
    /** The organizations that bodies name, by the text of what they create: others are created at the same time. */
    const ids = new Map<string, string>()
    return combineMutations(
      handleAsOrganization(operation, ({ body }) => {
        const id = ids.get('title' in body ? body.title : body.name)
        return [...known].find((org) => org.id === id)
      }),
      changeRequests((_, body) => {
        const [, text = ''] = /"(?:title|name)":"(.*?)"/.exec(body.toString()) ?? []
        const [, id] = /"org_id":"(.*?)"/.exec(body.toString()) ?? []
        if (id !== undefined) ids.set(text, id)
        return undefined
      }, operation),
    )
  })

/** Handles an operation for the organization of another credential that is sent beside the right one. */
const byCredentialBeside = (operation: 'whoami' | 'createKey', header: string, credential: RegExp) => {
  let name: string | undefined
  return combineMutations(
    changeRequests(({ headers }) => {
      name = credential.exec(headers.get(header) ?? '')?.[1]
      return undefined
    }, operation),
    handleAsOrganization(operation, ({ tenants }) =>
      name === undefined ? undefined : tenants.organization(name),
    ),
  )
}

/** A 404 that quotes the text or the title of what another organization has under the id. */
const toldTo = (operation: 'getTask' | 'getDocument' | 'runTask') =>
  withKnownOrganizations((known) =>
    replaceHandler(operation, (call: HandlerCall<typeof operation>, usual) => {
      const answer = usual(call)
      if (!(answer instanceof Failure) || answer.name !== 'not_found') return answer
      const things = [...known].map(
        ({ tasks, documents }) => tasks.get(call.id)?.text ?? documents.get(call.id)?.title,
      )
      const text = things.find((one) => one !== undefined)
      return text === undefined ? answer : new Failure('not_found', `“${text}” is not yours.`)
    }),
  )

const owned = [
  ['getTask', 'ISOLATION-GET-TASK', 'task'],
  ['getDocument', 'ISOLATION-GET-DOCUMENT', 'document'],
  ['runTask', 'ISOLATION-RUN-TASK', 'task'],
  ['readNotification', 'ISOLATION-READ-NOTIFICATION', 'notification'],
] as const

/** Deliberate defects by which one organization reads or changes what another one has. */
export const isolationDefects: readonly Defect[] = [
  ...defectForEach(owned, ([operation, breaks, what]) => [
    `${breaks} isolation-${operation}: ${operation} accepts the id of another organization's ${what}.`,
    asOwner(operation),
  ]),
  ...defectForEach([owned[0], owned[1], owned[2]], ([operation, breaks, what]) => [
    `${breaks} isolation-told-by-${operation}: The 404 of ${operation} tells the text of another organization's ${what}.`,
    toldTo(operation),
  ]),
  ...defectForEach(['query', 'header'], (place) => [
    `AUTH-ORGANIZATION-SENT isolation-organization-in-${place}: An organization id in a ${place} selects the organization.`,
    named(place),
  ]),
  ...defectsOfTable({
    "ISOLATION-GET-DOCUMENT isolation-filed-document: getDocument accepts the id of another organization's document that is in a folder.":
      () =>
        withKnownOrganizations((known) =>
          handleAsOrganization('getDocument', ({ id }) =>
            [...known].find((org) => org.documents.get(id)?.folder_id),
          ),
        ),
    'ISOLATION-GET-TASK isolation-ended-task: getTask finds a task that was read once it had ended in a cache, whoever asks.':
      () => {
        const cache = new Map<string, Organization>()
        return combineMutations(
          changeAnswer('getTask', ({ finished }, { org, id }) => void (finished && cache.set(id, org))),
          handleAsOrganization('getTask', ({ id }) => cache.get(id)),
        )
      },
    'AUTH-ORGANIZATION-SENT isolation-organization-in-creation: A task is created in the organization that the query names.':
      () => named('query', ['createTask']),
    'AUTH-ORGANIZATION-SENT isolation-organization-in-list: listDocuments lists those of the organization that the query names.':
      () => named('query', ['listDocuments']),
    'AUTH-ORGANIZATION-SENT isolation-organization-of-document: A document is created in the organization that its body names.':
      () => namedInBody('createDocument'),
    'AUTH-ORGANIZATION-SENT isolation-organization-of-key: A key is created in the organization that the body names.':
      () => namedInBody('createKey'),
    'AUTH-ORGANIZATION-SENT isolation-key-beside-session: A key beside the session selects the organization of a new key.':
      () => byCredentialBeside('createKey', 'authorization', /wak_test_(\w+)/),
    'AUTH-ORGANIZATION-SENT isolation-organization-in-notifications: listNotifications lists those of the organization that the query names.':
      () => named('query', ['listNotifications']),
    'AUTH-ORGANIZATION-SENT isolation-organization-in-pages: listLandingPages lists those of the organization that the query names.':
      () => named('query', ['listLandingPages']),
    'AUTH-ORGANIZATION-SENT isolation-organization-in-session: A session beside the key selects the organization.':
      () => byCredentialBeside('whoami', 'cookie', /was_test_(\w+)/),
    "ISOLATION-GET-TASK isolation-getTask-by-created-key: getTask accepts the id of another organization's task with a created key.":
      () => mutationFor(whenByCreatedKey, effectById('getTask-of-another')),
    'ISOLATION-RUN-TASK': {
      "isolation-runTask-by-created-key: runTask accepts the id of another organization's task with a created key.":
        () => mutationFor(whenByCreatedKey, effectById('runTask-of-another')),
      "isolation-run-hidden: A run of another organization's task is answered 404 but starts.": () =>
        onRun((org, { id }, run) => {
          if (org.tasks.get(id)) run()
        }),
      "isolation-run-charges-owner: A run of another organization's task is answered 404 but costs the owner a credit.":
        () =>
          onRun((org, { id, now }) => {
            if (org.tasks.get(id)) org.ledger.topUp(-1, now)
          }),
    },
    'ISOLATION-CREDITS isolation-credits: A run takes a credit from every organization.': () =>
      onRun((other, { org, id, now }) => {
        if (org.tasks.get(id)) other.ledger.topUp(-1, now)
      }),
    "ISOLATION-DELETE-KEY isolation-delete-key: Another organization's key can be deleted.": () =>
      asOwner('deleteKey'),
    'ISOLATION-LIST-TASKS isolation-list-tasks: The task list shows the tasks of all organizations.': () =>
      showing('listTasks', ['items']),
    'ISOLATION-LIST-DOCUMENTS isolation-list-documents: The document list with all=1 shows the documents of all organizations.':
      () => showing('listDocuments', ['items'], ({ all }) => all === '1'),
    'ISOLATION-LIST-FILED isolation-list-filed: The document list of a folder shows the documents of all organizations.':
      () => showing('listDocuments', ['items'], ({ all, folder_id }) => !all && folder_id !== undefined),
    'ISOLATION-LIST-DOCUMENTS isolation-list-all-filed: The document list of a folder with all=1 shows the documents of all organizations.':
      () => showing('listDocuments', ['items'], ({ all, folder_id }) => !!all && folder_id !== undefined),
    'ISOLATION-LIST-UNFILED isolation-list-unfiled: The document list without a query shows the documents of all organizations.':
      () => showing('listDocuments', ['items'], isUnfiled),
    'ISOLATION-LIST-UNFILED isolation-empty-folder: The document list without a query shows the documents of all organizations whose folder is an empty text.':
      () => showing('listDocuments', ['items'], isUnfiled, { query: { folder_id: '' } }),
    'ISOLATION-LIST-KEYS isolation-list-keys: The list of keys shows those of all organizations.': () =>
      showing('listKeys', ['keys']),
    'ISOLATION-LIST-LANDING-PAGES isolation-list-landing-pages: The list of landing pages shows those of all organizations.':
      () => showing('listLandingPages', ['items']),
    'ISOLATION-LIST-NOTIFICATIONS isolation-list-notifications: The list of notifications shows those of all organizations.':
      () => showing('listNotifications', ['items', 'unread']),
    'ISOLATION-LIST-NOTIFICATIONS isolation-notified: The notification of a run, with the id of its task alone, goes to another organization.':
      () =>
        withKnownOrganizations((known) =>
          overrideMethod(wholeOrganization, 'notify', (notify, org) => (type, title, body, task_id, at) => {
            const other = [...known].find((one) => one !== org)
            if (task_id === null || !other) return notify(type, title, body, task_id, at)
            return other.notify(type, title, `The run of ${task_id} has ended.`, null, at)
          }),
        ),
    'ISOLATION-UNREAD isolation-unread: unread counts the notifications of all organizations.': () =>
      showing('listNotifications', ['unread']),
    'ISOLATION-UNREAD isolation-notified-of-runs: The end of a run notifies all organizations.': () =>
      withKnownOrganizations((known) =>
        callAfterRunEnd((owner, _, at) => {
          for (const org of known) if (org !== owner) org.notify('run', 'A run has ended', '', null, at)
        }),
      ),
  }),
]
