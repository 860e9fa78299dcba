/** Requests for another organization's resources by their ids, before and after their owner's. */

import type { CallStep, Step, StepTenant } from '../../step.ts'
import {
  builderForTenant,
  type Command,
  declareSearchCommand,
  repeatDraw,
  type StepBuilder,
} from '../generator.ts'

const otherTenant = (gen: StepBuilder): StepTenant | undefined =>
  gen.capabilities.tenants.find((one) => one !== gen.tenant)

const readOperations = { task: 'getTask', document: 'getDocument' } as const

/** Requests a resource of another organization, mostly right after its owner read it. */
function requestForeign(
  gen: StepBuilder,
  request: (target: { createdBy: number }, kind: 'task' | 'document') => CallStep | undefined,
): Step[] {
  const other = otherTenant(gen)
  const kind = gen.random.pick(['task', 'document'] as const) ?? 'task'
  const thing = other && builderForTenant(other, gen).pickResource(kind)
  if (!other || !thing) return []
  const target = { createdBy: thing.createdBy }
  const read = (by: StepBuilder) => by.call(readOperations[kind], { target })
  return repeatDraw(gen.repetitions(3), (): Step[] => {
    const foreign = request(target, kind)
    const before = gen.random.withProbability(0.7) ? [read(builderForTenant(other, gen))] : []
    return foreign
      ? [...before, foreign, ...(gen.random.withProbability(0.5) ? [read(builderForTenant(other, gen))] : [])]
      : []
  }).flat()
}

/** Commands of the search that try to reach resources of another organization. */
export const foreignAccessCommands: readonly Command[] = [
  declareSearchCommand("read another's things", 2, (gen) =>
    requestForeign(gen, (target, kind) => gen.call(readOperations[kind], { target })),
  ),
  declareSearchCommand("run another's tasks", 1.5, (gen) =>
    gen.maySpendCredits
      ? requestForeign(gen, (target, kind) => (kind === 'task' ? gen.call('runTask', { target }) : undefined))
      : [],
  ),
  declareSearchCommand("mark another's notifications", 1, (gen): readonly Step[] => {
    const other = otherTenant(gen)
    const one = other && gen.random.pick(gen.inventory.notifications(other, true))
    if (!other || !one) return []
    const list = () => builderForTenant(other, gen).call('listNotifications', { credential: 'key' })
    return [list(), gen.call('readNotification', { target: one }), list()]
  }),
  declareSearchCommand("delete another's keys", 0.5, (gen): readonly Step[] => {
    const other = otherTenant(gen)
    const key = other && gen.random.pick(gen.inventory.workingKeys(other))
    if (!other || !key || !gen.capabilities.hasSession(gen.tenant)) return []
    const use = () =>
      builderForTenant(other, gen).call('whoami', { credential: { createdBy: key.createdBy } })
    return [
      use(),
      gen.call('deleteKey', { credential: 'session', target: { createdBy: key.createdBy } }),
      use(),
    ]
  }),
]

/** Reads whose answers must not change because of other requests in between. */
const observations: readonly ((gen: StepBuilder) => readonly CallStep[])[] = [
  (gen) => [gen.call('whoami', { credential: 'key' })],
  (gen) => [gen.call('whoami', { credential: 'key' })],
  (gen) => [gen.call('listNotifications', { credential: 'key' })],
  (gen) => [gen.call('listTasks', { credential: 'key' })],
  (gen) => [gen.call('listDocuments', { credential: 'key', query: { all: '1' } })],
  (gen) => {
    const task = gen.pickResource('task')
    return task ? [gen.call('getTask', { credential: 'key', target: { createdBy: task.createdBy } })] : []
  },
]

/**
 * Puts the given steps between two equal reads, of this organization or the other one, whose answers the steps must not
 * change.
 */
export function surroundWithEqualReads(gen: StepBuilder, steps: readonly Step[]): readonly Step[] {
  const tenant = gen.random.withProbability(0.4) ? gen.random.pick(gen.capabilities.tenants) : undefined
  const by = tenant ? builderForTenant(tenant, gen) : gen
  const observation = gen.random.pick(observations)?.(by) ?? []
  if (steps.length === 0) return steps
  return [
    ...observation,
    ...steps,
    ...observation.map(({ stepId: _, ...call }) => by.call(call.operation, call)),
  ]
}
