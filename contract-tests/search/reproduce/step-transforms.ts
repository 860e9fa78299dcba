/** Transformations of steps: added waits and credits, other keys, new ids, repetition. */
import type { ModelState, ModelViolation } from '../../model/index.ts'
import type { SearchEnvironment } from '../execute/env.ts'
import {
  arrangesFailure,
  costsCredits,
  creatingStepIdOf,
  involvesTenant,
  mayChangeServiceState,
  type ResourceRef,
  referencedStepIds,
  requestsOfStep,
  type Step,
  type StepTenant,
  setsCredits,
  tenantsOfStep,
} from '../step.ts'

type Next = () => number

type Subject = ModelViolation['subject']

/** True if a violation rests on a comparison of balances. */
export const comparesBalances = ({ subject }: Pick<ModelViolation, 'subject'>) =>
  subject !== undefined && subject !== 'keys'

/** True for reads that may be stale: all but reads of a single resource. */
const readsEventuallyConsistent = (step: Step) =>
  requestsOfStep(step).some(
    ({ operation }) => !['getTask', 'getDocument', 'createDocument'].includes(operation),
  )

const arrangesNotification = (step: Step) => step.kind === 'state' && step.state === 'unread_notification'
const runsTask = (step: Step) => requestsOfStep(step).some(({ operation }) => operation === 'runTask')

/**
 * Adds waits to steps so that mere lateness cannot explain a violation. If balances are compared, it waits before the
 * balance is last set and before the last step.
 */
export function withConsistencyWaits(
  steps: readonly Step[],
  subject: Subject,
  {
    afterChangeMs,
    afterFailureMs,
  }: Pick<SearchEnvironment['replayWaits'], 'afterChangeMs' | 'afterFailureMs'>,
  nextStepId: Next,
  { failed }: ModelState['finalStatuses'],
): Step[] {
  const wait = (ms: number): Step => ({ kind: 'wait', stepId: nextStepId(), ms })
  if (!comparesBalances({ subject }))
    return steps.flatMap((step) =>
      readsEventuallyConsistent(step) && !mayChangeServiceState(step) ? [wait(afterChangeMs), step] : [step],
    )
  const [tenant] = tenantsOfStep(steps.at(-1) as Step)
  const isOwn = involvesTenant(tenant)
  const set = Math.max(
    0,
    steps.findLastIndex((step) => setsCredits(step) && isOwn(step)),
  )
  const parts = [steps.slice(0, set), steps.slice(set, -1), steps.slice(-1)] as const
  const isKnown = [...failed].some((status) => status.startsWith(`${tenant} `))
  const untilOver = (part: readonly Step[]) => {
    if (!part.some(costsCredits)) return []
    return [
      wait(
        part.some((step) => arrangesFailure(step) || (!isKnown && runsTask(step)))
          ? afterFailureMs
          : afterChangeMs,
      ),
    ]
  }
  const [before, since, last] = parts
  const begin = [...before, ...untilOver(before.filter(isOwn))]
  // Refunds only increase the balance, so an old reading suffices.
  if (subject === 'solvency')
    return [...begin, ...since.slice(0, 1), wait(afterChangeMs), ...since.slice(1), ...last]
  // Known ends of runs make the expected balance exact.
  const going = subject === 'balance' ? tasksWithPendingRuns(since, tenant as StepTenant) : []
  const ends = createAwaitRunSteps(going, tenant as StepTenant, nextStepId)
  // A consistent earlier reading makes the expected balance exact.
  const isReading = (step: Step) =>
    isOwn(step) && requestsOfStep(step).some(({ operation }) => operation === 'whoami')
  const read = since.flatMap((step, i) =>
    isReading(step) && since.slice(0, i).some(costsCredits) ? [wait(afterChangeMs), step] : [step],
  )
  return [
    ...begin,
    ...read,
    ...ends,
    ...(since.some(costsCredits) ? untilOver(since) : [wait(afterChangeMs)]),
    ...last,
  ]
}

/**
 * Adds, before a last step that waits for a run, waits for all other pending runs of the organization: shows whether
 * that run never ends, or only starts after the others.
 */
export function withOtherRunsAwaited(steps: readonly Step[], nextStepId: Next): readonly Step[] {
  const last = steps.at(-1)
  if (last?.kind !== 'awaitRun') return steps
  const { tenant } = last
  const [own] = referencedStepIds(last)
  const others = tasksWithPendingRuns(steps.slice(0, -1), tenant).filter(
    (target) => creatingStepIdOf(target) !== own,
  )
  return [...steps.slice(0, -1), ...createAwaitRunSteps(others, tenant, nextStepId), last]
}

/** Removes each wait for a run unless a step before it, and after the last such wait, requests a run of that task. */
export function withoutAwaitsOfUnstartedRuns(steps: readonly Step[]): Step[] {
  const going = new Set<number | undefined>()
  return steps.filter((step) => {
    for (const { operation, target } of requestsOfStep(step))
      if (operation === 'runTask') going.add(creatingStepIdOf(target))
    return step.kind !== 'awaitRun' || going.delete(referencedStepIds(step)[0])
  })
}

/** Steps that wait for the runs of tasks to end. */
export const createAwaitRunSteps = (
  tasks: readonly ResourceRef[],
  tenant: StepTenant,
  nextStepId: Next,
): Step[] => tasks.map((target) => ({ kind: 'awaitRun', stepId: nextStepId(), tenant, target }))

