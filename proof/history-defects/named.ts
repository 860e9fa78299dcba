/** Named history defects: an effect and a condition each, whose sentence follows from these. */
import { parseTableKey } from '../mutations/mutation.ts'
import {
  afterEndedRuns,
  afterRunOfOtherOrganization,
  afterTwoNotFound,
  afterUninterruptedEvents,
  bothConditions,
  conditionOnCreatorKey,
  createErrorAnswerPredicate,
  definePriorEvent,
  nextTimeAfter,
  priorEventById,
  rerunAfter,
  statelessCondition,
  withConcurrentRequestsGathered,
} from './conditions.ts'
import { effectById } from './effects.ts'
import type { HistoryDefect } from './generated.ts'
import {
  alwaysMetCondition,
  areThreeOrMoreAtOnce,
  areTwoEqual,
  concurrentWithCreatedKeyRun,
  conditionLimitedTo,
  countOfItems,
  countOfNewerKeys,
  isLaterConcurrentRequest,
  isNewestTitleRepeated,
  mergeEveryNthFolder,
  newestDocument,
  refuseCreatedKeysWhere,
  reuseIdAfterRefusedTitle,
  titlesOfNewestDocuments,
  undeletedCreatedKeys,
} from './named-conditions.ts'
import {
  asksForAllDocuments,
  documentsTitledLikeNewest,
  namedDefectEffects,
  organizationTasksNewestFirst,
  tasksWithSentText,
} from './named-effects.ts'
import {
  type Condition,
  isRequestAccepted,
  keysCreatedThroughApi,
  mutationFor,
  type Occasion,
  type Trigger,
} from './occasion.ts'
import {
  createdKeyRestriction,
  everyNthTime,
  fromNthTimePerResource,
  isByCreatedKey,
  whenByCreatedKey,
  whenConcurrentWithOthers,
  whenEventDuringRun,
  whenFirstAfter,
  whenFirstAfterStatus,
  whenNthInRow,
  whenResourceOlderThan,
  whileMoreThanNewResources,
  whileRunning,
} from './triggers.ts'

/**
 * Keys: `REQUIREMENT… id: effect, in which condition`, with the requirements that a run without the search finds
 * violated. A trigger gives the words of the condition itself; a row with a mutation of its own has a whole sentence
 * instead.
 */
type Table = Readonly<
  Record<string, Condition | ((one: Occasion) => boolean) | Pick<HistoryDefect, 'mutate'>>
>

/** The history defect of a row. @throws Error if there is no such effect. */
function defectOf([name, row]: readonly [string, Table[string]]): HistoryDefect {
  const { words, id, title } = parseTableKey(name)
  const plainRun = words.length > 0 ? words : undefined
  if ('mutate' in row) return { id, title, plainRun, mutate: row.mutate }
  const [, of, inWords = (row as Trigger).says] = /^([\w-]+)(?:, (.+))?$/.exec(title) ?? []
  const effect = namedDefectEffects.find((one) => one.id === of) ?? effectById(of ?? '')
  const condition = typeof row === 'function' ? statelessCondition(row) : row
  return { id, title: `${effect.says}, ${inWords}.`, plainRun, mutate: () => mutationFor(condition, effect) }
}

const defectsOf = (table: Table) => Object.entries(table).map(defectOf)

