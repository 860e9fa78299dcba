/** §3.3 Runs that meet a busy agent: how they are answered, whether they start, and what their tasks show meanwhile. */
import { Failure } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { HandlerCall } from '#mocks/handlers/views.ts'
import { combineMutations } from '../mutations/mutation.ts'
import {
  callAfterRunEnd,
  callAfterSettling,
  withDelayedEffects,
  withKnownOrganizations,
  withOtherOrganizationPredicate,
} from '../mutations/organizations.ts'
import {
  answerProviderStateRequests,
  type MutableJsonObject,
  replaceAnswersWithError,
} from '../mutations/reply.ts'
import { changeAnswer, replaceHandler } from '../mutations/rules.ts'
import { type Defect, defectForEach, defectsOfTable } from './defect.ts'
import { overrideTaskFinished, refuseRuns, runOfCall, taskOfCall } from './runs.ts'

/** True if a run has to wait: the agent is busy, and there is a credit for it. */
const waits = (call: HandlerCall<'runTask'>) => call.org.ledger.canReserve && call.org.agent.busy(call.now)

/** Answers a run that meets a busy agent with another error; the run starts all the same. */
const busyAs = (status: number, error: string) =>
  replaceAnswersWithError(
    (reply) => reply.status === 409 && (Object(reply.body) as MutableJsonObject).error === 'busy',
    [status, error],
    'runTask',
  )

const busyAnswers = [
  [500, 'internal_error'],
  [422, 'busy'],
  [409, 'invalid_request'],
] as const

/** Starts only the first ones of several runs that wait. */
function forgetsBeyond(most: number) {
  const waiting = new Map<Organization, number>()
  return replaceHandler('runTask', (call, usual) => {
    const { org, now } = call
    const before = org.agent.busy(now) ? (waiting.get(org) ?? 0) : 0
    if (before >= most && waits(call) && taskOfCall(call)?.run === null) return new Failure('busy')
    waiting.set(org, org.agent.busy(now) ? before + 1 : 0)
    return usual(call)
  })
}

/** The tasks of an organization whose runs wait for the busy agent. */
export const waitingTasksIn = ({ tasks }: Organization) =>
  tasks.newest(5, ({ run }) => run?.started_at === null)

/** At the end of a run, the tasks that wait are shown as finished, too, until their runs start. */
function finishesWaiting() {
  const finishedEarly = new Set<string>()
  return combineMutations(
    callAfterRunEnd((org) => waitingTasksIn(org).forEach(({ id }) => void finishedEarly.add(id))),
    overrideTaskFinished(true, (call) => finishedEarly.has(call.id) && runOfCall(call)?.started_at === null),
  )
}

/** Runs that wait when an outage begins never end. */
function forgetsInOutage() {
  const forgotten = new Set<string>()
  return withKnownOrganizations((known) =>
    combineMutations(
      answerProviderStateRequests(({ state, action }) => {
        if (state !== 'unavailable' || action !== 'setup') return undefined
        for (const { id } of [...known].flatMap(waitingTasksIn)) forgotten.add(id)
        return undefined
      }),
      overrideTaskFinished(false, ({ id }) => forgotten.has(id)),
    ),
  )
}

/** Runs that wait behind a run that fails never end, or not until a state is torn down. */
function dropsBehindFailure(
  until?: 'teardown',
  isMeant: (...end: Parameters<Parameters<typeof callAfterRunEnd>[0]>) => boolean = () => true,
) {
  const dropped = new Map<string, Organization>()
  return combineMutations(
    callAfterRunEnd((org, run, at) => {
      if (run.outcome !== 'failed' || !isMeant(org, run, at)) return
      for (const { id } of waitingTasksIn(org)) dropped.set(id, org)
    }),
    answerProviderStateRequests(({ state, action, params }) => {
      if (state === 'agent_busy' && action === until)
        for (const [id, org] of dropped) if (org.id === params?.org_id) dropped.delete(id)
      return undefined
    }),
    overrideTaskFinished(false, ({ id }) => dropped.has(id)),
  )
}

/** The first run that has to wait while the agent is busy is answered `busy`, but never starts. */
function forgetsFirstWaiting() {
  const waiting = new Map<Organization, string>()
  return replaceHandler('runTask', (call, usual) => {
    const { agent } = call.org
    const { free_since, other_work_until } = agent.times
    const spell = `${free_since} ${other_work_until}`
    const isFirst = waits(call) && taskOfCall(call)?.run === null && waiting.get(call.org) !== spell
    if (!isFirst) return usual(call)
    waiting.set(call.org, spell)
    return new Failure('busy')
  })
}