/** Steps with one ordinary and one failing run, by which the model learns their final statuses. */
export function ordinaryAndFailingRunSteps(tenant: StepTenant, nextStepId: Next): Step[] {
  const common = { kind: 'call', tenant, credential: 'key' } as const
  const task = {
    ...common,
    stepId: nextStepId(),
    operation: 'createTask',
    body: { text: 'Task {tag}' },
  } as const
  const target = { createdBy: task.stepId }
  const run = (): Step[] => [
    { ...common, stepId: nextStepId(), operation: 'runTask', target },
    ...createAwaitRunSteps([target], tenant, nextStepId),
  ]
  const fails: Step = { kind: 'state', stepId: nextStepId(), tenant, state: 'next_run_fails', params: {} }
  return withCreditsSetFirst([task, ...run(), fails, ...run()], nextStepId)
}

/** References to the tasks whose runs may be pending after the steps. */
export function tasksWithPendingRuns(steps: readonly Step[], tenant: StepTenant): ResourceRef[] {
  const going = new Map<number, ResourceRef>()
  for (const step of steps) {
    for (const { operation, target, tenant: own } of requestsOfStep(step)) {
      const createdBy = creatingStepIdOf(target)
      if (operation === 'runTask' && own === tenant && createdBy !== undefined)
        going.set(createdBy, { createdBy })
    }
    if (step.kind === 'awaitRun') for (const createdBy of referencedStepIds(step)) going.delete(createdBy)
  }
  return [...going.values()]
}

/**
 * Replaces created keys in steps by the operator's key, or by an invalid one where requests were refused, so that fewer
 * steps reproduce a violation.
 */
export function withOperatorKey(steps: readonly Step[], isRefused: (stepId: number) => boolean): Step[] {
  const merged = <T extends Step>(call: T): T =>
    call.kind === 'call' && typeof call.credential === 'object'
      ? { ...call, credential: isRefused(call.stepId) ? 'invalid' : 'key' }
      : call
  const used = new Set(steps.flatMap(requestsOfStep).map(({ target }) => creatingStepIdOf(target)))
  return steps
    .filter((step) => !(step.kind === 'call' && step.operation === 'createKey') || used.has(step.stepId))
    .map((step) => (step.kind === 'burst' ? { ...step, calls: step.calls.map(merged) } : merged(step)))
}

/** Puts a step in front that sets the balance, if the steps spend credits before they set it. */
export function withCreditsSetFirst(steps: Step[], nextStepId: Next): Step[] {
  const paid = steps.filter(costsCredits)
  const tenants = new Set(paid.flatMap(tenantsOfStep))
  const missing = [...tenants].filter((tenant) => {
    const first = steps.filter(involvesTenant(tenant)).find((step) => costsCredits(step) || setsCredits(step))
    return first && !setsCredits(first)
  })
  const credits = 2 * paid.flatMap(requestsOfStep).length + 3
  return [
    ...missing.map(
      (tenant): Step => ({
        kind: 'state',
        stepId: nextStepId(),
        tenant,
        state: 'credits',
        params: { credits },
      }),
    ),
    ...steps,
  ]
}

/** Minimum number of unread notifications: a defect that marks too many needs two. */
const minUnread = 2

/**
 * Puts steps in front that create unread notifications, if the steps read a list that showed some. `shown`: the number
 * that the list of a step showed.
 */
export function withUnreadNotifications(
  steps: readonly Step[],
  shown: (stepId: number) => number,
  nextStepId: Next,
): Step[] {
  const calls = steps.flatMap(requestsOfStep)
  const lists = calls.filter(({ operation }) => operation === 'listNotifications')
  const missing = [...Map.groupBy(lists, ({ tenant }) => tenant)].flatMap(([tenant, own]): Step[] => {
    const [first = 0, ...others] = own.map(({ stepId }) => stepId)
    const needed = calls.flatMap(({ target }) =>
      typeof target === 'object' && 'listed' in target && [first, ...others].includes(target.listed)
        ? target.nth + 2
        : [],
    )
    const isFirst = (step: Step) => requestsOfStep(step).some(({ stepId }) => stepId === first)
    const before = steps.slice(0, steps.findIndex(isFirst)).filter(involvesTenant(tenant))
    const length = Math.min(shown(first), Math.max(minUnread, ...needed))
    return Array.from({ length: Math.max(0, length - before.filter(arrangesNotification).length) }, () => ({
      ...{ kind: 'state', stepId: nextStepId(), tenant, state: 'unread_notification', params: {} },
    }))
  })
  return [...missing, ...steps]
}

/** Renumbers steps from 1, so that equal sequences compare equal. */
export function normalizeStepIds(steps: readonly Step[]): Step[] {
  const numbers = new Map<number, number>()
  for (const step of steps)
    for (const { stepId } of [step, ...requestsOfStep(step)]) numbers.set(stepId, numbers.size + 1)
  return steps.map((step) => renumberedValue(step, (stepId) => numbers.get(stepId) ?? stepId))
}

/** A step with new ids, including its references. */
function renumberedValue<T>(value: T, renumber: (stepId: number) => number): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => renumberedValue(one, renumber)) as T
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) =>
      typeof one === 'number' && (name === 'stepId' || name === 'createdBy' || name === 'listed')
        ? [name, renumber(one)]
        : [name, name === 'body' || name === 'params' ? one : renumberedValue(one, renumber)],
    ),
  ) as T
}
