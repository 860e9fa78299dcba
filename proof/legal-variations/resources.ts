/** Keys, documents and notifications in other forms, and extended routes that are missing or restricted. */

import type { OperationId } from '#contract/operation.ts'
import { createFailure } from '#mocks/core/failure.ts'
import { createKey, type Organization } from '#mocks/core/organization.ts'
import { type HandlerCall, viewDocument, viewKey } from '#mocks/handlers/views.ts'
import { combineMutations, type Mutation } from '../mutations/mutation.ts'
import {
  changeField,
  changeItems,
  changeRequests,
  type MutableJsonObject,
  replaceAnswersWithError,
  rewriteSuccess,
} from '../mutations/reply.ts'
import {
  callAfterHandling,
  callBeforeHandling,
  changeAnswer,
  changeRequestBody,
  refuseRequests,
  replaceHandler,
} from '../mutations/rules.ts'
import { flattenVariationTables, type Variation } from './variation.ts'

/** A value, or an empty text for nothing. */
const orEmpty = (value: unknown) => value ?? ''

/** A task as it is shown: with the status `triage` for its first 100 ms, or until it is run. */
const triaged = <View extends { readonly id: string | number }>(
  view: View,
  { org, now }: Pick<HandlerCall, 'org' | 'now'>,
) => {
  const task = org.tasks.get(String(view.id))
  return task && !task.run && now < task.created_at + 100 ? { ...view, status: 'triage' } : view
}

/** A task as it is shown: with the status `queued` for the first 60 ms of a run. */
const notBegun = <View extends { readonly id: string | number }>(
  view: View,
  { org, now }: Pick<HandlerCall, 'org' | 'now'>,
) => {
  const { run } = org.tasks.get(String(view.id)) ?? {}
  const isOver = run?.ended || (run?.ends_at ?? Number.POSITIVE_INFINITY) <= now
  return run && !isOver && now < run.accepted_at + 60 ? { ...view, status: 'queued' } : view
}

/** Shows tasks changed, each by itself and in the list. */
const changeShownTasks = (change: typeof triaged): Mutation =>
  combineMutations(
    changeAnswer('getTask', ({ task }, call) => ({ task: change(task, call) })),
    changeAnswer('listTasks', ({ items }, call) => ({ items: items.map((item) => change(item, call)) })),
  )

/** Trims a text; anything else stays. */
const trimmed = (text: unknown) => (typeof text === 'string' ? text.trim() : text)

/** A body whose texts are trimmed. */
const trimmedIn = <Body extends object>(body: Body) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, trimmed(value)])) as Body

