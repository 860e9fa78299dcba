/** What history defects do wrong, one effect for each way to break an operation. Each breaks a rule whenever it shows. */
import { fail } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Call } from '#mocks/handlers/views.ts'
import type { Fields } from '../mutations/reply.ts'
import { handle } from '../mutations/rules.ts'
import { isLiving, made } from './memory.ts'
import { type Deed, type Effect, isFailure, isTaken, type Occasion } from './occasion.ts'

/** Changes the balance: what costs more or less than its price. */
export const credit =
  (amount: number, of: (one: Occasion) => Organization | undefined = ({ org }) => org) =>
  (one: Occasion) =>
    of(one)?.ledger.topUp(amount, one.now)

const other = ({ others: [first] }: Occasion) => first
const hasOther = (one: Occasion) => one.others.length > 0

/** The answer with other fields. */
export const answering =
  (change: (answer: Fields, one: Occasion) => Fields | undefined) => (one: Occasion) => ({
    ...(one.answer as Fields),
    ...change(one.answer as Fields, one),
  })

/** The member of an answer with other fields. */
export const member = (name: string, change: (item: Fields, one: Occasion) => Fields) =>
  answering((answer, one) => ({
    [name]: { ...(answer[name] as Fields), ...change(answer[name] as Fields, one) },
  }))

/** The list of an answer changed. */
export const listed = (change: (items: Fields[]) => Fields[], name = 'items') =>
  answering((answer) => ({ [name]: change(answer[name] as Fields[]) }))

export const itemsIn = ({ answer }: Occasion, name = 'items') => ((answer as Fields)[name] ?? []) as Fields[]
export const lists = (least: number, name?: string) => (one: Occasion) =>
  isTaken(one) && itemsIn(one, name).length >= least

/** What failed or completed, at the end of a run. */
const ended =
  (outcome: string) =>
  ({ run }: Occasion) =>
    run?.outcome === outcome
/** A task that may run now, and can be paid for. */
const runnable = ({ org, run, id }: Occasion) =>
  org.ledger.solvent && org.tasks.get(id) !== undefined && (run === undefined || run.ended)

export const newest = <Row extends { id: string }>(rows: { newest(most: number): Row[] }) => rows.newest(1)[0]
const before = <Row extends { id: string }>(rows: { newest(most: number): Row[] }) => rows.newest(2)[1]
/** Whether there was something of the kind before what was just made. */
const hasBefore = (name: 'tasks' | 'documents') => (one: Occasion) =>
  isTaken(one) && before<{ id: string }>(one.org[name]) !== undefined

/** Things that are not found again. */
function lost(
  operation: 'getTask' | 'getDocument',
  name: 'tasks' | 'documents',
  on: 'createTask' | 'createDocument',
  says: string,
): Effect {
  const gone = new WeakSet<object>()
  return {
    id: `${on}-lost`,
    says,
    on,
    after: ({ org }) => void gone.add(newest<{ id: string }>(org[name]) as object),
    with: () =>
      handle(operation, (call, usual) =>
        usual(gone.has(call.org[name].get(call.id) ?? gone) ? { ...call, id: '' } : call),
      ),
  }
}

/** Of something of another organization, answered as if there were no owner. */
const foreign = (
  on: 'getTask' | 'getDocument' | 'runTask',
  name: 'tasks' | 'documents',
  says: string,
): Effect => ({
  id: `${on}-of-another`,
  says,
  on,
  of: ({ org, others, id }) => !org[name].get(id) && others.some((one) => one[name].get(id)),
  before: ({ call, others, id }, usual) =>
    usual({ ...(call as Call), org: others.find((one) => one[name].get(id)) as Organization }),
})

