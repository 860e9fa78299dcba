/** Effects of named history defects alone. */
import type { Organization } from '#mocks/core/organization.ts'
import type { Key, Task } from '#mocks/core/resources.ts'
import type { HandlerCall } from '#mocks/handlers/views.ts'
import { callAfterSettling } from '../mutations/organizations.ts'
import type { MutableJsonObject } from '../mutations/reply.ts'
import { callAfterHandling, changeAnswer } from '../mutations/rules.ts'
import { createErrorAnswerPredicate, createRunOutcomePredicate } from './conditions.ts'
import {
  changeAnswerFields,
  changeBalance,
  changeList,
  changeObjectInAnswer,
  changeStoredRow,
  createSuccessPredicate,
  isUnread,
  itemsOfAnswer,
  parseEffectTable,
} from './effects.ts'
import {
  createLazyWeakLookup,
  type Effect,
  isHandlerFailure,
  isRequestAccepted,
  isUndeletedKey,
  keysCreatedThroughApi,
  type Occasion,
} from './occasion.ts'

const query = ({ call }: Occasion): MutableJsonObject => Object(call?.query)
const body = ({ call }: Occasion): MutableJsonObject => Object(call?.body)

/** True if a request asks for all documents, with `?all=1`. */
export const asksForAllDocuments = (one: Occasion) => query(one).all === '1'

/** Does something, then has the request handled as usual. */
const first =
  (effect: (one: Occasion) => unknown): Required<Effect>['before'] =>
  (one, usual) => {
    effect(one)
    return usual()
  }

/** Adds a credit before the request is handled. */
const lending = first(changeBalance(1))

/** Values that the first of concurrent requests leaves for the others. */
const left = createLazyWeakLookup<{ org?: Organization; value?: unknown }, Occasion['place']['operations']>(
  () => ({}),
)

/** The surplus of unread notifications in the count of an organization; below 0 if the count is too low. */
const surplus = createLazyWeakLookup(() => ({ n: 0 }))
const miscounted = (by: number): Pick<Effect, 'before' | 'with'> => ({
  before: first(({ org }) => (surplus(org).n += by)),
  with: () =>
    changeAnswer('listNotifications', ({ unread }, { org }) => ({
      unread: Math.max(0, unread + surplus(org).n),
    })),
})

/** An effect: notifications that were marked as read are unread again where `isBack` says so. */
const unmarked = (
  isBack: (org: Organization, age: number) => boolean,
): Pick<Effect, 'of' | 'before' | 'with'> => {
  const marks = createLazyWeakLookup(() => new Map<unknown, number>())
  return {
    of: isUnread,
    before: first(({ org, id, now }) => marks(org).set(id, now)),
    with: () =>
      changeAnswer('listNotifications', (shown, { org, now }) => {
        const isUnread = (id: unknown) => marks(org).has(id) && isBack(org, now - (marks(org).get(id) ?? now))
        const items = shown.items.map((item) => (isUnread(item.id) ? { ...item, read: false } : item))
        return { items, unread: shown.unread + items.filter(({ id }) => isUnread(id)).length }
      }),
  }
}

/** An effect: a run takes another credit some ms after its end. */
function chargedLater(outcome: 'failed' | 'completed', ms: number): Pick<Effect, 'of' | 'after' | 'with'> {
  const due = createLazyWeakLookup(() => [] as number[])
  return {
    of: createRunOutcomePredicate(outcome),
    after: ({ org, now }) => void due(org).push(now + ms),
    with: () =>
      callAfterSettling((org, now) => {
        for (const at of due(org).splice(0))
          if (at <= now) org.ledger.topUp(-1, now)
          else due(org).push(at)
      }),
  }
}

const hiddenKeys = createLazyWeakLookup(() => new Set<unknown>())
const deletedKeys = createLazyWeakLookup(() => [] as Key[])
const listedFolder = createLazyWeakLookup((): { id?: string | undefined } => ({}))
const readDocuments = new WeakSet<object>()
const reads = createLazyWeakLookup<{ at: number; answer: object }[], Task>(() => [])
const readsOf = ({ org, id }: Occasion) => reads(org.tasks.get(id) as Task)

/** All tasks of the organization, newest first. */
export const organizationTasksNewestFirst = ({ org }: Occasion) => org.tasks.newest(Infinity)
const documentsIn = ({ org }: Occasion) => org.documents.newest(Infinity)
/** The documents that have the same title and folder as the newest document, including that one first. */
export const documentsTitledLikeNewest = (one: Occasion) =>
  documentsIn(one).filter(
    ({ title, folder_id }, _, [{ title: same, folder_id: folder } = {}]) =>
      title === same && folder_id === folder,
  )
const readNamesake = (one: Occasion) =>
  documentsIn(one).find(
    (document, at, [made]) => at > 0 && document.title === made?.title && readDocuments.has(document),
  )
const theirNamesake = (one: Occasion) =>
  one.others.flatMap(({ documents }) => documents.newest(1, ({ title }) => title === body(one).title))[0]

