/** Runs: one after the other, again, behind each other, to fail, and without a credit; and the extended route set. */
import { type Draw, type Move, many, move } from '../draw.ts'
import type { Thing } from '../inventory.ts'
import { drawText } from '../random.ts'
import type { CallStep, Ref, Step } from '../step.ts'
import { newTask } from './tasks.ts'

/** A task to run, the given one if there is one, and the step that makes it if it is new. */
export function taskToRun(d: Draw, given?: Thing): { of: Ref; first: Step[] } {
  const known = given ?? (d.random.chance(0.6) ? d.thing('task') : undefined)
  if (known) return { of: { made: known.made }, first: [] }
  const task = newTask(d)
  return { of: { made: task.at }, first: [task] }
}

export const run = (d: Draw, of: Ref) => d.call('runTask', { of })
export const fails = (d: Draw, chance: number) => (d.random.chance(chance) ? d.state('next_run_fails') : [])

/** A request that generates a creative. */
export const newCreative = (d: Draw): CallStep =>
  d.call('generateCreative', { body: { prompt: drawText(d.random, 'Prompt').slice(0, 150) } })

/** Runs a task and waits for the end. */
const wholeRun = (d: Draw, of: Ref, failing: number): Step[] => [
  ...fails(d, failing),
  run(d, of),
  d.end(of),
  ...d.balance(),
]

export const runs: readonly Move[] = [
  move('runs', 3, (d) => {
    const { of, first } = taskToRun(d)
    return d.thenSettled([...first, ...d.balance(), ...wholeRun(d, of, 0.3)])
  }),
  move('runs again', 3, (d) => {
    const { of, first } = taskToRun(d)
    const failing = d.random.pick([0, 0.5, 1]) ?? 0
    const again = many(1 + d.times(4), () => wholeRun(d, of, failing))
    return d.thenSettled([...first, d.call('whoami'), ...again.flat()])
  }),
  move('failing runs', 2, (d) => {
    const failures = many(1 + d.times(5), () => {
      const { of, first } = taskToRun(d)
      return [...first, ...wholeRun(d, of, 0.9)]
    })
    return d.thenSettled([d.call('whoami'), ...failures.flat()])
  }),
  move('waiting runs', 2, (d) => {
    const all = many(2 + d.times(4), () => taskToRun(d))
    const busy = d.random.chance(0.3) ? d.state('agent_busy', { duration_ms: 150 }) : []
    return d.thenSettled([
      ...all.flatMap(({ first }) => first),
      d.call('whoami'),
      ...fails(d, 0.7),
      ...busy,
      ...all.flatMap(({ of }) => [run(d, of), ...d.balance()]),
      ...(d.random.chance(0.5) ? [newTask(d)] : []),
      ...all.map(({ of }) => d.end(of)),
    ])
  }),
  move('failing runs that wait', 1.5, (d) => {
    const times = many(1 + d.times(3), () => {
      const { of, first } = taskToRun(d)
      const busy = d.state('agent_busy', { duration_ms: 60 })
      return [...first, ...busy, ...fails(d, 0.9), run(d, of), d.end(of), ...d.balance()]
    })
    return d.thenSettled([d.call('whoami'), ...times.flat()])
  }),
  move('runs at the end of another', 0.6, (d) => {
    const [ahead, ...tasks] = many(3 + d.random.below(6), () => newTask(d))
    const [first, second, ...others] = [ahead, ...tasks].map((one) => ({ made: one?.at ?? 0 }))
    if (!ahead || !first || !second) return []
    const runs = [
      run(d, first),
      run(d, second),
      d.wait(d.offers.runTimes.run * (0.7 + d.random.below(30) / 100)),
      ...others.map((of) => run(d, of)),
    ]
    return d.thenSettled([ahead, ...tasks, ...runs, ...[first, second, ...others].map((of) => d.end(of))])
  }),
  move('look at waiting runs', 1, (d) => {
    const [ahead, waiting] = [newTask(d), newTask(d)]
    const [first, second] = [{ made: ahead.at }, { made: waiting.at }]
    const looks = many(d.times(6), () => d.call('getTask', { of: second }))
    const runs = [...fails(d, 0.3), run(d, first), run(d, second), ...looks]
    return d.thenSettled([ahead, waiting, d.call('whoami'), ...runs, d.end(first), d.end(second)])
  }),
  move('runs of going tasks', 1, (d) => {
    const { of, first } = taskToRun(d)
    const again = many(d.times(3), () => run(d, of))
    const steps = [...first, d.call('whoami'), ...fails(d, 0.3), run(d, of), ...again, d.end(of)]
    return d.thenSettled(steps)
  }),
  move('creatives during runs', 2, (d) => {
    if (!d.offers.extended) return []
    const { of, first } = taskToRun(d)
    const meanwhile = many(d.times(3), () => newCreative(d))
    return d.thenSettled([...first, d.call('whoami'), ...fails(d, 0.7), run(d, of), ...meanwhile, d.end(of)])
  }),
  move('few credits', 1.5, (d) => {
    const { of, first } = taskToRun(d)
    const credits = d.random.below(3)
    const tries = many(credits + 1 + d.random.below(6), () => wholeRun(d, of, 0.2))
    // Once credits are there again, runs cost what they cost before.
    const later = d.state('credits', { credits: 3 + d.random.below(4) })
    const again = later.length > 0 ? [d.call('whoami'), ...wholeRun(d, of, 0.3), ...d.settled()] : []
    return [...d.state('credits', { credits }), ...first, ...tries.flat(), ...d.settled(), ...later, ...again]
  }),
  move('credits', 1.5, (d) => [
    ...d.state('credits', {
      credits: d.random.pick([1, 2, 3, 5, 10, 40, 200, 70_000, 5_000_000]) ?? 5,
    }),
    d.call('whoami'),
    ...(d.random.chance(0.5) ? [d.call('listTasks')] : []),
  ]),
  move('unanswered runs', 0.5, (d) => {
    const { of, first } = taskToRun(d)
    return [...first, run(d, of), d.call('listTasks'), newTask(d)]
  }),
]

const whenOffered = (id: string, weight: number, draw: Move['draw']): Move =>
  move(id, weight, (d) => (d.offers.extended ? draw(d) : []))

const whenPaid = (id: string, weight: number, draw: Move['draw']): Move =>
  whenOffered(id, weight, (d) => (d.paid ? draw(d) : []))

export const creatives: readonly Move[] = [
  whenPaid('creatives', 1.5, (d) => [
    d.call('whoami'),
    ...many(d.times(5), () => [newCreative(d), ...d.balance()]).flat(),
    ...d.settled(),
  ]),
  whenPaid('failing creatives', 1.5, (d) => {
    const failures = many(1 + d.times(5), () => [
      ...d.state('next_creative_fails'),
      newCreative(d),
      ...d.balance(),
      ...(d.random.chance(0.3) ? [newCreative(d)] : []),
    ])
    return d.thenSettled([d.call('whoami'), ...failures.flat()])
  }),
]

export const pages: readonly Move[] = [
  whenOffered('landing pages', 1, (d) => {
    const known = d.random.chance(0.5) ? d.thing('page') : undefined
    const business_name = known?.name ?? `Business ${d.random.below(1_000)} {tag}`
    const page = () => d.call('createLandingPage', { body: { business_name } })
    return [...many(d.times(3), page), d.call('listLandingPages')]
  }),
  whenOffered('billing', 0.5, (d) => [d.call('getBilling')]),
]