const price = (on: 'runTask' | 'generateCreative', what: string): Effect[] => [
  {
    id: `${on}-costs-two`,
    says: `${what} costs two credits`,
    on,
    of: (one) => isTaken(one) && one.org.ledger.balance >= 1,
    after: credit(-1),
  },
  { id: `${on}-free`, says: `${what} is free`, on, after: credit(1) },
  {
    id: `${on}-paid-by-another`,
    says: `${what} is paid for by another organization`,
    on,
    of: (one) => isTaken(one) && (other(one)?.ledger.balance ?? 0) >= 1,
    after(one) {
      credit(1)(one)
      credit(-1, other)(one)
    },
  },
  {
    id: `${on}-takes-from-another`,
    says: `${what} takes a credit from another organization too`,
    on,
    of: (one) => isTaken(one) && (other(one)?.ledger.balance ?? 0) >= 1,
    after: credit(-1, other),
  },
]

/** Effects on a deed, by `id: What it does wrong`. */
export const effectsOf = (
  on: Deed,
  rows: Readonly<Record<string, Omit<Effect, 'id' | 'says' | 'on'>>>,
): Effect[] =>
  Object.entries(rows).map(([named, effect]) => {
    const [id = '', says = ''] = named.split(': ')
    return { id, says, on, ...effect }
  })

