/** Named history defects: an effect and a condition each, whose sentence follows from these. */
import type { Key } from '#mocks/core/resources.ts'
import { type Mutation, parseTableKey } from '../mutations/mutation.ts'
import type { MutableJsonObject } from '../mutations/reply.ts'
import { rejectCredentials, replaceHandler } from '../mutations/rules.ts'
import {
  afterTwoNotFound,
  amongConcurrentRequests,
  bothConditions,
  conditionOnCreatorKey,
  conditionSince,
  hasFailureNamed,
  nextTimeAfter,
  priorEvent,
  priorEventById,
  rerunAfter,
  runRequestedElsewhere,
  statelessCondition,
  taskRanBefore,
} from './conditions.ts'
import { effectById } from './effects.ts'
import type { HistoryDefect } from './generated.ts'
import {
  asksForAllDocuments,
  documentsWithSameTitle,
  namedEffects,
  tasksOfOccasion,
  tasksWithSentText,
} from './named-effects.ts'
import {
  type Condition,
  createMapByObject,
  isRequestAccepted,
  isUndeleted,
  keysCreatedThroughApi,
  mutationFor,
  type Occasion,
  type Trigger,
} from './occasion.ts'
import {
  everyNthTime,
  fromNthTimeForOne,
  isByCreatedKey,
  narrowToCreatedKeys,
  whenByCreatedKey,
  whenConcurrentWithOthers,
  whenEventDuringRun,
  whenFirstAfter,
  whenFirstAfterRefusal,
  whenNthInRow,
  whenOlderThan,
  whileMoreThan,
  whileRunning,
} from './triggers.ts'

/**
 * `id: effect, in which condition`, behind the requirements that a run without the search finds violated; a trigger has
 * words of its own. What is no such pair is a mutation under its whole sentence.
 */
type Table = Readonly<
  Record<string, Condition | ((one: Occasion) => boolean) | Pick<HistoryDefect, 'mutate'>>
>

/** @throws Error if there is no such effect. */
function defectOf([name, row]: readonly [string, Table[string]]): HistoryDefect {
  const { words, id, title } = parseTableKey(name)
  const plainRun = words.length > 0 ? words : undefined
  if ('mutate' in row) return { id, title, plainRun, mutate: row.mutate }
  const [, of, inWords = (row as Trigger).says] = /^([\w-]+)(?:, (.+))?$/.exec(title) ?? []
  const effect = namedEffects.find((one) => one.id === of) ?? effectById(of ?? '')
  const condition = typeof row === 'function' ? statelessCondition(row) : row
  return { id, title: `${effect.says}, ${inWords}.`, plainRun, mutate: () => mutationFor(condition, effect) }
}

const defectsOf = (table: Table) => Object.entries(table).map(defectOf)

/** A condition about fewer occasions. */
const among = <C extends Condition>(of: (one: Occasion) => boolean, condition: C): C => ({ ...condition, of })

const isEqual = ([one, other]: readonly unknown[]) => one === other
const sizeOf = ({ answer }: Occasion, name = 'items') =>
  (answer as Record<string, unknown[]>)[name]?.length ?? 0
const living = ({ org }: Occasion) => keysCreatedThroughApi(org).filter(isUndeleted)

/** A key that is refused; `is`: whether one that the API has made is, of which some uses are known. */
const refusing = (is: (uses: { n: number; last: number }, now: number) => boolean): Mutation => {
  const known = createMapByObject<{ n: number; last: number }, Key>(() => ({
    n: 0,
    last: Number.POSITIVE_INFINITY,
  }))
  return rejectCredentials((_, { org, key }) => {
    if (!key || org.keys.all()[0] === key) return false
    const uses = known(key)
    uses.n++
    const isRefused = is(uses, org.clock.now())
    uses.last = org.clock.now()
    return isRefused
  })
}

const always = { says: 'whenever that is done', ...statelessCondition(() => true) }
/** True if there are three or more at once. */
const hasMany = ({ place }: Occasion) => place.size >= 3
const hasLed = (one: Occasion) => one.place.rank > 0

const newest = ({ org }: Occasion) => org.documents.newest(1)[0]
const titles = ({ org }: Occasion) => org.documents.newest(2).map(({ title }) => title)
const isSameTitle = (one: Occasion) => isEqual(titles(one))
/** How many living keys are newer than the one that is deleted. */
const newerKeys = ({ org, id }: Occasion) =>
  keysCreatedThroughApi(org)
    .slice(
      0,
      Math.max(
        0,
        keysCreatedThroughApi(org).findIndex((key) => key.id === id),
      ),
    )
    .filter(isUndeleted).length

