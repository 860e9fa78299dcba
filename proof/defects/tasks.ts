/** §2 Task, §4 Tasks: tasks that are lost, damaged or confused with others. */

import type { OperationId } from '#contract/operation.ts'
import { Failure } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import { type Handler, viewTask } from '#mocks/handlers/views.ts'
import { decodePercent } from '#traffic/malformed-input.ts'
import { combineMutations, type Mutation } from '../mutations/mutation.ts'
import {
  callAfterRunEnd,
  overrideNewIds,
  showTaskOfBusyAgent,
  withOtherOrganizationPredicate,
} from '../mutations/organizations.ts'
import {
  changeField,
  changeItems,
  createEveryNthCallPredicate,
  type MutableJsonObject,
  replaceAnswersWithError,
  rewriteSuccess,
} from '../mutations/reply.ts'
import {
  changeAnswer,
  changeRequestBody,
  delayBalance,
  refuseRequests,
  replaceHandler,
  showCreationsLate,
} from '../mutations/rules.ts'
import { type Defect, defectForEach, defectsOfTable } from './defect.ts'

/** Changes the text of every task when it is created. */
const damaged = (damage: (text: string) => string) =>
  changeRequestBody('createTask', ({ text }) => ({ text: damage(text) }))

/**
 * Ways in which a service corrupts texts, each with the end of the id of the requirement that it violates (`LINES` in
 * `TASK-TEXT-LINES`), a description, and the function that corrupts.
 */
export const textCorruptions: readonly [
  name: string,
  description: string,
  damage: (text: string) => string,
][] = [
  ['UNICODE', 'is normalized to composed characters', (text) => text.normalize('NFC')],
  [
    'SPACES',
    'has its inner runs of spaces shortened to one',
    (text) => text.replace(/(?<=\S) {2,}(?=\S)/g, ' '),
  ],
  ['ENDS', 'loses white space at its ends', (text) => text.trim()],
  ['LINES', 'has its line ends converted to one form', (text) => text.replaceAll('\r\n', '\n')],
  ['MARKUP', 'is escaped as HTML', (text) => text.replaceAll('<', '&lt;')],
]

/**
 * Creates a mutation by which a creation may be answered with the id of the previous one by the same credential.
 * `repeats`: returns whether to use that id again, given its age, ms.
 */
export function reuseIds(
  operation: 'createTask' | 'createDocument',
  member: string,
  repeats: (age: number) => boolean,
): Mutation {
  const last = new Map<string | null, { readonly id: unknown; readonly at: number }>()
  return rewriteSuccess(({ body }, { request, mock }) => {
    const created = (body as Record<string, MutableJsonObject>)[member] as MutableJsonObject
    const [caller, now] = [request.headers.get('authorization'), mock.clock.now()]
    const { id = created.id, at = Number.NEGATIVE_INFINITY } = last.get(caller) ?? {}
    if (repeats(now - at)) created.id = id
    last.set(caller, { id: created.id, at: now })
  }, operation)
}

/** True if an age is at most one second, ms. */
export const isAtMostOneSecond = (age: number) => age <= 1_000

/**
 * Creates a mutation by which a list shows only what was created with the key of the request, and items whose key is
 * unknown.
 */
export function listOnlyOfSameKey(
  create: 'createTask' | 'createDocument',
  member: string,
  list: 'listTasks' | 'listDocuments',
): Mutation {
  const makers = new Map<unknown, string | null>()
  const keyOf = ({ headers }: Request) => headers.get('authorization')
  return combineMutations(
    rewriteSuccess(({ body }, { request }) => {
      makers.set(((body as MutableJsonObject)[member] as MutableJsonObject).id, keyOf(request))
    }, create),
    rewriteSuccess(({ body }, { request }) => {
      const isShown = ({ id }: MutableJsonObject) => (makers.get(id) ?? keyOf(request)) === keyOf(request)
      Object.assign(body as MutableJsonObject, {
        items: ((body as MutableJsonObject).items as MutableJsonObject[]).filter(isShown),
      })
    }, list),
  )
}

/**
 * Creates a mutation by which lists leave out some created items. `isMeant`: picks them by their number in the order of
 * creation, from 0.
 */
