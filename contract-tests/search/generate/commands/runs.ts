/** Runs: one after the other, again, behind each other, to fail, and without a credit; and the extended route set. */

import type { CallStep, ResourceRef, Step } from '../../step.ts'
import { type Command, declareSearchCommand, repeatDraw, type StepBuilder } from '../generator.ts'
import type { KnownResource } from '../inventory.ts'
import { drawText } from '../texts.ts'
import { createTaskCall } from './tasks.ts'

/** Draws a task to run: a reference to it, and the step that creates it if it is new. */
export function drawTaskToRun(
  gen: StepBuilder,
  given?: KnownResource,
): { target: ResourceRef; first: Step[] } {
  const known = given ?? (gen.random.withProbability(0.6) ? gen.pickResource('task') : undefined)
  if (known) return { target: { createdBy: known.createdBy }, first: [] }
  const task = createTaskCall(gen)
  return { target: { createdBy: task.stepId }, first: [task] }
}

/** A request to run a task. */
export const runTaskCall = (gen: StepBuilder, target: ResourceRef) => gen.call('runTask', { target })
/** A step that makes the next run fail, with a probability from 0 to 1. */
export const maybeArrangeFailure = (gen: StepBuilder, chance: number) =>
  gen.random.withProbability(chance) ? gen.setState('next_run_fails') : []

/** A request that generates a creative. */
export const generateCreativeCall = (gen: StepBuilder): CallStep =>
  gen.call('generateCreative', { body: { prompt: drawText(gen.random, 'Prompt').slice(0, 150) } })

/** Steps that run a task and wait for its end. `failing`: the probability that the run is made to fail. */
const wholeRun = (gen: StepBuilder, target: ResourceRef, failing: number): Step[] => [
  ...maybeArrangeFailure(gen, failing),
  runTaskCall(gen, target),
  gen.awaitRun(target),
  ...gen.sometimesReadBalance(),
]

/** A wait, ms, after which a run that was just started is near its end. */
const untilRunEndMs = (gen: StepBuilder): number =>
  gen.capabilities.runTimes.typicalMs * (0.7 + gen.random.below(30) / 100)

