/** The same again a while later: what is forgotten, grows old or comes back. */
import type { Draw, Move } from '../draw.ts'
import type { Ref, Step } from '../step.ts'
import { newDocument } from './documents.ts'
import { newKey, use } from './keys.ts'
import { fails, run, taskToRun } from './runs.ts'
import { newTask } from './tasks.ts'

/** The chance that a run is made to fail. */
const failing = 0.3

const aWhile = (d: Draw): Step => d.wait(1_000 + d.random.below(2_500))
const whoami = (d: Draw) => d.call('whoami', { as: 'key' })
const getTask = (d: Draw, of: Ref) => d.call('getTask', { of })
const runToEnd = (d: Draw, of: Ref): Step[] => [...fails(d, failing), run(d, of), d.end(of)]

export const later: readonly Move[] = [
  {
    id: 'run again later',
    weight: 2,
    draw(d) {
      const { of, first } = taskToRun(d)
      const before = Array.from({ length: d.times(2) }, () => runToEnd(d, of))
      return [
        ...first,
        ...before.flat(),
        aWhile(d),
        getTask(d, of),
        whoami(d),
        ...runToEnd(d, of),
        ...d.settled(),
      ]
    },
  },
  {
    id: 'run something old',
    weight: 1,
    draw(d) {
      const task = newTask(d)
      return [task, aWhile(d), whoami(d), ...runToEnd(d, { made: task.at }), ...d.settled()]
    },
  },
  {
    id: 'look at a run later',
    weight: 1,
    draw(d) {
      const isNew = d.random.chance(0.5)
      const task = newTask(d)
      const { of, first } = isNew ? { of: { made: task.at }, first: [task] } : taskToRun(d)
      const before = isNew ? [getTask(d, of)] : runToEnd(d, of)
      const meanwhile = [whoami(d), ...fails(d, failing), run(d, of), aWhile(d), d.call('listTasks')]
      return [...first, ...before, ...meanwhile, getTask(d, of), getTask(d, of), ...d.settled()]
    },
  },
  {
    id: 'try without credits later',
    weight: 2,
    draw(d) {
      const { of, first } = taskToRun(d)
      const again = () => run(d, of)
      return [
        ...first,
        ...d.state('credits', { credits: 0 }),
        again(),
        aWhile(d),
        again(),
        d.end(of),
        whoami(d),
      ]
    },
  },
  {
    id: 'read documents later',
    weight: 1.5,
    draw(d) {
      const document = newDocument(d)
      const { folder_id } = document.body as { folder_id?: string }
      const list = () => d.call('listDocuments', folder_id === undefined ? {} : { query: { folder_id } })
      const read = () => d.call('getDocument', { of: { made: document.at } })
      return [document, read(), list(), aWhile(d), read(), list(), list()]
    },
  },
  {
    id: 'use a key later',
    weight: 1,
    draw(d) {
      if (!d.offers.session(d.tenant) || d.inventory.keys(d.tenant).length >= 10) return []
      const key = newKey(d)
      return [key, use(d, { made: key.at }), aWhile(d), ...[1, 2].map(() => use(d, { made: key.at }))]
    },
  },
]