/** At once with a run by a created key. */
const besideRunOfCreatedKey: Condition = {
  ...whenConcurrentWithOthers(0, 'runTask'),
  ofEverybody: true,
  create() {
    const groups = new WeakSet<object>()
    return {
      fires: ({ place }) => groups.has(place.operations),
      note(one) {
        if (one.occasionKind === 'runTask' && isByCreatedKey(one)) groups.add(one.place.operations)
      },
    }
  },
}

/** A document whose title was refused with other fields before gets the id of the document before it. */
function corrected(): Mutation {
  const refused = new Set<unknown>()
  const last = new Map<string | null, unknown>()
  return {
    async middleware({ request, operation }, next) {
      if (operation !== 'createDocument') return next(request)
      const caller = request.headers.get('authorization')
      const title = /"title":"([^"]*)"/.exec(await request.clone().text())?.[1]
      const response = await next(request)
      if ((response.status === 400 || response.status === 422) && title) refused.add(title)
      if (response.status >= 300) return response
      const body = (await response.json()) as { item: MutableJsonObject }
      if (refused.delete(title) && last.has(caller)) body.item.id = last.get(caller)
      last.set(caller, body.item.id)
      return Response.json(body, { status: response.status })
    },
  }
}

/** Documents of every fifth folder are filed in the folder before it. */
function merged(): Mutation {
  const folders = createMapByObject(() => [] as string[])
  return replaceHandler('createDocument', (call, usual) => {
    const { folder_id } = call.body
    const known = folders(call.org)
    if (!folder_id) return usual(call)
    if (!known.includes(folder_id)) known.push(folder_id)
    const at = known.indexOf(folder_id)
    return usual({ ...call, body: { ...call.body, folder_id: known[at % 5 === 4 ? at - 1 : at] as string } })
  })
}

