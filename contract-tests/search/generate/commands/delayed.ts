/** Commands that take time: a repetition after a while, other requests during a run, plain pauses. */

import type { ResourceRef, Step } from '../../step.ts'
import { type Command, declareSearchCommand, repeatDraw, type StepBuilder } from '../generator.ts'
import { callWithCreatedKey, createKeyCall } from './notifications.ts'
import { drawTaskToRun, maybeArrangeFailure, runTaskCall } from './runs.ts'
import { createDocumentCall, createTaskCall } from './tasks.ts'

/** Probability that a run is made to fail. */
const failureProbability = 0.3

const longWait = (gen: StepBuilder): Step => gen.wait(1_000 + gen.random.below(2_500))
const whoami = (gen: StepBuilder) => gen.call('whoami', { credential: 'key' })
const getTask = (gen: StepBuilder, target: ResourceRef) => gen.call('getTask', { target })
const runToEnd = (gen: StepBuilder, target: ResourceRef): Step[] => [
  ...maybeArrangeFailure(gen, failureProbability),
  runTaskCall(gen, target),
  gen.awaitRun(target),
]

/** Commands of the search whose effect shows later. */
export const delayedEffectCommands: readonly Command[] = [
  declareSearchCommand('run again later', 2, (gen) => {
    const { target, first } = drawTaskToRun(gen)
    const before = repeatDraw(gen.repetitions(2), () => runToEnd(gen, target))
    const looks = [longWait(gen), getTask(gen, target), whoami(gen)]
    return [...first, ...before.flat(), ...looks, ...runToEnd(gen, target), ...gen.finalRead()]
  }),
  declareSearchCommand('run something old', 1, (gen) => {
    const task = createTaskCall(gen)
    return [
      task,
      longWait(gen),
      whoami(gen),
      ...runToEnd(gen, { createdBy: task.stepId }),
      ...gen.finalRead(),
    ]
  }),
  declareSearchCommand('look at a run later', 1, (gen) => {
    const isNew = gen.random.withProbability(0.5)
    const task = createTaskCall(gen)
    const { target, first } = isNew
      ? { target: { createdBy: task.stepId }, first: [task] }
      : drawTaskToRun(gen)
    const before = isNew ? [getTask(gen, target)] : runToEnd(gen, target)
    const duringRun = [
      whoami(gen),
      ...maybeArrangeFailure(gen, failureProbability),
      runTaskCall(gen, target),
      longWait(gen),
      gen.call('listTasks'),
    ]
    return [...first, ...before, ...duringRun, getTask(gen, target), getTask(gen, target), ...gen.finalRead()]
  }),
  declareSearchCommand('try without credits later', 2, (gen) => {
    const { target, first } = drawTaskToRun(gen)
    const again = () => runTaskCall(gen, target)
    const without = gen.setState('credits', { credits: 0 })
    return [...first, ...without, again(), longWait(gen), again(), gen.awaitRun(target), whoami(gen)]
  }),
  declareSearchCommand('read documents later', 1.5, (gen) => {
    const document = createDocumentCall(gen)
    const { folder_id } = document.body as { folder_id?: string }
    const list = () => gen.call('listDocuments', folder_id === undefined ? {} : { query: { folder_id } })
    const read = () => gen.call('getDocument', { target: { createdBy: document.stepId } })
    return [document, read(), list(), longWait(gen), read(), list(), list()]
  }),
  declareSearchCommand('use a key later', 1, (gen) => {
    if (!gen.capabilities.hasSession(gen.tenant) || gen.inventory.workingKeys(gen.tenant).length >= 10)
      return []
    const key = createKeyCall(gen)
    return [
      key,
      callWithCreatedKey(gen, { createdBy: key.stepId }),
      longWait(gen),
      ...[1, 2].map(() => callWithCreatedKey(gen, { createdBy: key.stepId })),
    ]
  }),
]

/** Commands of the search that only wait. */
export const waitCommands: readonly Command[] = [
  declareSearchCommand('a moment', 0.5, (gen) => [gen.wait(50 + gen.random.below(300))]),
  declareSearchCommand('a while', 0.08, (gen) => [gen.wait(1_000 + gen.random.below(2_500))]),
]

/** Commands of the search that start a run, draw other commands while it goes on, and wait for its end. */
export const duringRunCommands = (others: readonly Command[]): readonly Command[] => [
  declareSearchCommand('something else during a run', 2, (gen) => {
    const { target, first } = drawTaskToRun(gen)
    const steps = repeatDraw(gen.repetitions(2), () => gen.random.pick(others)?.draw(gen) ?? [])
    const begin = [gen.call('whoami'), ...maybeArrangeFailure(gen, 0.5), runTaskCall(gen, target)]
    return gen.withFinalRead([...first, ...begin, ...steps.flat(), gen.awaitRun(target)])
  }),
]
