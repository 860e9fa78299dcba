/** §2 Task. */
import type { Sentence } from './sentence.ts'

const section = '§2 Task'

export const task: readonly Sentence[] = [
  {
    section,
    text: 'A task carries a fixed set of fields: id, text, description, status, scheduling and timestamps.',
    requirements: [
      'SHAPE-createTask',
      'SHAPE-getTask',
      'SHAPE-listTasks',
      'TASK-UNIQUE',
      'TASK-READABLE',
      'TASK-LISTED-SAME',
      'TASK-TEXT-*',
      'RUN-KEEPS-TASK',
      'RUN-LISTED-STATUS',
    ],
  },
  {
    section,
    text: 'Names and types of the scheduling and timestamp fields: not shown.',
    reason: 'Fields without names cannot be asked for.',
  },
  {
    section,
    text: "finished | GET task by id | boolean computed by the service; true when the task's status is final",
    requirements: [
      'SHAPE-getTask',
      'TASK-NEW-UNFINISHED',
      'RUN-FINISHED-BY-STATUS',
      'RUN-IN-PROGRESS-UNFINISHED',
      'RUN-ANSWER-FINISHED',
    ],
  },
  {
    section,
    text: 'taskId | run response | task identifier',
    requirements: ['SHAPE-runTask', 'RUN-TASK-ID'],
  },
  {
    section,
    text: 'runId | run response (second variant) | identifier of the run',
    requirements: ['SHAPE-runTask', 'RUN-ID-UNIQUE'],
  },
  {
    section,
    text: 'usedToday, limit, remaining | task list (second variant) | numbers',
    requirements: ['SHAPE-listTasks'],
  },
  {
    section,
    text: 'credits | task list and create (first variant) | number, current spendable credits',
    requirements: ['SHAPE-listTasks', 'SHAPE-createTask', 'CREDITS-IN-LIST', 'CREDITS-IN-CREATE'],
  },
]
