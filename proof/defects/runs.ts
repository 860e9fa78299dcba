/** §3, §4 Tasks: runs that are refused, wait, never end, or are reported wrongly. */

import { setImmediate } from 'node:timers/promises'
import type { FailureName } from '#contract/errors.ts'
import type { AnswerOf } from '#contract/operation.ts'
import { Failure } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Task } from '#mocks/core/resources.ts'
import { startOrQueueRun } from '#mocks/core/tasks.ts'
import type { HandlerCall } from '#mocks/handlers/views.ts'
import { combineMutations, type Mutation } from '../mutations/mutation.ts'
import {
  callAfterRunEnd,
  callAfterSettling,
  withDelayedEffects,
  withKnownOrganizations,
} from '../mutations/organizations.ts'
import {
  changeField,
  changeItems,
  type MutableJsonObject,
  replaceAnswersWithError,
} from '../mutations/reply.ts'
import {
  callAfterHandling,
  changeAnswer,
  giveCreditBeforeHandling,
  giveCreditsAfterHandling,
  refuseRequests,
  replaceHandler,
} from '../mutations/rules.ts'
import { type Defect, defectsOfTable } from './defect.ts'

/** The task that a request names; undefined if there is none. */
export const taskOfCall = ({ org, id }: HandlerCall<'runTask'> | HandlerCall<'getTask'>) => org.tasks.get(id)

/** The last run of the task that a request names; null or undefined: there is none. */
export const runOfCall = (call: HandlerCall<'runTask'> | HandlerCall<'getTask'>) => taskOfCall(call)?.run

/** Creates a mutation (a change of a mock) that refuses the runs of existing tasks, or some of them. */
export const refuseRuns = (
  name: FailureName,
  isMeant: (call: HandlerCall<'runTask'>) => unknown = () => true,
) => refuseRequests('runTask', name, (call) => taskOfCall(call) && isMeant(call))

/** Creates a mutation (a change of a mock) that changes the field `finished` in answers about a task. */
export const overrideTaskFinished = (value: boolean, isMeant: (call: HandlerCall<'getTask'>) => unknown) =>
  changeAnswer('getTask', (_, call) => (isMeant(call) ? { finished: value } : undefined))

/** Starts a run that was refused because its task was running, once that run has ended. */
function queued(start: (org: Organization, now: number) => void = () => undefined) {
  const again = new Map<Task, Organization>()
  return combineMutations(
    callAfterSettling((org, now) => {
      for (const [task, owner] of again)
        if (owner === org && task.run?.ended && !org.agent.busy(now) && again.delete(task)) {
          start(org, now)
          startOrQueueRun(org, task, now)
        }
    }),
    callAfterHandling('runTask', (call, outcome) => {
      const task = taskOfCall(call)
      if (task && outcome instanceof Failure && outcome.name === 'conflict') again.set(task, call.org)
    }),
  )
}

/** Runs a task again, for free, after its run has failed. */
const retried = () =>
  withDelayedEffects((arrange) =>
    callAfterRunEnd((org, { task_id, outcome, ends_at }) => {
      if (outcome !== 'failed' || ends_at === null) return
      arrange(org, ends_at + 300, (now) => {
        const task = org.tasks.get(task_id)
        org.ledger.topUp(1, now)
        if (task) startOrQueueRun(org, task, now)
      })
    }),
  )

/** Repeats the first list of tasks that was shown since the last creation. */
function keptLists() {
  const kept = new Map<Organization, object>()
  return combineMutations(
    callAfterHandling('createTask', ({ org }) => void kept.delete(org)),
    changeAnswer('listTasks', ({ items }, { org }) => {
      const list = kept.get(org) ?? { items }
      kept.set(org, list)
      return list
    }),
  )
}