export const effects: readonly Effect[] = [
  ...effectsOf('generateCreative', {
    'creative-refused: A creative is refused with 402 although there are credits': {
      of: ({ org }) => org.ledger.solvent,
      before: () => fail('no_credits'),
    },
    'creative-failure-kept: The credit of a creative that fails is not given back': {
      of: ({ answer, org }) => isFailure(answer) && answer.name === 'unavailable' && org.ledger.balance >= 1,
      after: credit(-1),
    },
  }),
  ...effectsOf('listTasks', {
    'tasks-empty: The list of tasks is empty': { of: lists(1), after: listed(() => []) },
    'tasks-newest-unlisted: The list of tasks leaves the newest one out': {
      of: lists(1),
      after: listed((items) => items.slice(1)),
    },
    'tasks-newest-twice: The list of tasks shows the newest one twice': {
      of: lists(1),
      after: listed((items) => [...items.slice(0, 1), ...items]),
    },
    'tasks-text-mixed: The list of tasks shows the newest one with the text of the one before': {
      of: (one) => lists(2)(one) && itemsIn(one)[0]?.text !== itemsIn(one)[1]?.text,
      after: listed(([first, second, ...items]) => [
        { ...first, text: second?.text },
        second as Fields,
        ...items,
      ]),
    },
    'tasks-credits: The list of tasks shows one credit more than there is': {
      after: answering(({ credits, remaining }) => ({ credits: Number(credits) + 1, remaining })),
    },
  }),
  ...effectsOf('deleteKey', {
    'key-deletion-marks-all: Deleting a key marks all notifications as read': {
      of: (one) => isTaken(one) && one.org.notifications.unread > 0,
      after: ({ org }) => markAll(org),
    },
    'key-deletion-lost: The deletion of a key has no effect': {
      of: ({ org, id }) => org.keys.get(id)?.deleted === false,
      before: () => ({ ok: true }),
    },
    'key-deletion-takes-newest: The deletion of a key deletes the newest one too': {
      of: (one) => isTaken(one) && made(one.org).some(isLiving),
      after: ({ org }) => void Object.assign(made(org).filter(isLiving)[0] ?? {}, { deleted: true }),
    },
  }),
  ...effectsOf('runTask', {
    'run-refused: A run is refused with 402 although there are credits': {
      of: runnable,
      before: () => fail('no_credits'),
    },
    'run-not-found: A run is refused with 404': { of: runnable, before: () => fail('not_found') },
    'run-never-starts: A run is accepted and never starts': {
      of: runnable,
      before({ call, org }, usual) {
        const { agent } = org
        const accept = agent.accept
        agent.accept = () => undefined
        try {
          return usual(call as Call)
        } finally {
          agent.accept = accept
        }
      },
    },
  }),
  ...effectsOf('end', {
    'refund-lost: The credit of a failed run is not given back': { of: ended('failed'), after: credit(-1) },
    'refund-twice: The credit of a failed run is given back twice': { of: ended('failed'), after: credit(1) },
    'refund-elsewhere: The credit of a failed run goes to another organization': {
      of: (one) => ended('failed')(one) && hasOther(one),
      after(one) {
        credit(-1)(one)
        credit(1, other)(one)
      },
    },
    'success-refunded: The credit of a completed run is given back': {
      of: ended('completed'),
      after: credit(1),
    },
    'success-costs-two: A completed run costs another credit at its end': {
      of: (one) => ended('completed')(one) && one.org.ledger.balance >= 1,
      after: credit(-1),
    },
  }),
  ...effectsOf('getTask', {
    'task-text-of-newest: A task shows the text of the newest one': {
      of: (one) => isTaken(one) && newest(one.org.tasks)?.text !== one.org.tasks.get(one.id)?.text,
      after: member('task', (_, { org }) => ({ text: newest(org.tasks)?.text })),
    },
    'task-text-cut: The text of a task is cut': {
      after: member('task', ({ text }) => ({ text: String(text).slice(0, 5) })),
    },
    'task-unfinished: A task is answered unfinished after its run has ended': {
      of: (one) => isTaken(one) && (one.answer as Fields).finished === true,
      after: answering(() => ({ finished: false })),
    },
    'task-finished-early: A task that never ran is answered finished': {
      of: (one) => isTaken(one) && one.run === undefined,
      after: answering(() => ({ finished: true })),
    },
    'task-missing: A task is not found': {
      of: ({ org, id }) => org.tasks.get(id) !== undefined,
      before: () => fail('not_found'),
    },
    'task-read-marks-all: Reading a task marks all notifications as read': {
      of: (one) => isTaken(one) && one.org.notifications.unread > 0,
      after: ({ org }) => void markAll(org),
    },
  }),
  ...effectsOf('createTask', {
    'task-stored-with-last-text: A new task is stored with the text of the one before': {
      of: (one) => hasBefore('tasks')(one) && newest(one.org.tasks)?.text !== before(one.org.tasks)?.text,
      after: ({ org }) => void Object.assign(newest(org.tasks) ?? {}, { text: before(org.tasks)?.text }),
    },
    'task-answered-with-last-id: A new task is answered with the id of the one before': {
      of: hasBefore('tasks'),
      after: member('task', (_, { org }) => ({ id: before(org.tasks)?.id })),
    },
    'task-creation-charged: A new task costs a credit': {
      of: (one) => isTaken(one) && one.org.ledger.balance >= 1,
      after: credit(-1),
    },
  }),
  ...effectsOf('createDocument', {
    'document-stored-empty: A new document is stored without its content': {
      of: (one) => isTaken(one) && Boolean(newest(one.org.documents)?.content_md),
      after: ({ org }) => void Object.assign(newest(org.documents) ?? {}, { content_md: null }),
    },
    'document-stored-with-last-content: A new document is stored with the content of the one before': {
      of: (one) =>
        hasBefore('documents')(one) &&
        newest(one.org.documents)?.content_md !== before(one.org.documents)?.content_md,
      after: ({ org }) =>
        void Object.assign(newest(org.documents) ?? {}, { content_md: before(org.documents)?.content_md }),
    },
    'document-answered-with-last-id: A new document is answered with the id of the one before': {
      of: hasBefore('documents'),
      after: member('item', (_, { org }) => ({ id: before(org.documents)?.id })),
    },
    'document-filed-nowhere: A new document is not filed in its folder': {
      of: (one) => isTaken(one) && Boolean(newest(one.org.documents)?.folder_id),
      after: ({ org }) => void Object.assign(newest(org.documents) ?? {}, { folder_id: null }),
    },
    'document-creation-charged: A new document costs a credit': {
      of: (one) => isTaken(one) && one.org.ledger.balance >= 1,
      after: credit(-1),
    },
  }),
  ...effectsOf('getDocument', {
    'document-read-empty: A document is answered without its content': {
      of: (one) => isTaken(one) && Boolean(one.org.documents.get(one.id)?.content_md),
      after: member('item', () => ({ content_md: null })),
    },
    'document-read-as-newest: The newest document is answered in place of another one': {
      of: ({ org, id }) => org.documents.get(id) !== undefined && newest(org.documents)?.id !== id,
      before: ({ call, org }, usual) => usual({ ...(call as Call), id: newest(org.documents)?.id ?? '' }),
    },
    'document-read-marks-all: Reading a document marks all notifications as read': {
      of: (one) => isTaken(one) && one.org.notifications.unread > 0,
      after: ({ org }) => void markAll(org),
    },
  }),
  ...effectsOf('listDocuments', {
    'documents-newest-unlisted: The list of documents leaves the newest one out': {
      of: lists(1),
      after: listed((items) => items.slice(1)),
    },
    'documents-newest-twice: The list of documents shows the newest one twice': {
      of: lists(1),
      after: listed((items) => [...items.slice(0, 1), ...items]),
    },
  }),
  ...effectsOf('createKey', {
    'key-shares-secret: A new key has the secret of the one before': {
      of: (one) => isTaken(one) && made(one.org).length >= 2,
      after: answering((_, { org }) => ({ secret: made(org)[1]?.secret })),
    },
    'key-dead-from-start: A new key is not accepted': {
      after: ({ org }) => void Object.assign(made(org)[0] ?? {}, { deleted: true }),
    },
    'key-replaces-oldest: A new key makes the oldest created one invalid': {
      of: (one) => isTaken(one) && made(one.org).filter(isLiving).length >= 2,
      after: ({ org }) => void Object.assign(made(org).filter(isLiving).at(-1) ?? {}, { deleted: true }),
    },
    'key-creation-charged: A new key costs a credit': {
      of: (one) => isTaken(one) && one.org.ledger.balance >= 1,
      after: credit(-1),
    },
  }),
  ...effectsOf('listKeys', {
    'keys-newest-unlisted: The list of keys leaves the newest one out': {
      of: lists(2, 'keys'),
      after: listed((items) => items.slice(1), 'keys'),
    },
  }),
  ...effectsOf('whoami', {
    'balance-one-more: whoami shows one credit more than there is': {
      after: answering(({ credits }) => ({ credits: Number(credits) + 1 })),
    },
    'balance-of-another: whoami shows the credits of another organization': {
      of: (one) => isTaken(one) && hasOther(one) && other(one)?.ledger.balance !== one.org.ledger.balance,
      after: answering((_, one) => ({ credits: other(one)?.ledger.balance })),
    },
  }),
  ...effectsOf('readNotification', {
    'mark-ignored: A notification that is marked as read stays unread': {
      of: ({ org, id }) => org.notifications.get(id)?.read === false,
      before: () => ({ ok: true }),
    },
    'mark-marks-all: Marking a notification as read marks all of them': {
      of: (one) => isTaken(one) && one.org.notifications.unread > 0,
      after: ({ org }) => void markAll(org),
    },
    "mark-marks-elsewhere: Marking a notification as read marks another organization's": {
      of: (one) => isTaken(one) && (other(one)?.notifications.unread ?? 0) > 0,
      after: (one) => void markAll(other(one)),
    },
  }),
  ...effectsOf('listNotifications', {
    'unread-one-more: unread counts one notification more than there is': {
      after: answering(({ unread }) => ({ unread: Number(unread) + 1 })),
    },
    'notifications-all-read: The list of notifications marks all of them as read': {
      of: (one) => isTaken(one) && one.org.notifications.unread > 0,
      after: ({ org }) => void markAll(org),
    },
  }),
  ...price('runTask', 'A run'),
  ...price('generateCreative', 'A creative'),
  foreign('getTask', 'tasks', 'A task of another organization can be read'),
  foreign('getDocument', 'documents', 'A document of another organization can be read'),
  foreign('runTask', 'tasks', 'A task of another organization can be run'),
  lost('getTask', 'tasks', 'createTask', 'A new task is not stored'),
  lost('getDocument', 'documents', 'createDocument', 'A new document is not stored'),
  {
    id: 'pages-newest-unlisted',
    says: 'The list of landing pages leaves the newest one out',
    on: 'listLandingPages',
    of: lists(1),
    after: listed((items) => items.slice(1)),
  },
]

function markAll(org: Organization | undefined): void {
  for (const one of org?.notifications.newest(Infinity) ?? []) org?.notifications.markRead(one)
}
