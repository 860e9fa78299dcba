/** What takes time: the same again a while later, anything else while a run goes on, and nothing for a while. */
import { type Draw, type Move, many, move } from '../draw.ts'
import type { Ref, Step } from '../step.ts'
import { newKey, use } from './notifications.ts'
import { fails, run, taskToRun } from './runs.ts'
import { newDocument, newTask } from './tasks.ts'

/** The chance that a run is made to fail. */
const failing = 0.3

const aWhile = (d: Draw): Step => d.wait(1_000 + d.random.below(2_500))
const whoami = (d: Draw) => d.call('whoami', { as: 'key' })
const getTask = (d: Draw, of: Ref) => d.call('getTask', { of })
const runToEnd = (d: Draw, of: Ref): Step[] => [...fails(d, failing), run(d, of), d.end(of)]

export const later: readonly Move[] = [
  move('run again later', 2, (d) => {
    const { of, first } = taskToRun(d)
    const before = many(d.times(2), () => runToEnd(d, of))
    const looks = [aWhile(d), getTask(d, of), whoami(d)]
    return [...first, ...before.flat(), ...looks, ...runToEnd(d, of), ...d.settled()]
  }),
  move('run something old', 1, (d) => {
    const task = newTask(d)
    return [task, aWhile(d), whoami(d), ...runToEnd(d, { made: task.at }), ...d.settled()]
  }),
  move('look at a run later', 1, (d) => {
    const isNew = d.random.chance(0.5)
    const task = newTask(d)
    const { of, first } = isNew ? { of: { made: task.at }, first: [task] } : taskToRun(d)
    const before = isNew ? [getTask(d, of)] : runToEnd(d, of)
    const meanwhile = [whoami(d), ...fails(d, failing), run(d, of), aWhile(d), d.call('listTasks')]
    return [...first, ...before, ...meanwhile, getTask(d, of), getTask(d, of), ...d.settled()]
  }),
  move('try without credits later', 2, (d) => {
    const { of, first } = taskToRun(d)
    const again = () => run(d, of)
    const without = d.state('credits', { credits: 0 })
    return [...first, ...without, again(), aWhile(d), again(), d.end(of), whoami(d)]
  }),
  move('read documents later', 1.5, (d) => {
    const document = newDocument(d)
    const { folder_id } = document.body as { folder_id?: string }
    const list = () => d.call('listDocuments', folder_id === undefined ? {} : { query: { folder_id } })
    const read = () => d.call('getDocument', { of: { made: document.at } })
    return [document, read(), list(), aWhile(d), read(), list(), list()]
  }),
  move('use a key later', 1, (d) => {
    if (!d.offers.session(d.tenant) || d.inventory.keys(d.tenant).length >= 10) return []
    const key = newKey(d)
    return [key, use(d, { made: key.at }), aWhile(d), ...[1, 2].map(() => use(d, { made: key.at }))]
  }),
]

export const waits: readonly Move[] = [
  move('a moment', 0.5, (d) => [d.wait(50 + d.random.below(300))]),
  move('a while', 0.08, (d) => [d.wait(1_000 + d.random.below(2_500))]),
]

/** A run, and what any of these moves does before its end is awaited. */
export const meanwhile = (others: readonly Move[]): readonly Move[] => [
  move('something else during a run', 2, (d) => {
    const { of, first } = taskToRun(d)
    const steps = many(d.times(2), () => d.random.pick(others)?.draw(d) ?? [])
    const begin = [d.call('whoami'), ...fails(d, 0.5), run(d, of)]
    return d.thenSettled([...first, ...begin, ...steps.flat(), d.end(of)])
  }),
]
