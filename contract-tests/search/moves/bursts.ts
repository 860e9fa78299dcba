/** Several requests at once: of one kind, on one thing, of any kind, and of two organizations. */
import { type Draw, drawFor, type Move, many, move } from '../draw.ts'
import type { CallStep, Ref, Step } from '../step.ts'
import { deletion, newKey } from './notifications.ts'
import { newCreative, taskToRun } from './runs.ts'
import { newDocument, newTask } from './tasks.ts'

/** A task that exists, to be run at once with others. */
const run = (d: Draw): CallStep[] => {
  const task = d.paid ? d.thing('task') : undefined
  return task ? [d.call('runTask', { of: { made: task.made } })] : []
}

const read = (d: Draw, kind: 'task' | 'document'): CallStep[] => {
  const thing = d.thing(kind)
  return thing ? [d.call(kind === 'task' ? 'getTask' : 'getDocument', { of: { made: thing.made } })] : []
}

const mark = (d: Draw): CallStep[] => {
  const one = d.random.pick(d.inventory.notifications(d.tenant, true))
  return one ? [d.call('readNotification', { of: one })] : []
}

const remove = (d: Draw): CallStep[] => {
  const key = d.offers.session(d.tenant) ? d.random.pick(d.inventory.keys(d.tenant)) : undefined
  return key ? [deletion(d, key)] : []
}

const creative = (d: Draw) => (d.paid && d.offers.extended ? [newCreative(d)] : [])
const key = (d: Draw) =>
  d.offers.session(d.tenant) && d.inventory.keys(d.tenant).length < 10 ? [newKey(d)] : []

/** The kinds of request that are about one thing. */
const kindsOfOne: readonly ((d: Draw) => CallStep[])[] = [
  (d) => [newTask(d)],
  (d) => [newDocument(d)],
  run,
  (d) => read(d, 'task'),
  (d) => read(d, 'document'),
  mark,
  creative,
  key,
  remove,
]

/** Every kind of request that may be part of a burst. */
const singles: readonly ((d: Draw) => CallStep[])[] = [
  ...kindsOfOne,
  run,
  (d) => [d.call('whoami')],
  (d) => [d.call('whoami')],
  (d) => [d.call('listTasks')],
  (d) => [d.call('listDocuments', { query: { all: '1' } })],
  (d) => [d.call('listNotifications')],
]

const size = (d: Draw) => 2 + d.random.below(Math.max(1, d.offers.clients - 1))

/** Waits for the runs that are going, so that the balance is known. */
const calm = (d: Draw): Step[] =>
  d.inventory.of('task', d.tenant).flatMap(({ isGoing, made }) => (isGoing ? d.end({ made }) : []))

/** The burst, with a look at the balance before and after, and waits for the runs that it may have started. */
function around(d: Draw, calls: readonly CallStep[]): Step[] {
  if (calls.length < 2) return []
  const runs = calls.filter(({ operation }) => operation === 'runTask')
  return [
    ...(d.paid ? calm(d) : []),
    d.call('whoami', { as: 'key' }),
    d.burst(calls),
    ...runs.map(({ of, tenant }) => drawFor(tenant, d).end(of as Ref)),
    ...calls.flatMap((call) => readingOf(d, call)).slice(-2),
    ...d.settled(),
  ]
}

/** A look at what a request may have created. */
function readingOf(d: Draw, { operation, tenant, at }: CallStep): Step[] {
  const reading = ({ createTask: 'getTask', createDocument: 'getDocument' } as const)[operation as string]
  return reading ? [drawFor(tenant, d).call(reading, { of: { made: at } })] : []
}

const unique = (calls: readonly CallStep[]) => {
  const seen = new Set<string>()
  return calls.filter(({ of }) => !seen.has(JSON.stringify(of)) && seen.add(JSON.stringify(of)))
}

export const bursts: readonly Move[] = [
  move('burst of one kind', 2, (d) => {
    const single = d.random.pick(d.paid && d.random.chance(0.5) ? [run, creative] : singles)
    return around(d, many(size(d), () => single?.(d) ?? []).flat())
  }),
  move('burst of any kind', 2, (d) => {
    const length = size(d)
    const kinds = many(Math.min(length, 2 + d.random.below(4)), () => d.random.pick(singles))
    const more = many(length - kinds.length, () => d.random.pick(kinds))
    const calls = [...more, ...kinds].flatMap((kind) => kind?.(d) ?? [])
    return around(d, calls)
  }),
  move('burst of different kinds', 1.5, (d) => {
    const kinds = many(size(d), () => d.random.pick(d.random.chance(0.5) ? kindsOfOne : singles))
    const calls = [...new Set(kinds)].flatMap((kind) => kind?.(d) ?? [])
    return around(d, calls)
  }),
  move('burst of runs', 2, (d) => {
    if (!d.paid) return []
    const isAgain = d.random.chance(0.4)
    const ended = () => d.thing('task', ({ runs }) => runs > 0)
    const tasks = many(size(d), () => taskToRun(d, isAgain ? ended() : undefined))
    const isScarce = d.random.chance(0.5)
    const scarce = isScarce ? d.state('credits', { credits: d.random.below(tasks.length) }) : []
    const calls = unique(tasks.map(({ of }) => d.call('runTask', { of })))
    const extra = d.random.chance(0.4) ? creative(d) : []
    return [...tasks.flatMap(({ first }) => first), ...scarce, ...around(d, [...calls, ...extra])]
  }),
  move('burst beside refusals', 0.5, (d) => {
    const { of, first } = taskToRun(d)
    const isBroke = d.random.chance(0.3)
    const refused = isBroke ? d.state('credits', { credits: 0 }) : d.paid ? [d.call('runTask', { of })] : []
    const again = d.paid ? [d.call('runTask', { of })] : [d.call('createTask', { body: {} })]
    const calls = many(size(d) - 1, () => d.random.pick(kindsOfOne)?.(d) ?? []).flat()
    return [...first, ...refused, ...around(d, [...again, ...calls])]
  }),
  move('burst on one thing', 1.5, (d) => {
    const single = d.random.pick([run, mark, remove, (one: Draw) => read(one, 'task')])?.(d)[0]
    if (!single) return []
    const { operation, as } = single
    const calls = many(size(d), () => d.call(operation, { of: single.of as Ref, as }))
    return around(d, calls)
  }),
  move('burst of namesakes', 1, (d) => {
    const single = d.random.pick([newTask, newDocument, ...key(d).map((one) => () => one)])?.(d)
    if (!single) return []
    const { operation, as, body } = single
    const content = () =>
      operation === 'createDocument' ? { content_md: `Content ${d.random.below(1_000)}` } : {}
    const again = () => ({ as, body: { ...(body as object), ...content() } })
    const calls = many(size(d), () => d.call(operation, again()))
    return around(d, calls)
  }),
  move('burst of two organizations', 2.5, (d) => {
    const single = d.random.pick(singles)
    const any = d.random.chance(0.5)
    const calls = many(size(d), () => {
      const tenant = d.random.pick(d.offers.tenants) ?? d.tenant
      return (any ? d.random.pick(singles) : single)?.(drawFor(tenant, d)) ?? []
    }).flat()
    return d.offers.tenants.length < 2 ? [] : around(d, calls)
  }),
]