/** Legal variations (behaviour that the specification allows) of keys, documents and notifications. */
export const resourceVariations: readonly Variation[] = flattenVariationTables({
  '#error-invalid-request: a name that is taken is a conflict.': {
    'names-unique: A second key or landing page of a name is refused with 409.': () =>
      combineMutations(
        refuseRequests('createKey', 'conflict', ({ org, body: { name } }) =>
          org.keys.newest(Infinity).some((key) => !key.deleted && key.name === name),
        ),
        refuseRequests('createLandingPage', 'conflict', ({ org, body: { business_name } }) =>
          org.landingPages
            .newest(Infinity)
            .some((page) => business_name !== undefined && page.business_name === business_name),
        ),
      ),
  },
  '#texts-kept: white space at either end is open.': {
    'TASK-TEXT-ENDS DOC-TEXT-ENDS DOC-TITLE-SPACES texts-trimmed (trimmed): Texts are stored without white space at either end.':
      () =>
        combineMutations(
          changeRequestBody('createTask', trimmedIn),
          changeRequestBody('createDocument', trimmedIn),
          changeRequestBody('createKey', trimmedIn),
          changeRequestBody('createLandingPage', trimmedIn),
        ),
    'DOC-TEXT-ENDS texts-ended (trimmed): The content of a document ends with one line break more.': () =>
      changeRequestBody('createDocument', (body) =>
        body.content_md ? { ...body, content_md: `${body.content_md}\n` } : body,
      ),
    'TASK-TEXT-ENDS texts-trimmed-in-lists (trimmed): Lists show texts without white space at either end, and so does a task after its run.':
      () =>
        combineMutations(
          changeField('listTasks', 'items.*.text', trimmed),
          changeField('listDocuments', 'items.*.title', trimmed),
          changeField('getTask', 'task.text', trimmed),
          changeField('listKeys', 'keys.*.name', trimmed),
          changeField('listLandingPages', 'items.*.business_name', trimmed),
        ),
  },
  '#document-item: empty fields may be null or an empty text.': {
    'documents-empty-texts: Fields of a document that hold nothing are empty texts, folder_id included.':
      () =>
        combineMutations(
          ...['kind', 'summary', 'content_md', 'folder_id'].flatMap((name) => [
            changeField('listDocuments', `items.*.${name}`, orEmpty),
            changeField(['getDocument', 'createDocument'], `item.${name}`, orEmpty),
          ]),
        ),
  },
  '#task-fields, #key-last-used: a field that holds nothing may be an empty text.': {
    'empty-texts (empty): A task without a description has an empty one, and an unused key an empty last_used_at.':
      () =>
        combineMutations(
          changeField(['createTask', 'getTask'], 'task.description', orEmpty),
          changeField('listTasks', 'items.*.description', orEmpty),
          changeField('listKeys', 'keys.*.last_used_at', orEmpty),
        ),
  },
  '#key-value: a string or an object.': {
    'key-is-secret (key form): key and secret of a created key are the same string.': () =>
      changeField('createKey', 'key', (_, { secret }) => secret),
  },
  '#key-secret: some services expect key as the token.': {
    'key-is-bearer (key form): The bearer token is key; secret has another purpose.': () => {
      let count = 0
      return rewriteSuccess(({ body }) => {
        const fields = body as MutableJsonObject
        Object.assign(fields, { id: Reflect.get(fields.key as object, 'id'), key: fields.secret })
        fields.secret = `signing-secret-${String(++count).padStart(8, '0')}`
      }, 'createKey')
    },
  },
  '#key-secret: its form is open.': {
    'keys-alike: The secrets of keys differ only in their last characters.': () => {
      let count = 0
      return replaceHandler('createKey', ({ org, tenants, body, now }) => {
        const secret = `wak_live_key_of_an_organization_${String(++count).padStart(4, '0')}`
        const key = createKey(org, body.name, secret, now)
        tenants.admit(key, org)
        return { key: viewKey(key), secret }
      })
    },
  },
  '#document-item: lists may omit both, or not.': {
    'documents-listed-whole: The list of documents includes content and summary.': () =>
      changeAnswer('listDocuments', ({ items }, { org }) => ({
        items: items.map((item) => {
          const document = org.documents.get(String(item.id))
          return document ? viewDocument(document) : item
        }),
      })),
  },
  '#notification-other-fields: what causes one is open.': {
    'notified-of-everything: Every creation adds a notification.': () =>
      combineMutations(
        ...(['createTask', 'createDocument', 'createKey'] as const).map((operation) =>
          callAfterHandling(
            operation,
            ({ org, now }) => void org.notify('created', 'Created', operation, null, now),
          ),
        ),
      ),
  },
  '#list-contents: how long a notification exists is open.': {
    'notifications-expire (notifications): A notification is gone two seconds after its arrival.': () =>
      changeAnswer('listNotifications', ({ items }, { org, now }) => {
        const created = new Map(org.notifications.all().map(({ id, created_at }) => [id, created_at]))
        const kept = items.filter(({ id }) => (created.get(String(id)) ?? now) > now - 2_000)
        return { items: kept, unread: kept.filter(({ read }) => !read).length }
      }),
    'notifications-newest-twenty (others): The newest twenty notifications are kept, of which none was read at first.':
      () => {
        const newest = (org: Organization) => new Set(org.notifications.newest(20).map(({ id }) => id))
        return combineMutations(
          {
            onOrganization(org) {
              for (let at = 0; at < 20; at++) org.notify('notice', 'Notice', 'Something happened.', null, 0)
            },
          },
          changeAnswer('listNotifications', ({ items }, { org }) => {
            const kept = items.filter(({ id }) => newest(org).has(String(id)))
            return { items: kept, unread: kept.filter(({ read }) => !read).length }
          }),
          replaceHandler('readNotification', (call, usual) =>
            newest(call.org).has(call.id) ? usual(call) : createFailure('not_found'),
          ),
        )
      },
    'notifications-unread-only (notifications): The list shows unread notifications alone.': () =>
      changeAnswer('listNotifications', ({ items }) => ({ items: items.filter(({ read }) => !read) })),
  },
  '#notification-list, #real-deployments: the items and their number may be read apart, and a marking may show late.':
    {
      'LIST-PROMPT notification-items-late: Notifications are listed as read a second after they were marked, and counted at once.':
        () => {
          const markedAt = new Map<string, number>()
          return combineMutations(
            callBeforeHandling('readNotification', ({ id, org, now }) => {
              if (org.notifications.get(id)?.read === false) markedAt.set(id, now)
            }),
            changeAnswer('listNotifications', ({ items }, { now }) => {
              const isStale = (id: string | number) => now - (markedAt.get(String(id)) ?? 0) < 1_000
              return { items: items.map((one) => (isStale(one.id) ? { ...one, read: false } : one)) }
            }),
          )
        },
    },
  '#other-transitions, #status-names: what else becomes of a status is open.': {
    'tasks-triaged: A new task has the status triage for its first 100 ms, unless it is run.': () =>
      combineMutations(
        changeAnswer('createTask', ({ task }, call) => ({ task: triaged(task, call) })),
        changeShownTasks(triaged),
      ),
    'runs-begin-late: A task has the status queued for the first 60 ms of a run, until a worker takes it up.':
      () =>
        combineMutations(
          changeAnswer('runTask', ({ finished }) => (finished ? undefined : { status: 'queued' })),
          changeShownTasks(notBegun),
        ),
  },
})