/** Commands of the search that run tasks, poll them and read the balance. */
export const runCommands: readonly Command[] = [
  declareSearchCommand('runs', 3, (gen) => {
    const { target, first } = drawTaskToRun(gen)
    return gen.withFinalRead([...first, ...gen.sometimesReadBalance(), ...wholeRun(gen, target, 0.3)])
  }),
  declareSearchCommand('runs again', 3, (gen) => {
    const { target, first } = drawTaskToRun(gen)
    const failing = gen.random.pick([0, 0.5, 1]) ?? 0
    const again = repeatDraw(1 + gen.repetitions(4), () => wholeRun(gen, target, failing))
    return gen.withFinalRead([...first, gen.call('whoami'), ...again.flat()])
  }),
  declareSearchCommand('failing runs', 2, (gen) => {
    const failures = repeatDraw(1 + gen.repetitions(5), () => {
      const { target, first } = drawTaskToRun(gen)
      return [...first, ...wholeRun(gen, target, 0.9)]
    })
    return gen.withFinalRead([gen.call('whoami'), ...failures.flat()])
  }),
  declareSearchCommand('waiting runs', 2, (gen) => {
    const all = repeatDraw(2 + gen.repetitions(4), () => drawTaskToRun(gen))
    const busy = gen.random.withProbability(0.3) ? gen.setState('agent_busy', { duration_ms: 150 }) : []
    return gen.withFinalRead([
      ...all.flatMap(({ first }) => first),
      gen.call('whoami'),
      ...maybeArrangeFailure(gen, 0.7),
      ...busy,
      ...all.flatMap(({ target }) => [runTaskCall(gen, target), ...gen.sometimesReadBalance()]),
      ...(gen.random.withProbability(0.5) ? [createTaskCall(gen)] : []),
      ...all.map(({ target }) => gen.awaitRun(target)),
    ])
  }),
  declareSearchCommand('failing runs that wait', 1.5, (gen) => {
    const attempts = repeatDraw(1 + gen.repetitions(3), () => {
      const { target, first } = drawTaskToRun(gen)
      const busy = gen.setState('agent_busy', { duration_ms: 60 })
      return [
        ...first,
        ...busy,
        ...maybeArrangeFailure(gen, 0.9),
        runTaskCall(gen, target),
        gen.awaitRun(target),
        ...gen.sometimesReadBalance(),
      ]
    })
    return gen.withFinalRead([gen.call('whoami'), ...attempts.flat()])
  }),
  declareSearchCommand('runs at the end of another', 0.6, (gen) => {
    const [ahead, ...tasks] = repeatDraw(3 + gen.random.below(6), () => createTaskCall(gen))
    const [first, second, ...others] = [ahead, ...tasks].map((one) => ({ createdBy: one?.stepId ?? 0 }))
    if (!ahead || !first || !second) return []
    const runs = [
      runTaskCall(gen, first),
      runTaskCall(gen, second),
      gen.wait(untilRunEndMs(gen)),
      ...others.map((target) => runTaskCall(gen, target)),
    ]
    return gen.withFinalRead([
      ahead,
      ...tasks,
      ...runs,
      ...[first, second, ...others].map((target) => gen.awaitRun(target)),
    ])
  }),
  declareSearchCommand('look at waiting runs', 1, (gen) => {
    const [ahead, waiting] = [createTaskCall(gen), createTaskCall(gen)]
    const [first, second] = [{ createdBy: ahead.stepId }, { createdBy: waiting.stepId }]
    const looks = repeatDraw(gen.repetitions(6), () => gen.call('getTask', { target: second }))
    const runs = [
      ...maybeArrangeFailure(gen, 0.3),
      runTaskCall(gen, first),
      runTaskCall(gen, second),
      ...looks,
    ]
    return gen.withFinalRead([
      ahead,
      waiting,
      gen.call('whoami'),
      ...runs,
      gen.awaitRun(first),
      gen.awaitRun(second),
    ])
  }),
  declareSearchCommand('runs of going tasks', 1, (gen) => {
    const { target, first } = drawTaskToRun(gen)
    const again = repeatDraw(gen.repetitions(3), () => runTaskCall(gen, target))
    const steps = [
      ...first,
      gen.call('whoami'),
      ...maybeArrangeFailure(gen, 0.3),
      runTaskCall(gen, target),
      ...again,
      gen.awaitRun(target),
    ]
    return gen.withFinalRead(steps)
  }),
  declareSearchCommand('creatives during runs', 2, (gen) => {
    if (!gen.capabilities.extended) return []
    const { target, first } = drawTaskToRun(gen)
    // A refund and a charge may overwrite each other where they meet, at the end of the run.
    const isAtEnd = gen.random.withProbability(0.4)
    const meanwhile = repeatDraw(isAtEnd ? 6 : gen.repetitions(3), () => generateCreativeCall(gen))
    return gen.withFinalRead([
      ...first,
      gen.call('whoami'),
      ...maybeArrangeFailure(gen, 0.7),
      runTaskCall(gen, target),
      ...(isAtEnd ? [gen.wait(untilRunEndMs(gen))] : []),
      ...meanwhile,
      gen.awaitRun(target),
    ])
  }),
  declareSearchCommand('few credits', 1.5, (gen) => {
    const { target, first } = drawTaskToRun(gen)
    const credits = gen.random.below(3)
    const tries = repeatDraw(credits + 1 + gen.random.below(6), () => wholeRun(gen, target, 0.2))
    // Once credits are there again, runs cost what they cost before.
    const later = gen.setState('credits', { credits: 3 + gen.random.below(4) })
    const again =
      later.length > 0 ? [gen.call('whoami'), ...wholeRun(gen, target, 0.3), ...gen.finalRead()] : []
    return [
      ...gen.setState('credits', { credits }),
      ...first,
      ...tries.flat(),
      ...gen.finalRead(),
      ...later,
      ...again,
    ]
  }),
  declareSearchCommand('credits', 1.5, (gen) => [
    ...gen.setState('credits', {
      credits: gen.random.pick([1, 2, 3, 5, 10, 40, 200, 70_000, 5_000_000]) ?? 5,
    }),
    gen.call('whoami'),
    ...(gen.random.withProbability(0.5) ? [gen.call('listTasks')] : []),
  ]),
  declareSearchCommand('unanswered runs', 0.5, (gen) => {
    const { target, first } = drawTaskToRun(gen)
    return [...first, runTaskCall(gen, target), gen.call('listTasks'), createTaskCall(gen)]
  }),
]

const ifExtended = (id: string, weight: number, draw: Command['draw']): Command =>
  declareSearchCommand(id, weight, (gen) => (gen.capabilities.extended ? draw(gen) : []))

const ifPaid = (id: string, weight: number, draw: Command['draw']): Command =>
  ifExtended(id, weight, (gen) => (gen.maySpendCredits ? draw(gen) : []))

/** Commands of the search that generate creatives. */
export const creativeCommands: readonly Command[] = [
  ifPaid('creatives', 1.5, (gen) => [
    gen.call('whoami'),
    ...repeatDraw(gen.repetitions(5), () => [
      generateCreativeCall(gen),
      ...gen.sometimesReadBalance(),
    ]).flat(),
    ...gen.finalRead(),
  ]),
  ifPaid('failing creatives', 1.5, (gen) => {
    const failures = repeatDraw(1 + gen.repetitions(5), () => [
      ...gen.setState('next_creative_fails'),
      generateCreativeCall(gen),
      ...gen.sometimesReadBalance(),
      ...(gen.random.withProbability(0.3) ? [generateCreativeCall(gen)] : []),
    ])
    return gen.withFinalRead([gen.call('whoami'), ...failures.flat()])
  }),
]

/** Commands of the search that create and list landing pages. */
export const landingPageCommands: readonly Command[] = [
  ifExtended('landing pages', 1, (gen) => {
    const known = gen.random.withProbability(0.5) ? gen.pickResource('page') : undefined
    const business_name = known?.name ?? `Business ${gen.random.below(1_000)} {tag}`
    const page = () => gen.call('createLandingPage', { body: { business_name } })
    return [...repeatDraw(gen.repetitions(3), page), gen.call('listLandingPages')]
  }),
  ifExtended('billing', 0.5, (gen) => [gen.call('getBilling')]),
]