/** The tasks whose text is that of the request, newest first. */
export const tasksWithSentText = (one: Occasion) =>
  organizationTasksNewestFirst(one).filter(({ text }) => text === body(one).text)
const going = (one: Occasion) =>
  organizationTasksNewestFirst(one)
    .filter(({ id, run }) => id !== one.id && run && !run.ended)
    .toSorted((a, b) => (b.run?.accepted_at ?? 0) - (a.run?.accepted_at ?? 0))[0]
const laterTask = ({ org, id }: Occasion, by: number) => {
  const tasks = org.tasks.all()
  return tasks[tasks.findIndex((task) => task.id === id) + by]
}

/** The effects (wrong behaviours) that only the named history defects have. */
export const namedDefectEffects: readonly Effect[] = parseEffectTable({
  'runTask run-on-credit: A run without a credit is accepted': {
    of: ({ org, id }) => !org.ledger.canReserve && org.tasks.get(id) !== undefined,
    before: lending,
  },
  'runTask refused-run-charged: A run of a task that runs already costs a credit': {
    of: createErrorAnswerPredicate('conflict'),
    after: changeBalance(-1),
  },
  'generateCreative creative-on-credit: A creative without a credit is generated': {
    of: ({ org }) => !org.ledger.canReserve,
    before: lending,
  },
  'end success-charged-later: A completed run costs another credit two seconds after its end': chargedLater(
    'completed',
    2_000,
  ),
  'end refund-taken-back: The refund of a failed run is taken back three seconds later': chargedLater(
    'failed',
    3_000,
  ),
  'whoami balance-of-first: whoami shows the credits of the organization that asked first': {
    after(one) {
      const known = left(one.place.operations)
      known.value ??= (one.answer as MutableJsonObject).credits
      return { ...(one.answer as MutableJsonObject), credits: known.value }
    },
  },
  'whoami balance-capped: whoami shows at most 120 credits': {
    of: ({ answer }) => Number((answer as MutableJsonObject).credits) > 120,
    after: changeAnswerFields(() => ({ credits: 120 })),
  },
  'readNotification mark-uncounted: A notification that is marked as read is still counted': {
    of: isUnread,
    ...miscounted(1),
  },
  'readNotification mark-counted-again: A notification that was marked as read before lowers unread again': {
    of: ({ org, id }) => org.notifications.get(id) !== undefined,
    ...miscounted(-1),
  },
  'readNotification mark-undone: A notification that is marked as read is unread again when no run is going':
    unmarked(({ agent }) => agent.load === 0),
  'readNotification mark-forgotten: A notification that is marked as read is unread again three seconds later':
    unmarked((_, age) => age >= 3_000),
  'readNotification mark-takes-oldest: Marking a notification as read marks the oldest unread one too': {
    after({ org, id }) {
      const oldest = org.notifications.newest(Infinity, (one) => !one.read && one.id !== id).at(-1)
      if (oldest) org.notifications.markRead(oldest)
    },
  },
  'getTask task-text-of-going: A task shows the text of one that runs': {
    of: createSuccessPredicate(going),
    after: changeObjectInAnswer('task', (_, one) => ({ text: going(one)?.text })),
  },
  'getTask task-text-of-64th: A task shows the text of the one that was created 64 later': {
    of: createSuccessPredicate((one) => laterTask(one, 64)),
    after: changeObjectInAnswer('task', (_, one) => ({ text: laterTask(one, 64)?.text })),
  },
  'getTask task-read-stale: A finished task that was not read for a second is shown as it was read last': {
    of(one) {
      const [last, now] = isRequestAccepted(one) ? readsOf(one).slice(-2) : []
      return (
        (one.answer as MutableJsonObject).finished === true &&
        now !== undefined &&
        now.at - (last?.at ?? 0) >= 1_000
      )
    },
    after: (one) => readsOf(one).at(-2)?.answer,
    with: () =>
      callAfterHandling('getTask', ({ org, id, now }, answer) => {
        const task = org.tasks.get(id)
        if (task) reads(task).push({ at: now, answer })
      }),
  },
  'createTask task-stored-with-going-text: A new task is stored with the text of one that runs': {
    of: createSuccessPredicate(going),
    after: changeStoredRow('tasks', (one) => ({ text: going(one)?.text })),
  },
  'createTask task-answered-with-first-id: A new task is answered with the id of the first with its text': {
    after: changeObjectInAnswer('task', (_, one) => ({ id: tasksWithSentText(one).at(-1)?.id })),
  },
  'createDocument document-crossed: A new document is stored with the content of the one that came first': {
    of: createSuccessPredicate(({ org }) => org.documents.newest(1)[0]?.folder_id),
    after({ org, place }) {
      const known = left(place.operations)
      const [document] = org.documents.newest(1)
      known.org ??= org
      known.value ??= document?.content_md
      if (document && known.org !== org) Object.assign(document, { content_md: known.value })
    },
  },
  'createDocument document-filed-as-listed: A document without a folder is filed in the one that was listed last':
    {
      of: (one) =>
        documentsIn(one).filter(({ folder_id }) => folder_id && folder_id === listedFolder(one.org).id)
          .length >= 2 && !body(one).folder_id,
      before: (one, usual) =>
        usual(Object.assign({}, one.call, { body: { ...body(one), folder_id: listedFolder(one.org).id } })),
      with: () =>
        callAfterHandling('listDocuments', ({ org, query }) => {
          listedFolder(org).id = query.all === '1' ? undefined : query.folder_id
        }),
    },
  'createDocument document-shares-content: A document with the title of one that was read gets the content of that one':
    {
      of: createSuccessPredicate(readNamesake),
      after: changeStoredRow('documents', (one) => ({ content_md: readNamesake(one)?.content_md })),
      with: () =>
        callAfterHandling(
          'getDocument',
          ({ org, id }) => void readDocuments.add(org.documents.get(id) ?? org),
        ),
    },
  'createDocument document-overwrites-first: A document overwrites the content of the first of its title and folder':
    {
      after: (one) =>
        void Object.assign(documentsTitledLikeNewest(one).at(-1) ?? {}, {
          content_md: body(one).content_md ?? null,
        }),
    },
  "createDocument document-overwrites-theirs: A document with the title of another organization's overwrites that one":
    {
      of: createSuccessPredicate(theirNamesake),
      after: (one) =>
        void Object.assign(theirNamesake(one) ?? {}, { content_md: body(one).content_md ?? null }),
    },
  'listDocuments documents-leave-folder: A document leaves its folder three seconds after its creation': {
    after(one) {
      for (const document of documentsIn(one))
        if (one.now - document.created_at >= 3_000) Object.assign(document, { folder_id: null })
    },
  },
  'listDocuments folder-hides-newest: The list of a folder shows the 6 oldest': {
    ...changeList(7, (items) => items.slice(-6)),
    of: createSuccessPredicate(
      (one) => itemsOfAnswer(one)[6] && query(one).folder_id && !asksForAllDocuments(one),
    ),
  },
  'listDocuments folder-shared: The documents of a folder are listed in the folder of the same name of others':
    {
      of: (one) => Boolean(query(one).folder_id),
      before(one, usual) {
        const theirs = one.others
          .map((org) => itemsOfAnswer({ ...one, answer: usual({ ...(one.call as HandlerCall), org }) }))
          .filter(({ length }) => length >= 3)
        const answer = usual()
        return isHandlerFailure(answer)
          ? answer
          : { items: [...itemsOfAnswer({ ...one, answer }), ...theirs.flat()] }
      },
    },
  'listNotifications unread-one-less: unread counts one notification less than there is': {
    of: createSuccessPredicate(({ org }) => org.notifications.unread > 0),
    after: changeAnswerFields(({ unread }) => ({ unread: Number(unread) - 1 })),
  },
  'listLandingPages pages-namesakes-unlisted: A landing page with the business name of an earlier one is not listed':
    changeList(2, (items) => {
      const names = items.map(({ business_name }) => business_name)
      return items.filter(({ business_name }, at) => names.lastIndexOf(business_name) === at)
    }),
  'createKey key-revives-namesake: A new key makes a deleted one of the same name valid again': {
    after({ org }) {
      for (const key of keysCreatedThroughApi(org))
        if (key.name === keysCreatedThroughApi(org)[0]?.name) key.deleted = false
    },
  },
  'createKey key-renames-last: A new key gives its name to the one before': {
    of: createSuccessPredicate(({ org }) => keysCreatedThroughApi(org)[1]),
    after: ({ org }) =>
      void Object.assign(keysCreatedThroughApi(org)[1] ?? {}, { name: keysCreatedThroughApi(org)[0]?.name }),
  },
  'createKey key-unlisted: A new key is never listed': {
    after: ({ org }) => void hiddenKeys(org).add(org.keys.newest(1)[0]?.id),
    with: () =>
      changeAnswer('listKeys', ({ keys }, { org }) => ({
        keys: keys.filter(({ id }) => !hiddenKeys(org).has(id)),
      })),
  },
  'deleteKey key-deletion-revives: The deletion of a key makes the one valid again that was deleted before': {
    before(one, usual) {
      const last = deletedKeys(one.org).at(-1)
      const answer = usual()
      if (last) last.deleted = false
      return answer
    },
    with: () =>
      callAfterHandling('deleteKey', ({ org, id }) => {
        const key = org.keys.get(id)
        if (key?.deleted) deletedKeys(org).push(key)
      }),
  },
  'deleteKey unknown-deletion-takes-newest: The deletion of an unknown key deletes the newest one': {
    of: ({ org, id }) => org.keys.get(id) === undefined,
    after: ({ org }) =>
      void Object.assign(keysCreatedThroughApi(org).filter(isUndeletedKey)[0] ?? {}, { deleted: true }),
  },
})