/** Answers 404 on some routes, as on an unknown path. */
const without = (...operations: OperationId[]): Mutation =>
  changeRequests(
    ({ url, headers }) => new Request(url.replace(/\/api\/cli\/.*$/, '/api/cli/no-such-route'), { headers }),
    ...operations,
  )

const prospectsWith = (nothing: null | '') =>
  combineMutations(
    ...['id', 'name', 'email', 'phone', 'createdTime', 'campaign'].map((name) =>
      changeField('listLeads', `prospects.*.${name}`, () => nothing),
    ),
  )

/** Legal variations (behaviour that the specification allows) of the extended routes. */
export const extendedRouteVariations: readonly Variation[] = flattenVariationTables({
  '#core-set-required: extended routes may be absent.': {
    'extended-absent (extended): No extended route is offered.': () => ({ options: { extended: false } }),
    'extended-reading-only (extended): Creative generation and landing pages are not offered.': () =>
      without('generateCreative', 'listLandingPages', 'createLandingPage'),
    'extended-sites-read-only (extended): Landing pages cannot be created; leads and wallet are not offered.':
      () => without('createLandingPage', 'listLeads', 'getWallet'),
  },
  '#landing-page-fields: its fields are not published.': {
    'landing-pages-listed-by-site (extended): The list of landing pages shows siteId in the place of id.':
      () =>
        changeItems('listLandingPages', (pages) => pages.map(({ id, ...page }) => ({ siteId: id, ...page }))),
  },
  '#leads-connected: an account need not be linked.': {
    'prospects-none (prospects): There are no prospects, because no account is connected.': () =>
      replaceHandler('listLeads', () => ({ connected: false, prospects: [] })),
  },
  '#prospect-fields: each may be null or empty.': {
    'prospects-all-null (prospects): Every field of a prospect is null, the id included.': () =>
      prospectsWith(null),
    'prospects-all-empty (prospects): Every field of a prospect is an empty text, the id included.': () =>
      prospectsWith(''),
  },
  '#insights-ranges: a missing or unfamiliar range may be refused.': {
    'insights-known-ranges (insights): Insights accept only the range 7d.': () =>
      refuseRequests('getInsights', 'invalid', ({ query }) => query.range !== '7d'),
  },
  '#insights-ranges: the values are unpublished.': {
    'insights-odd-ranges (insights): Insights accept only a range that the suite cannot guess.': () =>
      refuseRequests('getInsights', 'invalid', ({ query }) => query.range !== 'Q1/2026'),
  },
  '#creative-options: the values are unpublished.': {
    'creative-options-refused (options): Generations and landing pages are refused with any field but a prompt and a name.':
      () =>
        combineMutations(
          refuseRequests('generateCreative', 'invalid', ({ body }) => Object.keys(body).length > 1),
          refuseRequests('createLandingPage', 'invalid', ({ body }) => Object.keys(body).length > 1),
        ),
    'creative-known-sizes (options): Generations accept only a size that the suite cannot guess, and any label.':
      () => refuseRequests('generateCreative', 'invalid', ({ body }) => body.size),
  },
  '#creative-cost: which error a generation that fails answers is open.': {
    'creative-fails-unexpectedly: A creative that fails answers 500, and its credit is there again.': () =>
      replaceAnswersWithError(
        ({ status, body }) =>
          status === 503 && String((body as MutableJsonObject).message).includes('refunded'),
        [500, 'internal_error'],
        'generateCreative',
      ),
  },
  '#creative-cost: who may see the result is open.': {
    'creatives-private: What was generated is shown only to those who have logged in.': () =>
      changeRequests(({ url }) =>
        new URL(url).pathname.startsWith('/artifacts/') ? new Response(null, { status: 401 }) : undefined,
      ),
  },
})
