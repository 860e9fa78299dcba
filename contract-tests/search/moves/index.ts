/** Every move of the search. */
import type { Draw, Move } from '../draw.ts'
import type { Step } from '../step.ts'
import { bursts } from './bursts.ts'
import { documents, newDocument } from './documents.ts'
import { extended } from './extended.ts'
import { keys } from './keys.ts'
import { notifications } from './notifications.ts'
import { refused } from './refused.ts'
import { runs } from './runs.ts'
import { newTask, tasks } from './tasks.ts'
import { waits } from './waits.ts'

/** What is done while a run is awaited. */
export const pastimes: readonly ((d: Draw) => Step)[] = [
  newTask,
  newDocument,
  (d) => d.burst([newTask(d), newTask(d), newTask(d)]),
  (d) => d.burst([newDocument(d), newDocument(d), newDocument(d)]),
  (d) => d.call('listTasks'),
]

/** The moves by subject. */
export const subjects: readonly (readonly Move[])[] = [
  tasks,
  runs,
  runs,
  documents,
  keys,
  notifications,
  extended,
  refused,
  bursts,
]

export const moves: readonly Move[] = [...[...new Set(subjects)].flat(), ...waits]
