/**
 * Effects of history defects, one for each way to break an operation: each changes what is answered on an occasion, which
 * is a handled request or the end of a run, and breaks a rule whenever it shows.
 */
import type { FailureName } from '#contract/errors.ts'
import { createFailure } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { HandlerCall } from '#mocks/handlers/views.ts'
import { parseTableKey } from '../mutations/mutation.ts'
import type { MutableJsonObject } from '../mutations/reply.ts'
import { replaceHandler } from '../mutations/rules.ts'
import { createErrorAnswerPredicate, createRunOutcomePredicate } from './conditions.ts'
import {
  type Effect,
  isRequestAccepted,
  isUndeletedKey,
  keysCreatedThroughApi,
  type Occasion,
  type OccasionKind,
} from './occasion.ts'

type Way = Omit<Effect, 'id' | 'says' | 'on'>

/** Parses a table of effects, whose keys give operation, id and title (`OPERATION id: What it does wrong`). */
export const parseEffectTable = (
  ways: Readonly<Record<`${OccasionKind} ${string}: ${string}`, Way>>,
): Effect[] =>
  Object.entries(ways).map(([name, way]) => {
    const { words, id, title } = parseTableKey(name)
    return { id, says: title, on: words[0] as OccasionKind, ...way }
  })

/** Creates a predicate that is true of occasions whose request was accepted and of which `is` is true as well. */
export const createSuccessPredicate = (is: (one: Occasion) => unknown) => (one: Occasion) =>
  isRequestAccepted(one) && Boolean(is(one))

const other = ({ others: [first] }: Occasion) => first
const canPay = (org: Organization | undefined) => (org?.ledger.balance ?? 0) >= 1

/**
 * Creates an effect (the wrong behaviour of a history defect) that changes the balance, so that something costs more or
 * less than its price.
 */
export const changeBalance =
  (amount: number, of: (one: Occasion) => Organization | undefined = ({ org }) => org) =>
  (one: Occasion) =>
    of(one)?.ledger.topUp(amount, one.now)

/** Takes a credit where there is one. */
const charged: Way = { of: createSuccessPredicate(({ org }) => canPay(org)), after: changeBalance(-1) }

/** Makes an effect that moves credits to an organization from another one, or the other way if `amount` is below 0. */
const moves = (amount: number) => (one: Occasion) => {
  changeBalance(amount)(one)
  changeBalance(-amount, other)(one)
}

/** Creates an effect that replaces fields of an answer. */
export const changeAnswerFields =
  (change: (answer: MutableJsonObject, one: Occasion) => MutableJsonObject | undefined) =>
  (one: Occasion) => ({
    ...(one.answer as MutableJsonObject),
    ...change(one.answer as MutableJsonObject, one),
  })

/** Creates an effect that replaces fields of an object in an answer, such as its `task`. */
export const changeObjectInAnswer = (
  name: string,
  change: (item: MutableJsonObject, one: Occasion) => MutableJsonObject,
) =>
  changeAnswerFields((answer, one) => ({
    [name]: { ...(answer[name] as MutableJsonObject), ...change(answer[name] as MutableJsonObject, one) },
  }))

/** The items of the list in the answer on an occasion; empty: it has no list. */
export const itemsOfAnswer = ({ answer }: Occasion, name = 'items') =>
  ((answer as MutableJsonObject)[name] ?? []) as MutableJsonObject[]

/** Creates an effect that changes the list in an answer, if it has at least `least` items. */
export const changeList = (
  least: number,
  change: (items: MutableJsonObject[]) => MutableJsonObject[],
  name = 'items',
) => ({
  of: createSuccessPredicate((one) => itemsOfAnswer(one, name).length >= least),
  after: changeAnswerFields((answer) => ({ [name]: change(answer[name] as MutableJsonObject[]) })),
})

/** The two newest tasks or documents, the newest first. */
const newestOf = ({ org }: Occasion, kind: 'tasks' | 'documents') =>
  org[kind].newest(2) as object[] as MutableJsonObject[]

/** Creates an effect that changes fields of the newest task or document after it was stored. */
export const changeStoredRow =
  (kind: 'tasks' | 'documents', change: (one: Occasion) => object) => (one: Occasion) =>
    void Object.assign(newestOf(one, kind)[0] ?? {}, change(one))