/** Every named history defect, by the kind of history in which it shows. */
export const namedHistoryDefects: Readonly<Record<Trigger['kind'], readonly HistoryDefect[]>> = {
  often: defectsOf({
    'refund-fifth-lost: refund-lost': everyNthTime(5),
    'refund-sixth-twice: refund-twice': everyNthTime(6),
    'CREDITS-REFUND-AGAIN refund-same-task-again: refund-lost, if the run before failed':
      rerunAfter('failed'),
    'rerun-second-costs-two: runTask-costs-two': fromNthTimeForOne(3, true),
    'rerun-third-free: runTask-free': fromNthTimeForOne(4, false),
    'rerun-third-no-credits: run-refused': fromNthTimeForOne(4, true),
    'rerun-second-never-finished: task-unfinished, after 3 runs of the task, 0 s after the last':
      taskRanBefore(3, 0),
    'no-credits-fifth-time-runs: run-on-credit': fromNthTimeForOne(5, false),
    'CREATIVE-COSTS-AT-ONCE creative-fourth-costs-two: generateCreative-costs-two': everyNthTime(4),
    'creative-third-failure-kept: creative-failure-kept': everyNthTime(3),
    'mark-read-ninth-ignored: mark-ignored': everyNthTime(9),
    'mark-read-third-time-counts: mark-counted-again': fromNthTimeForOne(3, true),
    'task-twentieth-text-of-last: task-stored-with-last-text': whenNthInRow(20),
    'TASK-UNIQUE task-fifth-namesake-is-first: task-answered-with-first-id, if it is the fifth': (one) =>
      tasksWithSentText(one).length === 5,
    'doc-ninth-filed-content-lost: document-stored-empty': among(
      (one) => Boolean(newest(one)?.folder_id),
      everyNthTime(9),
    ),
    'doc-third-namesake-replaces: document-overwrites-first, from the third on': (one) =>
      documentsWithSameTitle(one).length >= 3,
    'key-seventh-delete-lost: key-deletion-lost': everyNthTime(7),
    'key-eighth-unlisted: key-unlisted': everyNthTime(8),
    'key-use-limited: A created key is accepted 25 times, then no more.': {
      mutate: () => refusing(({ n }) => n > 25),
    },
  }),
  many: defectsOf({
    'tasks-newest-unlisted: tasks-newest-unlisted, beyond 150': (one) => sizeOf(one) > 150,
    'tasks-listed-twice: tasks-newest-twice, beyond 160': (one) => sizeOf(one) > 160,
    'tasks-neighbour-text: tasks-text-mixed, beyond 170': (one) => sizeOf(one) > 170,
    'task-index-collides: task-text-of-64th': always,
    'run-tasks-list-counts-one-less: tasks-credits, where more than 30 have run': (one) =>
      tasksOfOccasion(one).filter(({ run }) => run).length > 30,
    'docs-newest-unlisted: documents-newest-unlisted, beyond 120 in all': (one) =>
      asksForAllDocuments(one) && sizeOf(one) > 120,
    'docs-full-folder-hides-newest: folder-hides-newest': always,
    'keys-newest-unlisted: keys-newest-unlisted, beyond 8': (one) => sizeOf(one, 'keys') > 8,
    'keys-oldest-dies: key-replaces-oldest, beyond 7': (one) => living(one).length > 7,
    'keys-ninth-dead: key-dead-from-start, beyond 8': (one) => living(one).length > 8,
    'NOTIFICATION-UNREAD-COUNT unread-stops-at-twelve: unread-one-less': whileMoreThan(
      12,
      'unread notifications',
    ),
    'NOTIFICATION-READ-ONE NOTIFICATION-READ-AGAIN mark-read-takes-oldest-unread: mark-takes-oldest, while more than 15 are unread':
      ({ org }) => org.notifications.unread > 15,
    'RUN-COSTS-AT-ONCE waiting-third-costs-two: runTask-costs-two, behind two that wait': ({ org }) =>
      org.agent.load > 3,
    'waiting-third-unrefunded: refund-lost, while two others wait': ({ org }) => org.agent.load >= 2,
    'BUSY-STARTS waiting-third-never-starts: run-never-starts, behind two that wait': ({ org }) =>
      org.agent.load > 2,
    'rich-generations-cost-two: generateCreative-costs-two, beyond 2,147 credits': ({ org }) =>
      org.ledger.balance > 2_147,
    'rich-runs-cost-two: runTask-costs-two, beyond 2,147 credits': ({ org }) => org.ledger.balance > 2_147,
    'balance-shown-capped: balance-capped': always,
    'DOC-KEEPS-CONTENT_MD doc-long-title-content-lost: document-stored-empty, with a title beyond 255 characters':
      (one) => (newest(one)?.title.length ?? 0) > 255,
    'last-credit-rerun-refused: run-refused, for the last one, if the task ran before': ({ org, run }) =>
      run?.ended === true && org.ledger.balance === 1,
    'docs-fifth-folder-merged: Documents of every fifth folder are filed in the folder before it.': {
      mutate: merged,
    },
  }),
  between: defectsOf({
    'after-402-costs-two: runTask-costs-two': whenFirstAfter(priorEventById('run-402'), 1),
    'after-404-costs-two: runTask-costs-two': whenFirstAfter(priorEventById('run-404'), 1),
    'rerun-after-failure-refunded: success-refunded, if the run before failed': rerunAfter('failed'),
    'rerun-failure-after-success-kept: refund-lost, if the run before completed': rerunAfter('completed'),
    'BUSY-COSTS refused-rerun-refunded-at-end: success-refunded, if its task was asked to run again meanwhile':
      nextTimeAfter(priorEventById('run-conflict').is),
    'CREDITS-REFUND-AGAIN rerun-free-after-read-failure: runTask-free, if the task was read after its run failed':
      nextTimeAfter(
        ({ occasionKind, run }) =>
          occasionKind === 'getTask' && run?.ended === true && run.outcome === 'failed',
      ),
    'created-during-run-gets-its-text: task-stored-with-going-text': whileRunning(2),
    'TASK-READABLE refused-task-during-run-loses-next: createTask-lost': among(
      ({ org }) => org.agent.load > 0,
      whenFirstAfterRefusal(400, 'createTask', 1),
    ),
    'BUSY-REFUND failure-refunds-waiting: refund-twice, while another one waits': ({ org }) =>
      org.agent.load > 0,
    'creative-during-run-unrefunded: refund-lost': whenEventDuringRun(priorEventById('creative')),
    'CREATIVE-REFUND creative-after-failed-creative-free: generateCreative-free': whenFirstAfter(
      priorEventById('creative-failed'),
      1,
    ),
    'NOTIFICATION-STAYS-READ mark-read-during-run-undone: mark-undone': whileRunning(1),
    'doc-folder-sticks: document-filed-as-listed': always,
    'doc-namesake-shares-content: document-shares-content': always,
    'doc-read-after-missing-read: document-read-as-newest, just after an unknown one was asked for twice':
      afterTwoNotFound('getDocument'),
    'doc-same-but-case-content-kept: document-stored-with-last-content, of the same title but for its case': (
      one,
    ) => !isSameTitle(one) && isEqual(titles(one).map((title) => title.toLowerCase())),
    'LANDING-PAGE-LISTED page-second-unlisted: pages-namesakes-unlisted': always,
    'key-delete-revives-last-but-one: key-deletion-revives, if it is the oldest of several': (one) =>
      living(one).length >= 3 && living(one).at(-1)?.id === one.id,
    'key-delete-hits-newest: key-deletion-takes-newest, if three newer ones exist': (one) =>
      newerKeys(one) >= 3,
    'key-unknown-delete-hits-newest: unknown-deletion-takes-newest': everyNthTime(2),
    'KEY-STAYS-DEAD key-namesake-revives: key-revives-namesake': always,
    'KEY-NAME key-renamed-by-next: key-renames-last': whenFirstAfter(priorEventById('key-deleted'), 1),
    'NOTIFICATION-NEW-COUNTED key-delete-clears-unread: key-deletion-marks-all': always,
    'TASK-LISTED task-list-after-401-empty: tasks-empty': whenFirstAfterRefusal(401, undefined, 2),
    'doc-corrected-gets-last-id: A document whose title was refused with other fields before gets the id of the document before it.':
      { mutate: corrected },
  }),
  'at once': defectsOf({
    'RUN-COSTS-AT-ONCE crowd-third-free: runTask-free': whenConcurrentWithOthers(2),
    'crowd-fourth-costs-two: runTask-costs-two': whenConcurrentWithOthers(3),
    'crowd-reruns-overdraw: run-on-credit, if it is a second one at once': amongConcurrentRequests(
      ['runTask'],
      statelessCondition((one) => hasLed(one) && one.run?.ended === true),
    ),
    'crowd-same-task-charged-each: refused-run-charged, if there are three at once': amongConcurrentRequests(
      ['runTask'],
      statelessCondition(hasMany),
    ),
    'crowd-refused-run-charged: runTask-costs-two, the first time after one of three at once was refused with 402':
      among(
        (one) => !hasMany(one),
        amongConcurrentRequests(
          ['runTask'],
          whenFirstAfter(
            priorEvent(
              'runTask',
              'crowd-402',
              '',
              (one) => hasMany(one) && hasFailureNamed('no_credits')(one),
            ),
            1,
          ),
        ),
      ),
    'crowd-second-refunded-at-end: success-refunded, if it was the second of three at once':
      amongConcurrentRequests(
        ['runTask'],
        nextTimeAfter(
          (one) =>
            one.occasionKind === 'runTask' && isRequestAccepted(one) && hasMany(one) && one.place.rank === 1,
        ),
      ),
    'CREATIVE-REFUND CREATIVE-COSTS-AT-ONCE crowd-creatives-charged-once: generateCreative-free':
      whenConcurrentWithOthers(1),
    'CREDITS-ATOMIC CREDITS-NEVER-NEGATIVE crowd-run-and-creative-overdraw: creative-on-credit, at once with a run':
      amongConcurrentRequests(
        ['runTask', 'generateCreative'],
        statelessCondition(({ place }) => place.operations.has('runTask')),
      ),
    'crowd-keys-same-secret: key-shares-secret': among(
      ({ org }) => isEqual(keysCreatedThroughApi(org).map(({ name }) => name)),
      whenConcurrentWithOthers(1),
    ),
    'crowd-key-delete-lost: key-deletion-lost, if it is the first of several at once':
      amongConcurrentRequests(
        ['deleteKey'],
        statelessCondition(({ place }) => place.size > 1 && place.rank === 0),
      ),
    'crowd-key-made-dead: key-deletion-takes-newest, at once with others': amongConcurrentRequests(
      ['createKey', 'deleteKey'],
      statelessCondition(hasLed),
    ),
    'NOTIFICATION-READ-COUNT crowd-marks-counted-once: mark-uncounted': whenConcurrentWithOthers(1),
    'NOTIFICATION-UNREAD-COUNT crowd-same-mark-counted-each: mark-counted-again': among(
      ({ org, id }) => org.notifications.get(id)?.read === true,
      whenConcurrentWithOthers(2),
    ),
    'crowd-docs-namesakes-share: document-stored-with-last-content': among(
      isSameTitle,
      whenConcurrentWithOthers(1),
    ),
    'crowd-documents-cross: document-crossed': { ...whenConcurrentWithOthers(0), ofEverybody: true },
    'crowd-organizations-swapped: balance-of-first': { ...whenConcurrentWithOthers(0), ofEverybody: true },
    'TASK-UNIQUE crowd-same-text-one-task: task-answered-with-last-id': among(
      ({ org }) => isEqual(org.tasks.newest(2).map(({ text }) => text)),
      whenConcurrentWithOthers(1),
    ),
    'crowd-read-and-run-mixed: task-text-of-going': whenConcurrentWithOthers(1, 'runTask'),
    'crowd-task-lost: createTask-lost, at once with a run and a creative': amongConcurrentRequests(
      ['createTask', 'generateCreative', 'runTask'],
      statelessCondition(({ place }) => place.operations.size === 3),
    ),
    'RUN-KEEPS-TASK TASK-UNIQUE crowd-task-and-run-same-id: task-answered-with-last-id, at once with a run by a created key':
      besideRunOfCreatedKey,
  }),
  'long ago': defectsOf({
    'RUN-KEEPS-TASK task-text-archived: task-text-cut': whenOlderThan(3_000),
    'RUN-FINISHED-BY-STATUS task-finished-forgotten: task-unfinished, after 2 runs of the task, 1.5 s after the last':
      taskRanBefore(2, 1_500),
    'task-idle-read-stale: task-read-stale': always,
    'CREDITS-REFUND-EACH RUN-COSTS-AT-ONCE run-of-old-task-costs-two: runTask-costs-two, for what is older than 2 s and the first time for the same thing':
      bothConditions(whenOlderThan(2_000), fromNthTimeForOne(1, true)),
    'RUN-AGAIN rerun-later-free: runTask-free, after 1 runs of the task, 1.5 s after the last': taskRanBefore(
      1,
      1_500,
    ),
    'BUSY-COSTS run-charged-again-later: success-charged-later': everyNthTime(3),
    'refund-taken-back-later: refund-taken-back': everyNthTime(3),
    'no-credits-forgiven: run-on-credit, 1.5 s after a run was refused with 402': conditionSince(
      priorEventById('run-402'),
      1_500,
    ),
    'DOC-KEEPS-CONTENT_MD doc-content-expires: document-read-empty': whenOlderThan(2_500),
    'doc-leaves-folder: documents-leave-folder': always,
    'NOTIFICATION-STAYS-READ mark-read-forgotten: mark-forgotten': always,
    'KEY-WORKS key-unused-expires: A created key that was not used for two seconds is refused.': {
      mutate: () => refusing(({ last }, now) => now - last >= 2_000),
    },
  }),
  whom: defectsOf({
    'RUN-COSTS-AT-ONCE run-by-created-key-free: runTask-free': everyNthTime(2, narrowToCreatedKeys),
    'BUSY-REFUND refund-of-created-key-kept: refund-lost, if a created key has started it': nextTimeAfter(
      (one) => one.occasionKind === 'runTask' && isRequestAccepted(one) && isByCreatedKey(one),
    ),
    'tasks-die-with-key: task-missing, if the key that created it was deleted': conditionOnCreatorKey(
      (key, { org }) => key?.isFirst === false && org.keys.get(key.id)?.deleted === true,
    ),
    'docs-of-created-key-private: document-read-empty, if one created key made it and another one asks':
      conditionOnCreatorKey(
        (creator, { key }) => creator?.isFirst === false && !key?.isFirst && creator.id !== key?.id,
      ),
    'task-list-of-each-key: tasks-newest-unlisted, if a created key asks and another key made that one':
      conditionOnCreatorKey((creator, { key }) => key?.isFirst === false && creator?.id !== key.id),
    'NOTIFICATION-READ unread-of-each-key: mark-ignored': whenByCreatedKey,
    'other-failed-run-refunds-us: refund-elsewhere, if another organization has asked for a run since':
      runRequestedElsewhere,
    'other-no-credits-refuses-us: run-refused, where another organization has no credit': ({ others }) =>
      others.some(({ ledger }) => !ledger.canReserve),
    'NOTIFICATION-STAYS-UNREAD other-mark-read-lowers-unread: mark-marks-elsewhere': always,
    'ISOLATION-LIST-DOCUMENTS other-same-folder-shared: folder-shared': always,
    'other-namesake-overwrites: document-overwrites-theirs': always,
    'other-namesake-finished: task-finished-early, where one with its text ran in another organization': ({
      org,
      id,
      others,
    }) =>
      others.some(({ tasks }) =>
        tasks.newest(1, ({ text, run }) => text === org.tasks.get(id)?.text && run?.ended === true).at(0),
      ),
  }),
}