/** Deliberate defects of runs that are requested while the agent is busy. */
export const busyAgentDefects: readonly Defect[] = [
  ...defectForEach(busyAnswers, ([status, error]) => [
    `BUSY-ANSWER busy-as-${status}-${error.replaceAll('_', '-')}: A run that meets a busy agent is answered ${status} ${error}.`,
    busyAs(status, error),
  ]),
  ...defectsOfTable({
    'BUSY-ANSWER busy-not-found: A run that meets a busy agent is answered 404.': () =>
      replaceAnswersWithError([409], [404, 'not_found'], 'runTask'),
    'BUSY-ANSWER busy-bad-request: A run that meets a busy agent is answered 400 with the error invalid_request.':
      () => replaceAnswersWithError([409], [400, 'invalid_request'], 'runTask'),
    'BUSY-STARTS busy-dropped: A run that is answered busy is never started.': () =>
      refuseRuns('busy', waits),
    'BUSY-STARTS RUN-FINISHED-BY-STATUS busy-forgotten-in-outage: What waits when an outage begins never starts.':
      forgetsInOutage,
    'BUSY-STARTS busy-forgotten-at-last: Of several runs that wait, only the first starts.': () =>
      forgetsBeyond(1),
    'BUSY-STARTS busy-forgotten-beyond-two: Of several runs that wait, only the first two start.': () =>
      forgetsBeyond(2),
    'BUSY-STARTS busy-forgotten-at-first: Of several runs that wait, the first never starts.':
      forgetsFirstWaiting,
    'BUSY-STARTS RUN-FINISHED-BY-STATUS busy-dropped-at-zero: What waits never ends if no credit is left when it starts.':
      () => {
        const dropped = new Set<string>()
        return combineMutations(
          callAfterSettling(({ ledger, tasks }) => {
            const [task] = tasks.newest(1, ({ run }) => run?.started_at !== null && run?.ended === false)
            const waited = task?.run && task.run.started_at !== task.run.accepted_at
            if (waited && !ledger.canReserve) dropped.add(task.id)
          }),
          overrideTaskFinished(false, ({ id }) => dropped.has(id)),
        )
      },
    'BUSY-STARTS busy-dropped-elsewhere: What waits starts only in the organization that was first to ask for a run.':
      () => {
        let first: Organization | undefined
        return refuseRuns('busy', (call) => {
          first ??= call.org
          return call.org !== first && waits(call)
        })
      },
    'BUSY-STARTS RUN-FINISHED-BY-STATUS busy-dropped-by-failure: What waits behind a run that fails never ends.':
      () => dropsBehindFailure(),
    'BUSY-STARTS RUN-FINISHED-BY-STATUS busy-stuck-by-failure: What waits behind a run that fails waits for a teardown.':
      () => dropsBehindFailure('teardown'),
    'BUSY-STARTS RUN-FINISHED-BY-STATUS busy-stuck-by-later-failure: The first run that fails after it waited is not refunded, and what waits behind the next one waits for a teardown.':
      () => {
        let failures = 0
        return withDelayedEffects((arrange) =>
          dropsBehindFailure('teardown', (org, { accepted_at, started_at }, at) => {
            if (started_at === accepted_at) return false
            if (failures++ === 0) arrange(org, at, () => org.ledger.topUp(-1, at))
            return failures > 1
          }),
        )
      },
    'BUSY-FINISHED-STAYS busy-finished-early: A task whose run waits is finished, until the run starts.':
      () => overrideTaskFinished(true, (call) => runOfCall(call)?.started_at === null),
    'BUSY-FINISHED-STAYS busy-finished-early-elsewhere: A waiting task is finished at first, in all organizations but one.':
      () =>
        withOtherOrganizationPredicate((isElsewhere) =>
          overrideTaskFinished(true, (call) => isElsewhere(call.org) && runOfCall(call)?.started_at === null),
        ),
    'BUSY-FINISHED-STAYS run-again-waits-finished: A task that has run is shown as before while another run of it waits.':
      () => {
        const ended = new Map<string, string | null>()
        return combineMutations(
          callAfterRunEnd((_, { task_id, outcome }) => void ended.set(task_id, outcome)),
          changeAnswer('getTask', ({ task }, call) => {
            const status = ended.get(call.id)
            return runOfCall(call)?.started_at === null && status
              ? { finished: true, task: { ...task, status } }
              : undefined
          }),
        )
      },
    'BUSY-FINISHED-STAYS RUN-FINISHED-BY-STATUS busy-finished-with-another: The end of a run finishes what waits, until that starts.':
      finishesWaiting,
  }),
]