/** Makes an effect that deletes a key, or changes other fields of it. */
const changing =
  (keyOf: (org: Organization) => object | undefined, change: object = { deleted: true }) =>
  ({ org }: Occasion) =>
    void Object.assign(keyOf(org) ?? {}, change)

const atEnd = (outcome: 'failed' | 'completed', amount: number): Way => ({
  of: createRunOutcomePredicate(outcome),
  after: changeBalance(amount),
})

/** True if the task of an occasion may run now, and can be paid for. */
const runnable = ({ org, run, id }: Occasion) =>
  org.ledger.canReserve && org.tasks.get(id) !== undefined && (run === undefined || run.ended)

/** Refuses what would be accepted. */
const refused = (name: FailureName, of: (one: Occasion) => unknown): Way => ({
  of: (one) => Boolean(of(one)),
  before: () => createFailure(name),
})

/** True if the notification that the request names is unread. */
export const isUnread = ({ org, id }: Occasion) => org.notifications.get(id)?.read === false

function markAll(org: Organization | undefined): void {
  for (const one of org?.notifications.newest(Infinity) ?? []) org?.notifications.markRead(one)
}

const marking: Way = {
  of: createSuccessPredicate(({ org }) => org.notifications.unread > 0),
  after: ({ org }) => markAll(org),
}

/** Answers with a resource of another organization as if the caller owned it. */
const foreign = (kind: 'tasks' | 'documents'): Way => ({
  of: ({ org, others, id }) => !org[kind].get(id) && others.some((one) => one[kind].get(id)),
  before: ({ call, others, id }, usual) =>
    usual({ ...(call as HandlerCall), org: others.find((one) => one[kind].get(id)) as Organization }),
})

/** Stored resources, the member that each is answered as, and what it holds. */
const stored = [
  ['task', 'tasks', 'createTask', 'getTask', 'task', 'text', 'text'],
  ['document', 'documents', 'createDocument', 'getDocument', 'item', 'content_md', 'content'],
] as const

const ofStored = stored.flatMap(([noun, kind, create, get, name, holds, word]) => {
  const gone = new WeakSet<object>()
  return parseEffectTable({
    [`${create} ${noun}-stored-with-last-${word}: A new ${noun} is stored with the ${word} of the one before`]:
      {
        of: createSuccessPredicate((one) => {
          const [made, before] = newestOf(one, kind)
          return before && made?.[holds] !== before[holds]
        }),
        after: changeStoredRow(kind, (one) => ({ [holds]: newestOf(one, kind)[1]?.[holds] })),
      },
    [`${create} ${noun}-answered-with-last-id: A new ${noun} is answered with the id of the one before`]: {
      of: createSuccessPredicate((one) => newestOf(one, kind)[1]),
      after: changeObjectInAnswer(name, (_, one) => ({ id: newestOf(one, kind)[1]?.id })),
    },
    [`${create} ${create}-lost: A new ${noun} is not stored`]: {
      after: (one: Occasion) => void gone.add(newestOf(one, kind)[0] as object),
      with: () =>
        replaceHandler(get, (call: HandlerCall<typeof get>, usual) =>
          usual(gone.has(call.org[kind].get(call.id) ?? gone) ? { ...call, id: '' } : call),
        ),
    },
    [`${get} ${noun}-read-marks-all: Reading a ${noun} marks all notifications as read`]: marking,
    [`${get} ${get}-of-another: A ${noun} of another organization can be read`]: foreign(kind),
  })
})

const paid = [
  ['runTask', 'A run'],
  ['generateCreative', 'A creative'],
] as const

const prices = paid.flatMap(([on, what]) =>
  parseEffectTable({
    [`${on} ${on}-costs-two: ${what} costs two credits`]: charged,
    [`${on} ${on}-free: ${what} is free`]: { after: changeBalance(1) },
    [`${on} ${on}-paid-by-another: ${what} is paid for by another organization`]: {
      of: createSuccessPredicate((one) => canPay(other(one))),
      after: moves(1),
    },
    [`${on} ${on}-takes-from-another: ${what} takes a credit from another organization too`]: {
      of: createSuccessPredicate((one) => canPay(other(one))),
      after: changeBalance(-1, other),
    },
  }),
)

const free = [
  ['createTask', 'task'],
  ['createDocument', 'document'],
  ['createKey', 'key'],
] as const

