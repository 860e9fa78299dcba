/** Tasks: made, read and listed. */
import type { Draw, Move } from '../draw.ts'
import type { CallStep } from '../step.ts'
import { drawText } from '../texts.ts'

/** A request that creates a task; now and then with the text of another one, which may have run. */
export function newTask(d: Draw): CallStep {
  const known = d.random.chance(0.5) ? d.inventory.things : d.inventory.things.filter(({ runs }) => runs > 0)
  const namesake = d.random.chance(0.25) ? d.random.pick(known.slice(-8)) : undefined
  return d.call('createTask', { body: { text: namesake?.name ?? drawText(d.random, 'Task') } })
}

export const tasks: readonly Move[] = [
  {
    id: 'new tasks',
    weight: 3,
    draw: (d) => Array.from({ length: d.times(4) }, () => newTask(d)),
  },
  {
    id: 'namesakes',
    weight: 1,
    draw(d) {
      const body = { text: d.thing('task')?.name ?? drawText(d.random, 'Task') }
      return Array.from({ length: d.times(6) }, () => d.call('createTask', { body }))
    },
  },
  {
    id: 'many tasks',
    weight: 0.4,
    draw: (d) =>
      Array.from({ length: 2 + d.random.below(3) }, () =>
        d.burst(Array.from({ length: d.offers.clients }, () => newTask(d))),
      ),
  },
  {
    id: 'read tasks',
    weight: 2,
    draw: (d) =>
      Array.from({ length: d.times(3) }, () => d.thing('task')).flatMap((task) =>
        task ? d.call('getTask', { of: { made: task.made } }) : [],
      ),
  },
  { id: 'list tasks', weight: 1, draw: (d) => [d.call('listTasks')] },
  { id: 'whoami', weight: 1, draw: (d) => [d.call('whoami')] },
]