/** The history defects that are listed by name and not generated, by the kind of history after which they show. */
export const namedHistoryDefects: Readonly<Record<Trigger['kind'], readonly HistoryDefect[]>> = {
  often: defectsOf({
    'refund-fifth-lost: refund-lost': everyNthTime(5),
    'refund-sixth-twice: refund-twice': everyNthTime(6),
    'CREDITS-REFUND-AGAIN refund-same-task-again: refund-lost, if the run before failed':
      rerunAfter('failed'),
    'rerun-second-costs-two: runTask-costs-two': fromNthTimePerResource(3, true),
    'rerun-third-free: runTask-free': fromNthTimePerResource(4, false),
    'rerun-third-no-credits: run-refused': fromNthTimePerResource(4, true),
    'rerun-third-costs-two: runTask-costs-two': fromNthTimePerResource(4, false),
    'rerun-second-never-finished: task-unfinished, after 3 runs of the task, 0 s after the last':
      afterEndedRuns(3, 0),
    'no-credits-fifth-time-runs: run-on-credit': fromNthTimePerResource(5, false),
    'CREATIVE-COSTS-AT-ONCE creative-fourth-costs-two: generateCreative-costs-two': everyNthTime(4),
    'creative-third-failure-kept: creative-failure-kept': everyNthTime(3),
    'mark-read-ninth-ignored: mark-ignored': everyNthTime(9),
    'mark-read-third-time-counts: mark-counted-again': fromNthTimePerResource(3, true),
    'task-twentieth-text-of-last: task-stored-with-last-text': whenNthInRow(20),
    'TASK-UNIQUE task-fifth-namesake-is-first: task-answered-with-first-id, if it is the fifth': (one) =>
      tasksWithSentText(one).length === 5,
    'doc-ninth-filed-content-lost: document-stored-empty': conditionLimitedTo(
      (one) => Boolean(newestDocument(one)?.folder_id),
      everyNthTime(9),
    ),
    'DOC-ANSWER-FIELDS doc-third-namesake-replaces: document-overwrites-first, from the third on': (one) =>
      documentsTitledLikeNewest(one).length >= 3,
    'key-seventh-delete-lost: key-deletion-lost': everyNthTime(7),
    'key-eighth-unlisted: key-unlisted': everyNthTime(8),
    'key-use-limited: A created key is accepted 25 times, then no more.': {
      mutate: () => refuseCreatedKeysWhere(({ n }) => n > 25),
    },
  }),
  many: defectsOf({
    'tasks-newest-unlisted: tasks-newest-unlisted, beyond 150': (one) => countOfItems(one) > 150,
    'tasks-listed-twice: tasks-newest-twice, beyond 160': (one) => countOfItems(one) > 160,
    'tasks-neighbour-text: tasks-text-mixed, beyond 170': (one) => countOfItems(one) > 170,
    'task-index-collides: task-text-of-64th': alwaysMetCondition,
    'run-tasks-list-counts-one-less: tasks-credits, where more than 30 have run': (one) =>
      organizationTasksNewestFirst(one).filter(({ run }) => run).length > 30,
    'docs-newest-unlisted: documents-newest-unlisted, beyond 120 in all': (one) =>
      asksForAllDocuments(one) && countOfItems(one) > 120,
    'docs-full-folder-hides-newest: folder-hides-newest': alwaysMetCondition,
    'keys-newest-unlisted: keys-newest-unlisted, beyond 8': (one) => countOfItems(one, 'keys') > 8,
    'keys-oldest-dies: key-replaces-oldest, beyond 7': (one) => undeletedCreatedKeys(one).length > 7,
    'keys-ninth-dead: key-dead-from-start, beyond 8': (one) => undeletedCreatedKeys(one).length > 8,
    'NOTIFICATION-UNREAD-COUNT unread-stops-at-twelve: unread-one-less': whileMoreThanNewResources(
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
    'balance-shown-capped: balance-capped': alwaysMetCondition,
    'DOC-KEEPS-CONTENT_MD doc-long-title-content-lost: document-stored-empty, with a title beyond 255 characters':
      (one) => (newestDocument(one)?.title.length ?? 0) > 255,
    'last-credit-rerun-refused: run-refused, for the last one, if the task ran before': ({ org, run }) =>
      run?.ended === true && org.ledger.balance === 1,
    'DOC-ANSWER-FIELDS docs-fifth-folder-merged: Documents of every fifth folder are filed in the folder before it.':
      { mutate: () => mergeEveryNthFolder(5) },
    'docs-sixth-folder-merged: Documents of every sixth folder are filed in the folder before it.': {
      mutate: () => mergeEveryNthFolder(6),
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
    'TASK-READABLE refused-task-during-run-loses-next: createTask-lost': conditionLimitedTo(
      ({ org }) => org.agent.load > 0,
      whenFirstAfterStatus(400, 'createTask', 1),
    ),
    'BUSY-REFUND failure-refunds-waiting: refund-twice, while another one waits': ({ org }) =>
      org.agent.load > 0,
    'creative-during-run-unrefunded: refund-lost': whenEventDuringRun(priorEventById('creative')),
    'CREATIVE-REFUND creative-after-failed-creative-free: generateCreative-free': whenFirstAfter(
      priorEventById('creative-failed'),
      1,
    ),
    'NOTIFICATION-STAYS-READ mark-read-during-run-undone: mark-undone': whileRunning(1),
    'doc-folder-sticks: document-filed-as-listed': alwaysMetCondition,
    'doc-namesake-shares-content: document-shares-content': alwaysMetCondition,
    'doc-read-after-missing-read: document-read-as-newest, just after an unknown one was asked for twice':
      afterTwoNotFound('getDocument'),
    'doc-same-but-case-content-kept: document-stored-with-last-content, of the same title but for its case': (
      one,
    ) =>
      !isNewestTitleRepeated(one) &&
      areTwoEqual(titlesOfNewestDocuments(one).map((title) => title.toLowerCase())),
    'LANDING-PAGE-LISTED page-second-unlisted: pages-namesakes-unlisted': alwaysMetCondition,
    'key-delete-revives-last-but-one: key-deletion-revives, if it is the oldest of several': (one) =>
      undeletedCreatedKeys(one).length >= 3 && undeletedCreatedKeys(one).at(-1)?.id === one.id,
    'key-delete-hits-newest: key-deletion-takes-newest, if three newer ones exist': (one) =>
      countOfNewerKeys(one) >= 3,
    'key-unknown-delete-hits-newest: unknown-deletion-takes-newest': everyNthTime(2),
    'KEY-STAYS-DEAD key-namesake-revives: key-revives-namesake': alwaysMetCondition,
    'KEY-NAME key-renamed-by-next: key-renames-last': whenFirstAfter(priorEventById('key-deleted'), 1),
    'NOTIFICATION-READ-COUNT key-delete-clears-unread: key-deletion-marks-all': alwaysMetCondition,
    'TASK-LISTED task-list-after-401-empty: tasks-empty': whenFirstAfterStatus(401, undefined, 2),
    'doc-corrected-gets-last-id: A document whose title was refused with other fields before gets the id of the document before it.':
      { mutate: reuseIdAfterRefusedTitle },
  }),
  'at once': defectsOf({
    'RUN-COSTS-AT-ONCE crowd-third-free: runTask-free': whenConcurrentWithOthers(2),
    'crowd-fourth-costs-two: runTask-costs-two': whenConcurrentWithOthers(3),
    'crowd-reruns-overdraw: run-on-credit, if it is a second one at once': withConcurrentRequestsGathered(
      ['runTask'],
      statelessCondition((one) => isLaterConcurrentRequest(one) && one.run?.ended === true),
    ),
    'crowd-same-task-charged-each: refused-run-charged, if there are three at once':
      withConcurrentRequestsGathered(['runTask'], statelessCondition(areThreeOrMoreAtOnce)),
    'crowd-refused-run-charged: runTask-costs-two, the first time after one of three at once was refused with 402':
      conditionLimitedTo(
        (one) => !areThreeOrMoreAtOnce(one),
        withConcurrentRequestsGathered(
          ['runTask'],
          whenFirstAfter(
            definePriorEvent(
              'runTask',
              'crowd-402',
              '',
              (one) => areThreeOrMoreAtOnce(one) && createErrorAnswerPredicate('no_credits')(one),
            ),
            1,
          ),
        ),
      ),
    'crowd-second-refunded-at-end: success-refunded, if it was the second of three at once':
      withConcurrentRequestsGathered(
        ['runTask'],
        nextTimeAfter(
          (one) =>
            one.occasionKind === 'runTask' &&
            isRequestAccepted(one) &&
            areThreeOrMoreAtOnce(one) &&
            one.place.rank === 1,
        ),
      ),
    'CREATIVE-REFUND CREATIVE-COSTS-AT-ONCE crowd-creatives-charged-once: generateCreative-free':
      whenConcurrentWithOthers(1),
    'CREDITS-ATOMIC CREDITS-NEVER-NEGATIVE crowd-run-and-creative-overdraw: creative-on-credit, at once with a run':
      withConcurrentRequestsGathered(
        ['runTask', 'generateCreative'],
        statelessCondition(({ place }) => place.operations.has('runTask')),
      ),
    'crowd-keys-same-secret: key-shares-secret': conditionLimitedTo(
      ({ org }) => areTwoEqual(keysCreatedThroughApi(org).map(({ name }) => name)),
      whenConcurrentWithOthers(1),
    ),
    'crowd-key-delete-lost: key-deletion-lost, if it is the first of several at once':
      withConcurrentRequestsGathered(
        ['deleteKey'],
        statelessCondition(({ place }) => place.size > 1 && place.rank === 0),
      ),
    'crowd-key-made-dead: key-deletion-takes-newest, at once with others': withConcurrentRequestsGathered(
      ['createKey', 'deleteKey'],
      statelessCondition(isLaterConcurrentRequest),
    ),
    'NOTIFICATION-READ-COUNT crowd-marks-counted-once: mark-uncounted': whenConcurrentWithOthers(1),
    'NOTIFICATION-UNREAD-COUNT crowd-same-mark-counted-each: mark-counted-again': conditionLimitedTo(
      ({ org, id }) => org.notifications.get(id)?.read === true,
      whenConcurrentWithOthers(2),
    ),
    'crowd-docs-namesakes-share: document-stored-with-last-content': conditionLimitedTo(
      isNewestTitleRepeated,
      whenConcurrentWithOthers(1),
    ),
    'crowd-documents-cross: document-crossed': { ...whenConcurrentWithOthers(0), ofEverybody: true },
    'crowd-organizations-swapped: balance-of-first': { ...whenConcurrentWithOthers(0), ofEverybody: true },
    'TASK-UNIQUE crowd-same-text-one-task: task-answered-with-last-id': conditionLimitedTo(
      ({ org }) => areTwoEqual(org.tasks.newest(2).map(({ text }) => text)),
      whenConcurrentWithOthers(1),
    ),
    'crowd-read-and-run-mixed: task-text-of-going': whenConcurrentWithOthers(1, 'runTask'),
    'crowd-task-lost: createTask-lost, at once with a run and a creative': withConcurrentRequestsGathered(
      ['createTask', 'generateCreative', 'runTask'],
      statelessCondition(({ place }) => place.operations.size === 3),
    ),
    'RUN-KEEPS-TASK TASK-UNIQUE crowd-task-and-run-same-id: task-answered-with-last-id, at once with a run by a created key':
      concurrentWithCreatedKeyRun,
  }),
  'long ago': defectsOf({
    'RUN-KEEPS-TASK task-text-archived: task-text-cut': whenResourceOlderThan(3_000),
    'RUN-FINISHED-BY-STATUS task-finished-forgotten: task-unfinished, after 2 runs of the task, 1.5 s after the last':
      afterEndedRuns(2, 1_500),
    'task-idle-read-stale: task-read-stale': alwaysMetCondition,
    'CREDITS-REFUND-EACH RUN-COSTS-AT-ONCE run-of-old-task-costs-two: runTask-costs-two, for what is older than 2 s and the first time for the same thing':
      bothConditions(whenResourceOlderThan(2_000), fromNthTimePerResource(1, true)),
    'RUN-AGAIN rerun-later-free: runTask-free, after 1 runs of the task, 1.5 s after the last':
      afterEndedRuns(1, 1_500),
    'run-charged-again-later: success-charged-later': everyNthTime(3),
    'refund-taken-back-later: refund-taken-back': everyNthTime(3),
    'no-credits-forgiven: run-on-credit, 1.5 s after a run was refused with 402': afterUninterruptedEvents(
      priorEventById('run-402'),
      1_500,
    ),
    'DOC-KEEPS-CONTENT_MD doc-content-expires: document-read-empty': whenResourceOlderThan(2_500),
    'doc-leaves-folder: documents-leave-folder': alwaysMetCondition,
    'NOTIFICATION-STAYS-READ mark-read-forgotten: mark-forgotten': alwaysMetCondition,
    'KEY-WORKS key-unused-expires: A created key that was not used for two seconds is refused.': {
      mutate: () => refuseCreatedKeysWhere(({ last }, now) => now - last >= 2_000),
    },
  }),
  whom: defectsOf({
    'RUN-COSTS-AT-ONCE run-by-created-key-free: runTask-free': everyNthTime(2, createdKeyRestriction),
    'BUSY-REFUND refund-of-created-key-kept: refund-lost, if a created key has started it': nextTimeAfter(
      (one) => one.occasionKind === 'runTask' && isRequestAccepted(one) && isByCreatedKey(one),
    ),
    'TASK-READABLE tasks-die-with-key: task-missing, if the key that created it was deleted':
      conditionOnCreatorKey(
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
      afterRunOfOtherOrganization,
    'other-no-credits-refuses-us: run-refused, where another organization has no credit': ({ others }) =>
      others.some(({ ledger }) => !ledger.canReserve),
    'NOTIFICATION-READ-COUNT other-mark-read-lowers-unread: mark-marks-elsewhere': alwaysMetCondition,
    'ISOLATION-LIST-DOCUMENTS other-same-folder-shared: folder-shared': alwaysMetCondition,
    'other-namesake-overwrites: document-overwrites-theirs': alwaysMetCondition,
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