const lists = [
  ['listTasks', 'tasks', 'tasks', 1, 'items'],
  ['listDocuments', 'documents', 'documents', 1, 'items'],
  ['listKeys', 'keys', 'keys', 2, 'keys'],
  ['listLandingPages', 'pages', 'landing pages', 1, 'items'],
] as const

/** Lists that lack their newest item, and lists that show it twice. */
const ofLists = [
  ...lists.flatMap(([on, id, noun, least, name]) => {
    const unlisted = changeList(least, (items) => items.slice(1), name)
    return parseEffectTable({
      [`${on} ${id}-newest-unlisted: The list of ${noun} leaves the newest one out`]: unlisted,
    })
  }),
  ...lists.slice(0, 2).flatMap(([on, noun]) => {
    const twice = changeList(1, (items) => [...items.slice(0, 1), ...items])
    return parseEffectTable({
      [`${on} ${noun}-newest-twice: The list of ${noun} shows the newest one twice`]: twice,
    })
  }),
]

/**
 * The effects that can be combined with any trigger into history defects, which do something wrong only after certain
 * earlier events.
 */
export const combinableEffects: readonly Effect[] = [
  ...prices,
  ...ofStored,
  ...free.flatMap(([on, noun]) =>
    parseEffectTable({ [`${on} ${noun}-creation-charged: A new ${noun} costs a credit`]: charged }),
  ),
  ...ofLists,
  ...parseEffectTable({
    'generateCreative creative-refused: A creative is refused with 402 although there are credits': refused(
      'no_credits',
      ({ org }) => org.ledger.canReserve,
    ),
    'generateCreative creative-failure-kept: The credit of a creative that fails is not given back': {
      of: (one) => createErrorAnswerPredicate('unavailable')(one) && canPay(one.org),
      after: changeBalance(-1),
    },
    'listTasks tasks-empty: The list of tasks is empty': changeList(1, () => []),
    'listTasks tasks-text-mixed: The list of tasks shows the newest one with the text of the one before': {
      ...changeList(2, ([first, second, ...items]) => [
        { ...first, text: second?.text },
        second as MutableJsonObject,
        ...items,
      ]),
      of: createSuccessPredicate(
        (one) => itemsOfAnswer(one)[1] && itemsOfAnswer(one)[0]?.text !== itemsOfAnswer(one)[1]?.text,
      ),
    },
    'listTasks tasks-credits: The list of tasks shows one credit more than there is': {
      after: changeAnswerFields(({ credits, remaining }) => ({ credits: Number(credits) + 1, remaining })),
    },
    'deleteKey key-deletion-marks-all: Deleting a key marks all notifications as read': marking,
    'deleteKey key-deletion-lost: The deletion of a key has no effect': {
      of: ({ org, id }) => org.keys.get(id)?.deleted === false,
      before: () => ({ ok: true }),
    },
    'deleteKey key-deletion-takes-newest: The deletion of a key deletes the newest one too': {
      of: createSuccessPredicate(({ org }) => keysCreatedThroughApi(org).some(isUndeletedKey)),
      after: changing((org) => keysCreatedThroughApi(org).find(isUndeletedKey)),
    },
    'runTask runTask-of-another: A task of another organization can be run': foreign('tasks'),
    'runTask run-refused: A run is refused with 402 although there are credits': refused(
      'no_credits',
      runnable,
    ),
    'runTask run-not-found: A run is refused with 404': refused('not_found', runnable),
    'runTask run-never-starts: A run is accepted and never starts': {
      of: runnable,
      before({ org: { agent } }, usual) {
        const { accept } = agent
        agent.accept = () => undefined
        try {
          return usual()
        } finally {
          agent.accept = accept
        }
      },
    },
    'end refund-lost: The credit of a failed run is not given back': atEnd('failed', -1),
    'end refund-twice: The credit of a failed run is given back twice': atEnd('failed', 1),
    'end refund-elsewhere: The credit of a failed run goes to another organization': {
      of: (one) => createRunOutcomePredicate('failed')(one) && other(one) !== undefined,
      after: moves(-1),
    },
    'end success-refunded: The credit of a completed run is given back': atEnd('completed', 1),
    'end success-costs-two: A completed run costs another credit at its end': {
      of: (one) => createRunOutcomePredicate('completed')(one) && canPay(one.org),
      after: changeBalance(-1),
    },
    'getTask task-text-of-newest: A task shows the text of the newest one': {
      of: createSuccessPredicate(
        (one) => newestOf(one, 'tasks')[0]?.text !== one.org.tasks.get(one.id)?.text,
      ),
      after: changeObjectInAnswer('task', (_, one) => ({ text: newestOf(one, 'tasks')[0]?.text })),
    },
    'getTask task-text-cut: The text of a task is cut': {
      after: changeObjectInAnswer('task', ({ text }) => ({ text: String(text).slice(0, 5) })),
    },
    'getTask task-unfinished: A task is answered unfinished after its run has ended': {
      of: createSuccessPredicate(({ answer }) => (answer as MutableJsonObject).finished === true),
      after: changeAnswerFields(() => ({ finished: false })),
    },
    'getTask task-finished-early: A task that never ran is answered finished': {
      of: createSuccessPredicate(({ run }) => run === undefined),
      after: changeAnswerFields(() => ({ finished: true })),
    },
    'getTask task-missing: A task is not found': refused('not_found', ({ org, id }) => org.tasks.get(id)),
    'createDocument document-stored-empty: A new document is stored without its content': {
      of: createSuccessPredicate((one) => newestOf(one, 'documents')[0]?.content_md),
      after: changeStoredRow('documents', () => ({ content_md: null })),
    },
    'createDocument document-filed-nowhere: A new document is not filed in its folder': {
      of: createSuccessPredicate((one) => newestOf(one, 'documents')[0]?.folder_id),
      after: changeStoredRow('documents', () => ({ folder_id: null })),
    },
    'getDocument document-read-empty: A document is answered without its content': {
      of: createSuccessPredicate(({ org, id }) => org.documents.get(id)?.content_md),
      after: changeObjectInAnswer('item', () => ({ content_md: null })),
    },
    'getDocument document-read-as-newest: The newest document is answered in place of another one': {
      of: (one) => {
        return one.org.documents.get(one.id) !== undefined && newestOf(one, 'documents')[0]?.id !== one.id
      },
      before: (one, usual) =>
        usual({ ...(one.call as HandlerCall), id: String(newestOf(one, 'documents')[0]?.id ?? '') }),
    },
    'createKey key-shares-secret: A new key has the secret of the one before': {
      of: createSuccessPredicate(({ org }) => keysCreatedThroughApi(org)[1]),
      after: changeAnswerFields((_, { org }) => ({ secret: keysCreatedThroughApi(org)[1]?.secret })),
    },
    'createKey key-dead-from-start: A new key is not accepted': {
      after: changing((org) => keysCreatedThroughApi(org)[0]),
    },
    'createKey key-replaces-oldest: A new key makes the oldest created one invalid': {
      of: createSuccessPredicate(({ org }) => keysCreatedThroughApi(org).filter(isUndeletedKey)[1]),
      after: changing((org) => keysCreatedThroughApi(org).findLast(isUndeletedKey)),
    },
    'whoami balance-one-more: whoami shows one credit more than there is': {
      after: changeAnswerFields(({ credits }) => ({ credits: Number(credits) + 1 })),
    },
    'whoami balance-of-another: whoami shows the credits of another organization': {
      of: createSuccessPredicate(
        (one) => other(one) && other(one)?.ledger.balance !== one.org.ledger.balance,
      ),
      after: changeAnswerFields((_, one) => ({ credits: other(one)?.ledger.balance })),
    },
    'readNotification mark-ignored: A notification that is marked as read stays unread': {
      of: isUnread,
      before: () => ({ ok: true }),
    },
    'readNotification mark-marks-all: Marking a notification as read marks all of them': marking,
    "readNotification mark-marks-elsewhere: Marking a notification as read marks another organization's": {
      of: createSuccessPredicate((one) => (other(one)?.notifications.unread ?? 0) > 0),
      after: (one) => markAll(other(one)),
    },
    'listNotifications unread-one-more: unread counts one notification more than there is': {
      after: changeAnswerFields(({ unread }) => ({ unread: Number(unread) + 1 })),
    },
    'listNotifications notifications-all-read: The list of notifications marks all of them as read': marking,
  }),
]

/** Finds the effect with an id. @throws Error if there is none. */
export function effectById(id: string): Effect {
  const effect = combinableEffects.find((one) => one.id === id)
  if (effect) return effect
  throw new Error(`there is no effect ${id}`)
}