/** Never shows every fourth run that starts at once as finished. */
function fourthNeverEnds() {
  const taken: string[] = []
  return combineMutations(
    changeAnswer('runTask', (_, { id }) => void taken.push(id)),
    changeAnswer('getTask', ({ task }, { id }) =>
      taken.some((one, i) => one === id && (i + 1) % 4 === 0)
        ? { finished: false, task: { ...task, status: 'in_progress' } }
        : undefined,
    ),
  )
}

/** Some accepted runs never begin, as if the worker had looked for runs before they were stored and never again. */
function forgetRuns(isMeant: (place: number) => boolean) {
  const taken: string[] = []
  return combineMutations(
    callAfterHandling('runTask', ({ id }, outcome) => {
      if (!(outcome instanceof Failure) || outcome.name === 'busy') taken.push(id)
    }),
    changeAnswer('getTask', ({ task }, { id }) =>
      isMeant(taken.indexOf(id)) ? { finished: false, task: { ...task, status: 'queued' } } : undefined,
    ),
    changeField('listTasks', 'items.*.status', (status, { id }) =>
      isMeant(taken.indexOf(String(id))) ? 'queued' : status,
    ),
  )
}

/** Executes each second request to run a new task twice, so that it is answered 409 invalid_request. */
function executedTwice() {
  let runs = 0
  return replaceHandler('runTask', (call, usual) => {
    const isNew = taskOfCall(call)?.run === null && !call.org.agent.busy(call.now)
    const outcome = usual(call)
    return isNew && !(outcome instanceof Failure) && ++runs % 2 === 0 ? usual(call) : outcome
  })
}

/** Never finishes a run during which another one was requested. */
function cutShort() {
  const cut = new Set<string>()
  return combineMutations(
    replaceHandler('runTask', (call, usual) => {
      const isGoing = ({ run }: Task) => run !== null && !run.ended && run.started_at !== null
      const going = call.org.tasks.newest(5).find(isGoing)
      const outcome = usual(call)
      const isBusy = outcome instanceof Failure && outcome.name === 'busy'
      if (going && going.id !== call.id && isBusy) cut.add(going.id)
      return outcome
    }),
    overrideTaskFinished(false, ({ id }) => cut.has(id)),
  )
}

/** A run whose key is deleted before it begins never ends, as if a worker looked up the key then. */
function endlessWithoutKey() {
  const requestedBy = new Map<string, string>()
  return combineMutations(
    {
      async middleware({ request, operation }, next) {
        const task = new URL(request.url).pathname.split('/').at(-2) ?? ''
        if (operation === 'runTask') requestedBy.set(task, request.headers.get('authorization') ?? '')
        return next(request)
      },
    },
    replaceHandler('deleteKey', (call, usual) => {
      const { keys, tasks } = call.org
      const secret = keys.get(call.id)?.secret
      const waiting = tasks
        .newest(100)
        .flatMap(({ id, run }) => (run?.started_at === null ? [{ id, run }] : []))
      for (const { id, run } of waiting)
        if (requestedBy.get(id) === `Bearer ${secret}`) run.duration_ms = 1e12
      return usual(call)
    }),
  )
}

/** Once the creation of a document is answered, saves the balances from before it, which undoes charges meanwhile. */
const chargeUndone = () =>
  withKnownOrganizations((known) => ({
    async middleware({ request, operation, mock }, next) {
      if (operation !== 'createDocument') return next(request)
      const before = [...known].map((org) => [org, org.ledger.balance] as const)
      const response = await next(request)
      await setImmediate(undefined)
      for (const [{ ledger }, balance] of before)
        if (ledger.balance < balance) ledger.topUp(balance - ledger.balance, mock.clock.now())
      return response
    },
  }))

/**
 * Answers the run of a task that runs already with that run, if `isMeant` picks it; no run starts, and it costs
 * nothing.
 */
