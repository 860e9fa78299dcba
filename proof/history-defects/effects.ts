/** What history defects do wrong, one effect for each way to break an operation. Each breaks a rule whenever it shows. */
import { fail } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Call } from '#mocks/handlers/handler.ts'
import type { Fields } from '../mutations/reply.ts'
import { handle } from '../mutations/rules.ts'
import { isLiving, made } from './memory.ts'
import { type Effect, isFailure, isTaken, type Occasion } from './occasion.ts'

/** Changes the balance: what costs more or less than its price. */
const credit =
  (amount: number, of: (one: Occasion) => Organization | undefined = ({ org }) => org) =>
  (one: Occasion) =>
    of(one)?.ledger.topUp(amount, one.now)

const other = ({ others: [first] }: Occasion) => first
const hasOther = (one: Occasion) => one.others.length > 0

/** The answer with other fields. */
const answering = (change: (answer: Fields, one: Occasion) => Fields | undefined) => (one: Occasion) => ({
  ...(one.answer as Fields),
  ...change(one.answer as Fields, one),
})

/** The member of an answer with other fields. */
const member = (name: string, change: (item: Fields, one: Occasion) => Fields) =>
  answering((answer, one) => ({
    [name]: { ...(answer[name] as Fields), ...change(answer[name] as Fields, one) },
  }))

/** The list of an answer changed. */
const listed = (change: (items: Fields[]) => Fields[], name = 'items') =>
  answering((answer) => ({ [name]: change(answer[name] as Fields[]) }))

const itemsIn = ({ answer }: Occasion, name = 'items') => ((answer as Fields)[name] ?? []) as Fields[]
const lists = (least: number, name?: string) => (one: Occasion) =>
  isTaken(one) && itemsIn(one, name).length >= least

/** What failed or completed, at the end of a run. */
const ended =
  (outcome: string) =>
  ({ run }: Occasion) =>
    run?.outcome === outcome
/** A task that may run now, and can be paid for. */
const runnable = ({ org, run, id }: Occasion) =>
  org.ledger.solvent && org.tasks.get(id) !== undefined && (run === undefined || run.ended)

const newest = <Row extends { id: string }>(rows: { newest(most: number): Row[] }) => rows.newest(1)[0]
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

