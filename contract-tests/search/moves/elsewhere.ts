/** Another organization: what it has is asked for by its ids, before and after it was asked for by its owner. */
import { type Draw, drawFor, type Move, many, move } from '../draw.ts'
import type { CallStep, Step, Tenant } from '../step.ts'

const otherThan = (d: Draw): Tenant | undefined => d.offers.tenants.find((one) => one !== d.tenant)

const reading = { task: 'getTask', document: 'getDocument' } as const

/** Asks with a key for something of another organization, mostly right after its owner did. */
function asked(
  d: Draw,
  request: (of: { made: number }, kind: 'task' | 'document') => CallStep | undefined,
): Step[] {
  const other = otherThan(d)
  const kind = d.random.pick(['task', 'document'] as const) ?? 'task'
  const thing = other && drawFor(other, d).thing(kind)
  if (!other || !thing) return []
  const of = { made: thing.made }
  const read = (by: Draw) => by.call(reading[kind], { of })
  return many(d.times(3), (): Step[] => {
    const foreign = request(of, kind)
    const before = d.random.chance(0.7) ? [read(drawFor(other, d))] : []
    return foreign ? [...before, foreign, ...(d.random.chance(0.5) ? [read(drawFor(other, d))] : [])] : []
  }).flat()
}

export const elsewhere: readonly Move[] = [
  move("read another's things", 2, (d) => asked(d, (of, kind) => d.call(reading[kind], { of }))),
  move("run another's tasks", 1.5, (d) =>
    d.paid ? asked(d, (of, kind) => (kind === 'task' ? d.call('runTask', { of }) : undefined)) : [],
  ),
  move("mark another's notifications", 1, (d): readonly Step[] => {
    const other = otherThan(d)
    const one = other && d.random.pick(d.inventory.notifications(other, true))
    if (!other || !one) return []
    const list = () => drawFor(other, d).call('listNotifications', { as: 'key' })
    return [list(), d.call('readNotification', { of: one }), list()]
  }),
  move("delete another's keys", 0.5, (d): readonly Step[] => {
    const other = otherThan(d)
    const key = other && d.random.pick(d.inventory.keys(other))
    if (!other || !key || !d.offers.session(d.tenant)) return []
    const use = () => drawFor(other, d).call('whoami', { as: { made: key.made } })
    return [use(), d.call('deleteKey', { as: 'session', of: { made: key.made } }), use()]
  }),
]

/** What a look shows that nothing which is done meanwhile may change, other than for its own reasons. */
const looks: readonly ((d: Draw) => readonly CallStep[])[] = [
  (d) => [d.call('whoami', { as: 'key' })],
  (d) => [d.call('whoami', { as: 'key' })],
  (d) => [d.call('listNotifications', { as: 'key' })],
  (d) => [d.call('listTasks', { as: 'key' })],
  (d) => [d.call('listDocuments', { as: 'key', query: { all: '1' } })],
  (d) => {
    const task = d.thing('task')
    return task ? [d.call('getTask', { as: 'key', of: { made: task.made } })] : []
  },
]

/** Steps between two looks at something else, of this organization or of another one. */
export function watched(d: Draw, steps: readonly Step[]): readonly Step[] {
  const tenant = d.random.chance(0.4) ? d.random.pick(d.offers.tenants) : undefined
  const by = tenant ? drawFor(tenant, d) : d
  const look = d.random.pick(looks)?.(by) ?? []
  if (steps.length === 0) return steps
  return [...look, ...steps, ...look.map(({ at: _, ...call }) => by.call(call.operation, call))]
}
