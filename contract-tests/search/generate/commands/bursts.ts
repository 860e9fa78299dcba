/** Several requests at once: of one kind, on one thing, of any kind, and of two organizations. */

import type { CallStep, ResourceRef, Step } from '../../step.ts'
import {
  builderForTenant,
  type Command,
  declareSearchCommand,
  repeatDraw,
  type StepBuilder,
} from '../generator.ts'
import { createKeyCall, deleteKeyCall } from './notifications.ts'
import { drawTaskToRun, generateCreativeCall } from './runs.ts'
import { createDocumentCall, createTaskCall } from './tasks.ts'

/** A request to run an existing task, for a burst; none if the generator may not spend credits or knows no task. */
const runBurstTask = (gen: StepBuilder): CallStep[] => {
  const task = gen.maySpendCredits ? gen.pickResource('task') : undefined
  return task ? [gen.call('runTask', { target: { createdBy: task.createdBy } })] : []
}

const readResource = (gen: StepBuilder, kind: 'task' | 'document'): CallStep[] => {
  const thing = gen.pickResource(kind)
  return thing
    ? [gen.call(kind === 'task' ? 'getTask' : 'getDocument', { target: { createdBy: thing.createdBy } })]
    : []
}

const markNotification = (gen: StepBuilder): CallStep[] => {
  const one = gen.random.pick(gen.inventory.notifications(gen.tenant, true))
  return one ? [gen.call('readNotification', { target: one })] : []
}

const deleteAnyKey = (gen: StepBuilder): CallStep[] => {
  const key = gen.capabilities.hasSession(gen.tenant)
    ? gen.random.pick(gen.inventory.workingKeys(gen.tenant))
    : undefined
  return key ? [deleteKeyCall(gen, key)] : []
}

const createCreative = (gen: StepBuilder) =>
  gen.maySpendCredits && gen.capabilities.extended ? [generateCreativeCall(gen)] : []
const createKey = (gen: StepBuilder) =>
  gen.capabilities.hasSession(gen.tenant) && gen.inventory.workingKeys(gen.tenant).length < 10
    ? [createKeyCall(gen)]
    : []

/** Requests about a single resource. */
const resourceRequests: readonly ((gen: StepBuilder) => CallStep[])[] = [
  (gen) => [createTaskCall(gen)],
  (gen) => [createDocumentCall(gen)],
  runBurstTask,
  (gen) => readResource(gen, 'task'),
  (gen) => readResource(gen, 'document'),
  markNotification,
  createCreative,
  createKey,
  deleteAnyKey,
]

/** Every kind of request that may be part of a burst. */
const requestKinds: readonly ((gen: StepBuilder) => CallStep[])[] = [
  ...resourceRequests,
  runBurstTask,
  (gen) => [gen.call('whoami')],
  (gen) => [gen.call('whoami')],
  (gen) => [gen.call('listTasks')],
  (gen) => [gen.call('listDocuments', { query: { all: '1' } })],
  (gen) => [gen.call('listNotifications')],
]

const burstSize = (gen: StepBuilder) => 2 + gen.random.below(Math.max(1, gen.capabilities.maxConcurrency - 1))

/** Waits for the runs that are going, so that the balance is known. */
const awaitPendingRuns = (gen: StepBuilder): Step[] =>
  gen.inventory
    .resourcesOf('task', gen.tenant)
    .flatMap(({ hasPendingRun, createdBy }) => (hasPendingRun ? gen.awaitRun({ createdBy }) : []))

/** The burst, with a look at the balance before and after, and waits for the runs that it may have started. */
function withReads(gen: StepBuilder, calls: readonly CallStep[]): Step[] {
  if (calls.length < 2) return []
  const runs = calls.filter(({ operation }) => operation === 'runTask')
  return [
    ...(gen.maySpendCredits ? awaitPendingRuns(gen) : []),
    gen.call('whoami', { credential: 'key' }),
    gen.burst(calls),
    ...runs.map(({ target, tenant }) => builderForTenant(tenant, gen).awaitRun(target as ResourceRef)),
    ...calls.flatMap((call) => readOfCreated(gen, call)).slice(-2),
    ...gen.finalRead(),
  ]
}

/** A look at what a request may have created. */
function readOfCreated(gen: StepBuilder, { operation, tenant, stepId }: CallStep): Step[] {
  const reading = ({ createTask: 'getTask', createDocument: 'getDocument' } as const)[operation as string]
  return reading ? [builderForTenant(tenant, gen).call(reading, { target: { createdBy: stepId } })] : []
}