const replayRuns = (isMeant: (run: NonNullable<Task['run']>) => boolean): Mutation =>
  replaceHandler('runTask', (call, usual) => {
    const run = runOfCall(call)
    if (!run || run.ended || !isMeant(run)) return usual(call)
    const { id, org } = call
    return { ok: true, taskId: id, runId: org.newId('run'), status: 'in_progress', finished: false }
  })

/** Deliberate defects of runs that are refused, wait, never end, or are reported wrongly. */
export const runDefects: readonly Defect[] = defectsOfTable({
  'RUN-ACCEPTED run-refused: Every run is refused with 409 invalid_request.': () => refuseRuns('conflict'),
  'RUN-ACCEPTED TASK-NEW-IDLE run-begun-at-creation: A task says in_progress from the first, so that no run is taken.':
    () =>
      combineMutations(
        changeField(['createTask', 'getTask'], 'task.status', 'in_progress'),
        refuseRuns('conflict'),
      ),
  'RUN-ACCEPTED run-executed-twice: Each second run of a new task is made twice, and answered as the second of them.':
    executedTwice,
  'RUN-ACCEPTED run-no-credits-always: Every run is refused with 402 at any balance.': () =>
    refuseRuns('no_credits'),
  'RUN-UNKNOWN ISOLATION-RUN-TASK run-unknown-invalid-request: runTask of an unknown task is answered with invalid_request.':
    () => replaceAnswersWithError([404], [400, 'invalid_request'], 'runTask'),
  'RUN-ENDS run-never-finished: A task is never finished.': () => changeField('getTask', 'finished', false),
  'RUN-ENDS run-completed-never-finished: A task is finished only where its run failed.': () =>
    changeField('getTask', 'finished', (_, { task }) => (task as MutableJsonObject).status === 'failed'),
  'RUN-ENDS run-longer-than-the-poll: A task is finished 90 s after its run has ended.': () =>
    overrideTaskFinished(false, (call) => {
      const run = runOfCall(call)
      return run?.ended && call.now < (run.ends_at ?? 0) + 90_000
    }),
  'RUN-IN-PROGRESS-UNFINISHED run-finished-at-once: A task is finished as soon as its run is accepted.': () =>
    overrideTaskFinished(true, runOfCall),
  'RUN-FINISHED-STAYS BUSY-FINISHED-STAYS RUN-LISTED-STATUS run-forgotten: A finished task returns to pending after it was read.':
    () =>
      callAfterHandling('getTask', (call) => {
        const task = taskOfCall(call)
        if (task?.run?.ended) task.run = null
      }),
  'RUN-FINISHED-STAYS run-ended-on-one-replica: For 400 ms after its end, each third read of a task shows its run in progress.':
    () => {
      let reads = 0
      return changeAnswer('getTask', ({ task }, call) => {
        const { ended, ends_at } = runOfCall(call) ?? {}
        const isLate = ended && call.now - (ends_at ?? 0) < 400 && ++reads % 3 === 0
        return isLate ? { finished: false, task: { ...task, status: 'in_progress' } } : undefined
      })
    },
  'RUN-FINISHED-STAYS run-retried: A run that failed is repeated by itself after 300 ms.': retried,
  'RUN-FINISHED-STAYS RUN-FINISHED-BY-STATUS BUSY-FINISHED-STAYS run-unfinished-later: A task is not finished any more two seconds after its run has ended.':
    () => overrideTaskFinished(false, (call) => call.now - (runOfCall(call)?.ends_at ?? Infinity) > 2_000),
  'RUN-FINISHED-BY-STATUS run-finished-late: finished is still false in the first read after the end.':
    () => {
      const looked = new Set<string>()
      return overrideTaskFinished(false, (call) => {
        const run = runOfCall(call)
        return run?.ended && looked.size < looked.add(run.id).size
      })
    },
  'RUN-LISTED-RUNNING run-unlisted-until-its-end: A task that runs is not listed.': () =>
    changeItems('listTasks', (list) => list.filter(({ status }) => status !== 'in_progress')),
  'RUN-LISTED run-unlisted: A task that has run is no longer listed.': () =>
    changeItems('listTasks', (list) =>
      list.filter(({ status }) => !['completed', 'failed'].includes(status)),
    ),
  'RUN-LISTED run-failed-unlisted: A task whose run failed is no longer listed.': () =>
    changeItems('listTasks', (list) => list.filter(({ status }) => status !== 'failed')),
  'RUN-LISTED-STATUS run-listed-pending: The list gives every task the status pending.': () =>
    changeField('listTasks', 'items.*.status', 'pending'),
  'RUN-LISTED-STATUS run-failed-listed-in-progress: The list gives a task whose run failed the status in_progress.':
    () =>
      changeField('listTasks', 'items.*.status', (status) => (status === 'failed' ? 'in_progress' : status)),
  'RUN-LISTED-STATUS run-again-listed-in-progress: The list gives a task that has run twice the status in_progress.':
    () => {
      const runs = new Map<string, number>()
      return combineMutations(
        changeAnswer('runTask', (_, { id }) => void runs.set(id, (runs.get(id) ?? 0) + 1)),
        changeField('listTasks', 'items.*.status', (status, { id }) =>
          (runs.get(String(id)) ?? 0) > 1 ? 'in_progress' : status,
        ),
      )
    },
  'RUN-LISTED-STATUS run-listed-as-first-seen: The list keeps the status that it gave first to a task that has run.':
    () => {
      const seen = new Map<string, unknown>()
      return changeField('listTasks', 'items.*.status', (status, { id }) => {
        if (status === 'pending') return status
        if (!seen.has(String(id))) seen.set(String(id), status)
        return seen.get(String(id))
      })
    },
  'RUN-LISTED-STATUS run-list-kept: The list of tasks is kept until a task is created.': keptLists,
  'RUN-KEEPS-TASK run-overwrites-text: A run replaces the text of its task by its result.': () =>
    changeField('getTask', 'task.text', (text, { finished_at }) => (finished_at ? `Done: ${text}` : text)),
  'RUN-KEEPS-TASK run-cuts-text: A run cuts the text of its task after 255 characters.': () =>
    changeField('getTask', 'task.text', (text, { finished_at }) =>
      finished_at ? String(text).slice(0, 255) : text,
    ),
  'RUN-ENDS run-breaks-at-percent: The run of a task whose text has a percent sign never ends.': () =>
    overrideTaskFinished(false, (call) => runOfCall(call) && taskOfCall(call)?.text.includes('%')),
  'RUN-ENDS run-of-long-text-never-ends: The run of a task whose text is longer than 2,000 characters never ends.':
    () =>
      overrideTaskFinished(false, (call) => runOfCall(call) && (taskOfCall(call)?.text.length ?? 0) > 2_000),
  'RUN-ENDS run-fourth-never-ends: Each fourth run that starts at once never ends.': fourthNeverEnds,
  'RUN-ENDS run-seventh-forgotten: Each seventh accepted run never begins.': () =>
    forgetRuns((place) => place % 7 === 6),
  'BUSY-STARTS run-tenth-forgotten: The tenth accepted run never begins.': () =>
    forgetRuns((place) => place === 9),
  'BUSY-STARTS run-twentieth-forgotten: The twentieth accepted run never begins.': () =>
    forgetRuns((place) => place === 19),
  'BUSY-STARTS run-endless-without-key: A run whose key is deleted while it waits never ends.':
    endlessWithoutKey,
  'RUN-FINISHED-STAYS run-again-old-end: A task that is run again at once shows its last end for 300 ms more.':
    () => {
      const ended = new Map<string, AnswerOf<'getTask'>>()
      return changeAnswer('getTask', (answer, { org, id, now }) => {
        if (answer.finished) ended.set(id, answer)
        const { run } = org.tasks.get(id) ?? {}
        const isNew = run?.started_at === run?.accepted_at && now < (run?.accepted_at ?? 0) + 300
        return isNew ? ended.get(id) : undefined
      })
    },
  'RUN-AGAIN run-again-not-found: Running a finished task again is answered 404.': () =>
    refuseRuns('not_found', (call) => runOfCall(call)?.ended),
  'RUN-AGAIN run-again-fails: Running a finished task again is answered 500.': () =>
    refuseRuns('internal_error', (call) => runOfCall(call)?.ended),
  'RUN-AGAIN NO-CREDITS-PERSISTS run-again-free: Running a finished task again is free.': () =>
    giveCreditBeforeHandling('runTask', (call) => runOfCall(call)?.ended),
  'RUN-AGAIN charge-undone: Creating a document writes back the balance from before at its end.':
    chargeUndone,
  'RUN-AGAIN run-again-never-ends: A second run of a task never ends.': () =>
    replaceHandler('runTask', (call, usual) =>
      usual(runOfCall(call)?.ended ? { ...call, runOverrides: { duration_ms: 1e12 } } : call),
    ),
  'RUN-TWICE run-twice-costs: A run that is refused since its task runs already costs a credit.': () =>
    giveCreditsAfterHandling(-1, 'runTask', 'conflict'),
  'RUN-TWICE run-twice-replayed: A run of a task that is already running is answered as accepted, is not made, and costs nothing.':
    () => replayRuns(() => true),
  'RUN-TWICE run-twice-replayed-in-progress: A run of a task that is in progress is answered as accepted, is not made, and costs nothing.':
    () => replayRuns(({ started_at }) => started_at !== null),
  'RUN-REFUSED-LATER run-twice-free: A run that is refused since its task runs already is made all the same, afterwards and for free.':
    () => queued((org, now) => org.ledger.topUp(1, now)),
  'RUN-TWICE RUN-REFUSED-LATER run-twice-queued: A run that is refused since its task runs already is made all the same, afterwards.':
    () => queued(),
  'RUN-BESIDE RUN-FINISHED-BY-STATUS run-cut-short: A run never finishes if another one was requested meanwhile.':
    cutShort,
  'NO-CREDITS-RECOVERS busy-after-no-credits: Once a run was refused with 402, each run is answered busy and never starts.':
    () => {
      const broke = new Set<Organization>()
      return combineMutations(
        refuseRequests('runTask', 'busy', (call) => broke.has(call.org) && call.org.ledger.canReserve),
        callAfterHandling('runTask', ({ org }, outcome) => {
          if (outcome instanceof Failure && outcome.name === 'no_credits') broke.add(org)
        }),
      )
    },
  'CREDITS-FAILED-FINISHED credits-failed-never-finished: A task whose run failed is never finished.': () =>
    overrideTaskFinished(false, (call) => runOfCall(call)?.outcome === 'failed'),
  'RUN-TASK-ID run-other-task-id (first): taskId of a run is the id of the run.': () =>
    changeField('runTask', 'taskId', (id) => String(id).replace('task', 'run')),
  'RUN-ANSWER-FINISHED RUN-IN-PROGRESS-UNFINISHED run-answered-finished (first): The answer to a run says finished while the run is active.':
    () => changeField('runTask', 'finished', true),
  'RUN-ANSWER-FINISHED run-answered-as-before (first): The answer to another run of a task says that it is finished.':
    () =>
      replaceHandler('runTask', (call, usual) => {
        const isAgain = runOfCall(call)?.ended
        const outcome = usual(call)
        return isAgain && !(outcome instanceof Failure)
          ? { ...outcome, status: 'completed', finished: true }
          : outcome
      }),
  'RUN-OK run-not-ok (second): ok of an accepted run is false.': () => changeField('runTask', 'ok', false),
  'RUN-ID-UNIQUE run-same-id (second): Every run has the same runId.': () =>
    changeField('runTask', 'runId', 'run_1'),
})