export function omitCreationsFromLists(
  create: 'createTask' | 'createDocument',
  member: string,
  list: 'listTasks' | 'listDocuments',
  isMeant: (place: number) => boolean,
): Mutation {
  const made: unknown[] = []
  return combineMutations(
    rewriteSuccess(({ body }) => {
      made.push(((body as MutableJsonObject)[member] as MutableJsonObject).id)
    }, create),
    changeItems(list, (items) => items.filter(({ id }) => !isMeant(made.indexOf(id)))),
  )
}

/** Creates a mutation by which one creation request creates two items, and is answered with the first. */
export const createTwice = (
  operation: 'createTask' | 'createDocument' | 'createKey',
  isMeant: (org: Organization) => boolean = () => true,
) =>
  replaceHandler(operation, (call, usual) => {
    const outcome = usual(call)
    if (isMeant(call.org) && !(outcome instanceof Failure)) usual(call)
    return outcome
  })

/** A text whose bytes are decoded a thousand at a time. */
function decodedInPieces(text: string): string {
  const bytes = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / 1_000) }, (_, i) =>
    bytes.subarray(i * 1_000, (i + 1) * 1_000).toString(),
  )
  return pieces.join('')
}

const parsed = (text: unknown) => (/^[[{]/.test(String(text)) ? JSON.parse(String(text)) : text)

/**
 * Creates a mutation by which new rows of a kind get numbers as ids, which start again from the first after `after`
 * rows.
 */
export function wrapAroundIds(kind: string, after: number): Mutation {
  return overrideNewIds(kind, (org) => {
    let count = 0
    return () => `${kind}_${org.id}_${count++ % after}`
  })
}

/** Keeps a success, or some fields of it, for some ms: for each organization or for all, by the URL. */
function cached<O extends OperationId>(
  operation: O,
  ms: number,
  fields?: readonly string[],
  isShared = false,
): Mutation {
  const known = new Map<string, { readonly at: number; readonly answer: ReturnType<Handler<O>> }>()
  return replaceHandler(operation, (call, usual) => {
    const key = `${isShared || call.org.id} ${call.url}`
    const old = known.get(key)
    const isFresh = old !== undefined && call.now - old.at < ms
    if (isFresh && !fields) return old.answer
    const answer = usual(call)
    if (answer instanceof Failure) return answer
    if (!isFresh) known.set(key, { at: call.now, answer })
    const kept = Object.entries(isFresh ? old.answer : {}).filter(([name]) => fields?.includes(name))
    return { ...answer, ...Object.fromEntries(kept) }
  })
}

const slow = [
  ['listDocuments', 'DOC-ALL'],
  ['listLandingPages', 'LANDING-PAGE-LISTED'],
  ['listKeys', 'KEY-LISTED'],
  ['getTask', 'RUN-ENDS'],
] as const

const owned = [
  ['getTask', 'ISOLATION-GET-TASK'],
  ['getDocument', 'ISOLATION-GET-DOCUMENT'],
  ['whoami', 'AUTH-ORGANIZATION'],
] as const

/** Deliberate defects of answers that are stale: lists, balances and ends of runs. */
export const staleAnswerDefects: readonly Defect[] = [
  ...defectForEach(slow, ([operation, breaks]) => [
    `${breaks} cache-${operation}: ${operation} answers from a cache that is up to 90 s old.`,
    cached(operation, 90_000),
  ]),
  ...defectForEach(owned, ([operation, breaks]) => [
    `${breaks} cache-shared-${operation}: ${operation} answers every organization from one cache.`,
    cached(operation, 1, undefined, true),
  ]),
  ...defectsOfTable({
    'TASK-LISTED cache-items-of-listTasks: The items of the task list are up to a minute old, its credits are not.':
      () => cached('listTasks', 60_000, ['items']),
    'CREDITS-PROMPT cache-balance-short: The credits of whoami are up to 800 ms old.': () =>
      cached('whoami', 800, ['credits']),
    'CREDITS-PROMPT late-balance-300ms: The balance follows after 300 ms.': () => delayBalance(300),
    'CREDITS-RUN-COSTS-ONE CREATIVE-COSTS-ONE late-balance-6s: The balance follows after 6 s.': () =>
      delayBalance(6_000),
    'RUN-ENDS cache-finished: The finished field of a task is as old as the first read of it.': () => {
      const first = new Map<unknown, unknown>()
      return changeField('getTask', 'finished', (finished, { task }) => {
        const id = Reflect.get(task as object, 'id')
        if (!first.has(id)) first.set(id, finished)
        return first.get(id)
      })
    },
    'CREDITS-IN-LIST cache-balance-of-list (first): The credits of the task list are up to a minute old.':
      () => cached('listTasks', 60_000, ['credits']),
    'NOTIFICATION-UNREAD-COUNT cache-unread: The count of unread notifications is up to a minute old, their list is not.':
      () => cached('listNotifications', 60_000, ['unread']),
    'NOTIFICATION-UNREAD-COUNT NOTIFICATION-READ cache-notifications: The list of notifications is up to a minute old, the count of unread ones is not.':
      () => cached('listNotifications', 60_000, ['items']),
  }),
]

/** Deliberate defects of tasks that are lost, damaged or confused with others. */
export const taskDefects: readonly Defect[] = [
  ...defectForEach(textCorruptions, ([name, description, damage]) => [
    `TASK-TEXT-${name} task-text-${name.toLowerCase()}: The text of a task ${description}.`,
    damaged(damage),
  ]),
  ...defectsOfTable({
    'TASK-TEXT-LINES task-text-blank-lines: Several empty lines in the text of a task become one.': () =>
      damaged((text) => text.replace(/\n{3,}/g, '\n\n')),
    'TASK-TEXT-LINES task-text-line-ends: Lines of the text of a task lose the spaces at their ends.': () =>
      damaged((text) => text.replace(/ +(?=\n)/g, '')),
    'TASK-TEXT-LINES task-text-outdented: Lines of the text of a task lose the spaces at their beginnings.':
      () => damaged((text) => text.replace(/(?<=\n) +/g, '')),
    'TASK-TEXT-LINES task-text-separator: The line separator in the text of a task becomes a line feed.':
      () => damaged((text) => text.replaceAll('\u2028', '\n')),
    'TASK-TEXT-UNICODE task-text-invisible: The text of a task loses soft hyphens and marks of direction.':
      () => damaged((text) => text.replace(/[\u00ad\u200e\u200f]/g, '')),
    'TASK-TEXT-UNICODE task-text-controls: The text of a task loses control characters.': () =>
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the defect is about them.
      damaged((text) => text.replace(/[\u0001-\u0008\u000e-\u001f]/g, '')),
    'TASK-TEXT-UNICODE task-text-embedding: The text of a task loses embeddings and isolates of direction.':
      () => damaged((text) => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')),
    'TASK-TEXT-UNICODE task-text-fullwidth: Fullwidth letters in the text of a task become ASCII letters.':
      () => damaged((text) => text.replace(/[Ａ-ｚ]/g, (letter) => letter.normalize('NFKC'))),
    'TASK-TEXT-MARKUP task-text-comments: Comments are removed from the text of a task.': () =>
      damaged((text) => text.replace(/<!--.*?-->/g, '')),
    'TASK-ANSWER-TEXT task-text-formula: A text that begins like a formula gets an apostrophe before it.':
      () => damaged((text) => text.replace(/^\s*(?=[=+@-])/, "'")),
    'TASK-TEXT-MARKUP task-text-template: Names in double braces are removed from the text of a task.': () =>
      damaged((text) => text.replace(/\{\{\w+\}\}/g, '')),
    'TASK-TEXT-MARKUP task-text-plain: The text of a task loses the signs of Markdown.': () =>
      damaged((text) => text.replace(/[*_`#~]/g, '')),
    'TASK-TEXT-MARKUP task-text-handlers: Attributes that begin with on are removed from the text of a task.':
      () => damaged((text) => text.replace(/ on\w+=/g, ' ')),
    'TASK-TEXT-UNICODE task-text-quotes-straight: Curly quotes in the text of a task become straight ones.':
      () => damaged((text) => text.replace(/[“”]/g, '"').replace(/[‘’]/g, "'")),
    'TASK-TEXT-MARKUP task-text-quotes-halved: Two apostrophes in the text of a task become one.': () =>
      damaged((text) => text.replaceAll("''", "'")),
    'TASK-TEXT-MARKUP task-text-backslashes-halved: Two backslashes in the text of a task become one.': () =>
      damaged((text) => text.replaceAll('\\\\', '\\')),
    'TASK-TEXT-MARKUP task-text-dollar: A dollar and a digit are removed from the text of a task.': () =>
      damaged((text) => text.replace(/\$\d/g, '')),
    'TASK-TEXT-MARKUP task-text-bold: Words between two asterisks become bold in the text of a task.': () =>
      damaged((text) => text.replace(/\*\*(.+?)\*\*/g, '<b>$1</b>')),
    'TASK-ANSWER-TEXT task-text-number: A text of digits becomes a number.': () =>
      damaged((text) => (/^\d+$/.test(text) ? String(Number(text)) : text)),
    'TASK-ANSWER-TEXT task-text-null: A text that reads null becomes an empty one.': () =>
      damaged((text) => (text === 'null' ? '' : text)),
    'TASK-ANSWER-TEXT task-text-false: A text that reads false becomes an empty one.': () =>
      damaged((text) => (text === 'false' ? '' : text)),
    'TASK-ANSWER-TEXT task-text-decoded: The text of a task is decoded like a URL where that is possible.':
      () => damaged((text) => decodePercent(text) ?? text),
    'ACCEPTS-createTask task-text-zero: A task that reads 0 is refused as missing.': () =>
      refuseRequests('createTask', 'invalid', ({ body }) => body.text === '0'),
    'TASK-TEXT-LONG task-text-cut: The text of a task is cut after 10,000 characters.': () =>
      damaged((text) => text.slice(0, 10_000)),
    'TASK-TEXT-LONG task-text-column: The text of a task is cut after 65,535 characters.': () =>
      damaged((text) => text.slice(0, 65_535)),
    'TASK-TEXT-ENDS task-text-stored-otherwise: A created task is read back without the spaces around its text.':
      () => changeField('getTask', 'task.text', (text) => String(text).trim()),
    'TASK-TEXT-LONG ODD-TEXT-KEPT-createTask task-text-in-pieces: The text of a task is decoded in pieces of 1,000 bytes.':
      () => damaged(decodedInPieces),
    'TASK-UNKNOWN ISOLATION-GET-TASK task-unknown-invalid-request: getTask of an unknown task is answered with invalid_request.':
      () => replaceAnswersWithError([404], [400, 'invalid_request'], 'getTask'),
    'TASK-UNKNOWN ISOLATION-GET-TASK TASK-ODD-ID MALFORMED-ID-getTask task-unknown-internal-error: getTask of an unknown task is answered with internal_error.':
      () => replaceAnswersWithError([404], [500, 'internal_error'], 'getTask'),
    'TASK-READABLE task-lost: A created task is not found.': () =>
      refuseRequests('getTask', 'not_found', ({ org, id }) => org.tasks.get(id)?.run === null),
    'TASK-READABLE task-evicted: A task is not found any more once 20 others were created after it.': () =>
      refuseRequests('getTask', 'not_found', ({ org, id }) =>
        org.tasks.newest(20).every((one) => one.id !== id),
      ),
    'TASK-READABLE task-undone: A task that is created while a run goes on is not found once that has ended.':
      () => {
        const [recent, undone] = [new Map<string, Organization>(), new Set<string>()]
        return combineMutations(
          changeAnswer('createTask', ({ task }, { org }) => {
            if (org.agent.load > 0) recent.set(String(task.id), org)
            return undefined
          }),
          callAfterRunEnd((org) => {
            for (const [id, own] of recent) if (own === org && recent.delete(id)) undone.add(id)
          }),
          refuseRequests('getTask', 'not_found', ({ id }) => undone.has(id)),
        )
      },
    'TASK-READABLE task-other-id: A task is read back with another id.': () =>
      changeField('getTask', 'task.id', (id) => `task:${id}`),
    'TASK-READABLE late-read-task: A new task is not found by its id for 300 ms.': () =>
      refuseRequests(
        'getTask',
        'not_found',
        ({ org, id, now }) => now - (org.tasks.get(id)?.created_at ?? 0) < 300,
      ),
    'TASK-LISTED task-renamed-beside-other-work: The list shows tasks with other ids than their creation; the agent is busy with a task of its own.':
      () =>
        combineMutations(
          showTaskOfBusyAgent(),
          changeField('listTasks', 'items.*.id', (id) => `${id}x`),
        ),
    'TASK-LISTED task-unlisted: The newest tasks are not in the list.': () =>
      changeItems('listTasks', (list) => list.slice(60)),
    'TASK-LISTED task-fifth-unlisted: Each fifth task is in no list.': () =>
      omitCreationsFromLists('createTask', 'task', 'listTasks', (place) => place % 5 === 4),
    'TASK-LISTED task-second-unlisted: The second task is in no list.': () =>
      omitCreationsFromLists('createTask', 'task', 'listTasks', (place) => place === 1),
    'TASK-LISTED late-task: A new task is listed after 3 s.': () => showCreationsLate('listTasks', 3_000),
    'TASK-LISTED-SAME task-listed-cut: The list cuts texts after ten characters.': () =>
      changeField('listTasks', 'items.*.text', (text) => String(text).slice(0, 10)),
    'TASK-LISTED-LAST task-list-of-the-oldest: listTasks shows only the oldest 50 items.': () =>
      changeItems('listTasks', (list) => list.slice(-50)),
    'TASK-LISTED task-list-of-the-oldest-100: Of an organization with 150 tasks, listTasks shows only the oldest 100 items.':
      () =>
        combineMutations(
          { options: { past: 150 } },
          changeItems('listTasks', (list) => list.slice(-100)),
        ),
    'TASK-LISTED task-list-of-the-key: listTasks shows only the tasks that the same key has created.': () =>
      listOnlyOfSameKey('createTask', 'task', 'listTasks'),
    'SHAPE-createTask SHAPE-listTasks task-text-parsed: A text that is JSON is shown as its value.': () =>
      combineMutations(
        changeField(['createTask', 'getTask'], 'task.text', parsed),
        changeField('listTasks', 'items.*.text', parsed),
      ),
    'TASK-LISTED task-list-by-text: listTasks shows only the 33 items whose texts come first in order.': () =>
      changeItems('listTasks', (list) => list.toSorted((a, b) => (a.text < b.text ? -1 : 1)).slice(0, 33)),
    'LIST-PROMPT list-late: A new task is not in the first list after it was created.': () => {
      const seen = new Set<unknown>()
      return changeItems('listTasks', (list) => list.filter(({ id }) => seen.has(id) || !seen.add(id)))
    },
    'TASK-CREATED-ONCE task-created-twice: Each creation of a task makes two of the same text.': () =>
      createTwice('createTask'),
    'TASK-CREATED-ONCE task-created-twice-elsewhere: Each creation of a task makes two, in all organizations but one.':
      () => withOtherOrganizationPredicate((isElsewhere) => createTwice('createTask', isElsewhere)),
    'TASK-UNIQUE task-same-id: All tasks that are created in the same second have the same id.': () =>
      reuseIds('createTask', 'task', isAtMostOneSecond),
    'TASK-UNIQUE task-of-same-text: A task with the text of another is answered as that one.': () =>
      replaceHandler('createTask', (call, usual) => {
        const { org, body } = call
        const [known] = org.tasks.newest(1, ({ text }) => text === body.text)
        return known ? { task: viewTask(known), credits: org.ledger.balance } : usual(call)
      }),
    'TASK-UNIQUE task-id-repeated-sometimes: Every ninth task gets the id of the task before it.': () =>
      reuseIds('createTask', 'task', createEveryNthCallPredicate(9)),
    'TASK-UNIQUE task-id-wraps: The ids of tasks start again after thirty.': () => wrapAroundIds('task', 30),
    'TASK-NEW-UNFINISHED task-born-finished: A task that never ran is finished.': () =>
      changeAnswer('getTask', ({ finished }, { org, id }) => ({
        finished: finished || org.tasks.get(id)?.run === null,
      })),
    'TASK-NEW-IDLE task-born-in-progress: The response to createTask says in_progress.': () =>
      changeField('createTask', 'task.status', 'in_progress'),
    'TASK-ANSWER-TEXT task-answered-cut: The response to the 20th createTask shows the text without its last character.':
      () => {
        let count = 0
        return changeField('createTask', 'task.text', (text) =>
          ++count === 20 ? String(text).trim().slice(0, -1) : text,
        )
      },
  }),
]