const unique = (calls: readonly CallStep[]) => {
  const seen = new Set<string>()
  return calls.filter(({ target }) => !seen.has(JSON.stringify(target)) && seen.add(JSON.stringify(target)))
}

/** Commands of the search that send several requests at once. */
export const burstCommands: readonly Command[] = [
  declareSearchCommand('burst of one kind', 2, (gen) => {
    const single = gen.random.pick(
      gen.maySpendCredits && gen.random.withProbability(0.5) ? [runBurstTask, createCreative] : requestKinds,
    )
    return withReads(gen, repeatDraw(burstSize(gen), () => single?.(gen) ?? []).flat())
  }),
  declareSearchCommand('burst of any kind', 2, (gen) => {
    const length = burstSize(gen)
    const kinds = repeatDraw(Math.min(length, 2 + gen.random.below(4)), () => gen.random.pick(requestKinds))
    const more = repeatDraw(length - kinds.length, () => gen.random.pick(kinds))
    const calls = [...more, ...kinds].flatMap((kind) => kind?.(gen) ?? [])
    return withReads(gen, calls)
  }),
  declareSearchCommand('burst of different kinds', 1.5, (gen) => {
    const kinds = repeatDraw(burstSize(gen), () =>
      gen.random.pick(gen.random.withProbability(0.5) ? resourceRequests : requestKinds),
    )
    const calls = [...new Set(kinds)].flatMap((kind) => kind?.(gen) ?? [])
    return withReads(gen, calls)
  }),
  declareSearchCommand('burst of runs', 2, (gen) => {
    if (!gen.maySpendCredits) return []
    const isAgain = gen.random.withProbability(0.4)
    const ended = () => gen.pickResource('task', ({ runs }) => runs > 0)
    const tasks = repeatDraw(burstSize(gen), () => drawTaskToRun(gen, isAgain ? ended() : undefined))
    const isScarce = gen.random.withProbability(0.5)
    const scarce = isScarce ? gen.setState('credits', { credits: gen.random.below(tasks.length) }) : []
    const calls = unique(tasks.map(({ target }) => gen.call('runTask', { target })))
    const extra = gen.random.withProbability(0.4) ? createCreative(gen) : []
    return [...tasks.flatMap(({ first }) => first), ...scarce, ...withReads(gen, [...calls, ...extra])]
  }),
  declareSearchCommand('burst beside refusals', 0.5, (gen) => {
    const { target, first } = drawTaskToRun(gen)
    const isBroke = gen.random.withProbability(0.3)
    const refused = isBroke
      ? gen.setState('credits', { credits: 0 })
      : gen.maySpendCredits
        ? [gen.call('runTask', { target })]
        : []
    const again = gen.maySpendCredits
      ? [gen.call('runTask', { target })]
      : [gen.call('createTask', { body: {} })]
    const calls = repeatDraw(burstSize(gen) - 1, () => gen.random.pick(resourceRequests)?.(gen) ?? []).flat()
    return [...first, ...refused, ...withReads(gen, [...again, ...calls])]
  }),
  declareSearchCommand('burst on one thing', 1.5, (gen) => {
    const single = gen.random.pick([
      runBurstTask,
      markNotification,
      deleteAnyKey,
      (one: StepBuilder) => readResource(one, 'task'),
    ])?.(gen)[0]
    if (!single) return []
    const { operation, credential } = single
    const calls = repeatDraw(burstSize(gen), () =>
      gen.call(operation, { target: single.target as ResourceRef, credential }),
    )
    return withReads(gen, calls)
  }),
  declareSearchCommand('burst of namesakes', 1, (gen) => {
    const single = gen.random.pick([
      createTaskCall,
      createDocumentCall,
      ...createKey(gen).map((one) => () => one),
    ])?.(gen)
    if (!single) return []
    const { operation, credential, body } = single
    const content = () =>
      operation === 'createDocument' ? { content_md: `Content ${gen.random.below(1_000)}` } : {}
    const again = () => ({ credential, body: { ...(body as object), ...content() } })
    const calls = repeatDraw(burstSize(gen), () => gen.call(operation, again()))
    return withReads(gen, calls)
  }),
  declareSearchCommand('burst of two organizations', 2.5, (gen) => {
    const single = gen.random.pick(requestKinds)
    const any = gen.random.withProbability(0.5)
    const calls = repeatDraw(burstSize(gen), () => {
      const tenant = gen.random.pick(gen.capabilities.tenants) ?? gen.tenant
      return (any ? gen.random.pick(requestKinds) : single)?.(builderForTenant(tenant, gen)) ?? []
    }).flat()
    return gen.capabilities.tenants.length < 2 ? [] : withReads(gen, calls)
  }),
]