export const effects: readonly Effect[] = [
  {
    id: 'creative-failure-kept',
    says: 'The credit of a creative that fails is not given back',
    on: 'generateCreative',
    of: ({ answer, org }) => isFailure(answer) && answer.name === 'unavailable' && org.ledger.balance >= 1,
    after: credit(-1),
  },
  {
    id: 'tasks-empty',
    says: 'The list of tasks is empty',
    on: 'listTasks',
    of: lists(1),
    after: listed(() => []),
  },
  {
    id: 'key-deletion-marks-all',
    says: 'Deleting a key marks all notifications as read',
    on: 'deleteKey',
    of: (one) => isTaken(one) && one.org.notifications.unread > 0,
    after: ({ org }) => markAll(org),
  },
  ...price('runTask', 'A run'),
  ...price('generateCreative', 'A creative'),
  {
    id: 'run-refused',
    says: 'A run is refused with 402 although there are credits',
    on: 'runTask',
    of: runnable,
    before: () => fail('no_credits'),
  },
  {
    id: 'run-not-found',
    says: 'A run is refused with 404',
    on: 'runTask',
    of: runnable,
    before: () => fail('not_found'),
  },
  {
    id: 'run-never-starts',
    says: 'A run is accepted and never starts',
    on: 'runTask',
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
  {
    id: 'creative-refused',
    says: 'A creative is refused with 402 although there are credits',
    on: 'generateCreative',
    of: ({ org }) => org.ledger.solvent,
    before: () => fail('no_credits'),
  },
  {
    id: 'refund-lost',
    says: 'The credit of a failed run is not given back',
    on: 'end',
    of: ended('failed'),
    after: credit(-1),
  },
  {
    id: 'refund-twice',
    says: 'The credit of a failed run is given back twice',
    on: 'end',
    of: ended('failed'),
    after: credit(1),
  },
  {
    id: 'refund-elsewhere',
    says: 'The credit of a failed run goes to another organization',
    on: 'end',
    of: (one) => ended('failed')(one) && hasOther(one),
    after(one) {
      credit(-1)(one)
      credit(1, other)(one)
    },
  },
  {
    id: 'success-refunded',
    says: 'The credit of a completed run is given back',
    on: 'end',
    of: ended('completed'),
    after: credit(1),
  },
  {
    id: 'success-costs-two',
    says: 'A completed run costs another credit at its end',
    on: 'end',
    of: (one) => ended('completed')(one) && one.org.ledger.balance >= 1,
    after: credit(-1),
  },
  {
    id: 'task-text-of-newest',
    says: 'A task shows the text of the newest one',
    on: 'getTask',
    of: (one) => isTaken(one) && newest(one.org.tasks)?.text !== one.org.tasks.get(one.id)?.text,
    after: member('task', (_, { org }) => ({ text: newest(org.tasks)?.text })),
  },
  {
    id: 'task-text-cut',
    says: 'The text of a task is cut',
    on: 'getTask',
    after: member('task', ({ text }) => ({ text: String(text).slice(0, 5) })),
  },
  {
    id: 'task-unfinished',
    says: 'A task is answered unfinished after its run has ended',
    on: 'getTask',
    of: (one) => isTaken(one) && (one.answer as Fields).finished === true,
    after: answering(() => ({ finished: false })),
  },
  {
    id: 'task-finished-early',
    says: 'A task that never ran is answered finished',
    on: 'getTask',
    of: (one) => isTaken(one) && one.run === undefined,
    after: answering(() => ({ finished: true })),
  },
  {
    id: 'task-missing',
    says: 'A task is not found',
    on: 'getTask',
    of: ({ org, id }) => org.tasks.get(id) !== undefined,
    before: () => fail('not_found'),
  },
  foreign('getTask', 'tasks', 'A task of another organization can be read'),
  foreign('getDocument', 'documents', 'A document of another organization can be read'),
  foreign('runTask', 'tasks', 'A task of another organization can be run'),
  {
    id: 'tasks-newest-unlisted',
    says: 'The list of tasks leaves the newest one out',
    on: 'listTasks',
    of: lists(1),
    after: listed((items) => items.slice(1)),
  },
  {
    id: 'tasks-newest-twice',
    says: 'The list of tasks shows the newest one twice',
    on: 'listTasks',
    of: lists(1),
    after: listed((items) => [...items.slice(0, 1), ...items]),
  },
  {
    id: 'tasks-text-mixed',
    says: 'The list of tasks shows the newest one with the text of the one before',
    on: 'listTasks',
    of: (one) => lists(2)(one) && itemsIn(one)[0]?.text !== itemsIn(one)[1]?.text,
    after: listed(([first, second, ...items]) => [
      { ...first, text: second?.text },
      second as Fields,
      ...items,
    ]),
  },
  {
    id: 'tasks-credits',
    says: 'The list of tasks shows one credit more than there is',
    on: 'listTasks',
    after: answering(({ credits, remaining }) => ({ credits: Number(credits) + 1, remaining })),
  },
  {
    id: 'task-stored-with-last-text',
    says: 'A new task is stored with the text of the one before',
    on: 'createTask',
    of: (one) => hasBefore('tasks')(one) && newest(one.org.tasks)?.text !== before(one.org.tasks)?.text,
    after: ({ org }) => void Object.assign(newest(org.tasks) ?? {}, { text: before(org.tasks)?.text }),
  },
  {
    id: 'task-answered-with-last-id',
    says: 'A new task is answered with the id of the one before',
    on: 'createTask',
    of: hasBefore('tasks'),
    after: member('task', (_, { org }) => ({ id: before(org.tasks)?.id })),
  },
  lost('getTask', 'tasks', 'createTask', 'A new task is not stored'),
  lost('getDocument', 'documents', 'createDocument', 'A new document is not stored'),
  {
    id: 'document-stored-empty',
    says: 'A new document is stored without its content',
    on: 'createDocument',
    of: (one) => isTaken(one) && Boolean(newest(one.org.documents)?.content_md),
    after: ({ org }) => void Object.assign(newest(org.documents) ?? {}, { content_md: null }),
  },
  {
    id: 'document-stored-with-last-content',
    says: 'A new document is stored with the content of the one before',
    on: 'createDocument',
    of: (one) =>
      hasBefore('documents')(one) &&
      newest(one.org.documents)?.content_md !== before(one.org.documents)?.content_md,
    after: ({ org }) =>
      void Object.assign(newest(org.documents) ?? {}, { content_md: before(org.documents)?.content_md }),
  },
  {
    id: 'document-answered-with-last-id',
    says: 'A new document is answered with the id of the one before',
    on: 'createDocument',
    of: hasBefore('documents'),
    after: member('item', (_, { org }) => ({ id: before(org.documents)?.id })),
  },
  {
    id: 'document-filed-nowhere',
    says: 'A new document is not filed in its folder',
    on: 'createDocument',
    of: (one) => isTaken(one) && Boolean(newest(one.org.documents)?.folder_id),
    after: ({ org }) => void Object.assign(newest(org.documents) ?? {}, { folder_id: null }),
  },
  {
    id: 'document-read-empty',
    says: 'A document is answered without its content',
    on: 'getDocument',
    of: (one) => isTaken(one) && Boolean(one.org.documents.get(one.id)?.content_md),
    after: member('item', () => ({ content_md: null })),
  },
  {
    id: 'document-read-as-newest',
    says: 'The newest document is answered in place of another one',
    on: 'getDocument',
    of: ({ org, id }) => org.documents.get(id) !== undefined && newest(org.documents)?.id !== id,
    before: ({ call, org }, usual) => usual({ ...(call as Call), id: newest(org.documents)?.id ?? '' }),
  },
  {
    id: 'documents-newest-unlisted',
    says: 'The list of documents leaves the newest one out',
    on: 'listDocuments',
    of: lists(1),
    after: listed((items) => items.slice(1)),
  },
  {
    id: 'documents-newest-twice',
    says: 'The list of documents shows the newest one twice',
    on: 'listDocuments',
    of: lists(1),
    after: listed((items) => [...items.slice(0, 1), ...items]),
  },
  {
    id: 'key-shares-secret',
    says: 'A new key has the secret of the one before',
    on: 'createKey',
    of: (one) => isTaken(one) && made(one.org).length >= 2,
    after: answering((_, { org }) => ({ secret: made(org)[1]?.secret })),
  },
  {
    id: 'key-dead-from-start',
    says: 'A new key is not accepted',
    on: 'createKey',
    after: ({ org }) => void Object.assign(made(org)[0] ?? {}, { deleted: true }),
  },
  {
    id: 'key-replaces-oldest',
    says: 'A new key makes the oldest created one invalid',
    on: 'createKey',
    of: (one) => isTaken(one) && made(one.org).filter(isLiving).length >= 2,
    after: ({ org }) => void Object.assign(made(org).filter(isLiving).at(-1) ?? {}, { deleted: true }),
  },
  {
    id: 'key-deletion-lost',
    says: 'The deletion of a key has no effect',
    on: 'deleteKey',
    of: ({ org, id }) => org.keys.get(id)?.deleted === false,
    before: () => ({ ok: true }),
  },
  {
    id: 'key-deletion-takes-newest',
    says: 'The deletion of a key deletes the newest one too',
    on: 'deleteKey',
    of: (one) => isTaken(one) && made(one.org).some(isLiving),
    after: ({ org }) => void Object.assign(made(org).filter(isLiving)[0] ?? {}, { deleted: true }),
  },
  {
    id: 'keys-newest-unlisted',
    says: 'The list of keys leaves the newest one out',
    on: 'listKeys',
    of: lists(2, 'keys'),
    after: listed((items) => items.slice(1), 'keys'),
  },
  {
    id: 'balance-one-more',
    says: 'whoami shows one credit more than there is',
    on: 'whoami',
    after: answering(({ credits }) => ({ credits: Number(credits) + 1 })),
  },
  {
    id: 'balance-of-another',
    says: 'whoami shows the credits of another organization',
    on: 'whoami',
    of: (one) => isTaken(one) && hasOther(one) && other(one)?.ledger.balance !== one.org.ledger.balance,
    after: answering((_, one) => ({ credits: other(one)?.ledger.balance })),
  },
  {
    id: 'mark-ignored',
    says: 'A notification that is marked as read stays unread',
    on: 'readNotification',
    of: ({ org, id }) => org.notifications.get(id)?.read === false,
    before: () => ({ ok: true }),
  },
  {
    id: 'mark-marks-all',
    says: 'Marking a notification as read marks all of them',
    on: 'readNotification',
    of: (one) => isTaken(one) && one.org.notifications.unread > 0,
    after: ({ org }) => void markAll(org),
  },
  {
    id: 'mark-marks-elsewhere',
    says: "Marking a notification as read marks another organization's",
    on: 'readNotification',
    of: (one) => isTaken(one) && (other(one)?.notifications.unread ?? 0) > 0,
    after: (one) => void markAll(other(one)),
  },
  {
    id: 'unread-one-more',
    says: 'unread counts one notification more than there is',
    on: 'listNotifications',
    after: answering(({ unread }) => ({ unread: Number(unread) + 1 })),
  },
  {
    id: 'notifications-all-read',
    says: 'The list of notifications marks all of them as read',
    on: 'listNotifications',
    of: (one) => isTaken(one) && one.org.notifications.unread > 0,
    after: ({ org }) => void markAll(org),
  },
  {
    id: 'task-read-marks-all',
    says: 'Reading a task marks all notifications as read',
    on: 'getTask',
    of: (one) => isTaken(one) && one.org.notifications.unread > 0,
    after: ({ org }) => void markAll(org),
  },
  {
    id: 'document-read-marks-all',
    says: 'Reading a document marks all notifications as read',
    on: 'getDocument',
    of: (one) => isTaken(one) && one.org.notifications.unread > 0,
    after: ({ org }) => void markAll(org),
  },
  {
    id: 'document-creation-charged',
    says: 'A new document costs a credit',
    on: 'createDocument',
    of: (one) => isTaken(one) && one.org.ledger.balance >= 1,
    after: credit(-1),
  },
  {
    id: 'task-creation-charged',
    says: 'A new task costs a credit',
    on: 'createTask',
    of: (one) => isTaken(one) && one.org.ledger.balance >= 1,
    after: credit(-1),
  },
  {
    id: 'key-creation-charged',
    says: 'A new key costs a credit',
    on: 'createKey',
    of: (one) => isTaken(one) && one.org.ledger.balance >= 1,
    after: credit(-1),
  },
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

/** An effect by its id. @throws Error if there is none. */
export function effectOf(id: string): Effect {
  const effect = effects.find((one) => one.id === id)
  if (!effect) throw new Error(`no effect ${id}`)
  return effect
}
