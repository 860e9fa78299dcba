/** §2 Task, §3, §4 Tasks: what is said of a task. */
import { field, idOf } from '#traffic/exchange.ts'
import { isSuccess } from '../event.ts'
import { isBefore, mayFall, spanOf, textAt } from '../matching.ts'
import { isSameTrimmed } from '../texts.ts'
import { type Rule, rule } from '../violation.ts'

export const tasks: readonly Rule[] = [
  rule({
    id: 'task-echo',
    requirement: 'TASK-ANSWER-TEXT',
    anchor: 'create-task',
    operations: ['createTask'],
    judge(_, { body, answer }) {
      const [sent, shown] = [field(body, 'text'), field(answer.json, 'task', 'text')]
      if (!isSuccess(answer) || typeof sent !== 'string' || isSameTrimmed(sent, shown)) return undefined
      return { expected: `task.text: ${JSON.stringify(sent)}`, actual: JSON.stringify(shown), because: [] }
    },
  }),
  rule({
    id: 'task-text-kept',
    requirement: 'RUN-KEEPS-TASK',
    anchor: 'task-fields',
    operations: ['getTask'],
    judge({ tasks }, { resource, answer }) {
      const text = tasks.get(resource ?? '')?.text
      const shown = field(answer.json, 'task', 'text')
      if (!isSuccess(answer) || text === undefined || isSameTrimmed(shown, text.value)) return undefined
      return {
        expected: `task.text: ${JSON.stringify(text.value)}`,
        actual: JSON.stringify(shown),
        because: [text.by],
      }
    },
  }),
  rule({
    id: 'task-identity',
    requirement: 'TASK-READABLE',
    anchor: 'get-task',
    operations: ['getTask'],
    judge(_, { resource, answer }) {
      const shown = idOf(field(answer.json, 'task', 'id'))
      if (!isSuccess(answer) || shown === undefined || shown === resource) return undefined
      return { expected: `the task ${resource}`, actual: `the task ${shown}`, because: [] }
    },
  }),
  rule({
    id: 'task-stays',
    requirement: 'TASK-READABLE',
    anchor: 'create-task',
    operations: ['getTask'],
    judge({ tasks }, event) {
      const born = tasks.get(event.resource ?? '')?.born
      if (event.answer.status !== 404 || !born || !isBefore(born, spanOf(event))) return undefined
      return { expected: 'the task that was created', actual: '404', because: [born.by] }
    },
  }),
  rule({
    id: 'task-new-unfinished',
    requirement: 'TASK-NEW-UNFINISHED',
    anchor: 'finished-stays',
    operations: ['getTask'],
    others: true,
    judge({ tasks }, event) {
      const task = tasks.get(event.resource ?? '')
      if (!task?.born || field(event.answer.json, 'finished') !== true) return undefined
      const at = spanOf(event)
      if (task.runs.some((run) => run.from.place < at.to.place)) return undefined
      return {
        expected: 'finished: false, since it never ran',
        actual: 'finished: true',
        because: [task.born.by],
      }
    },
  }),
  rule({
    id: 'task-finished-stays',
    requirement: 'RUN-FINISHED-STAYS',
    anchor: 'finished-stays',
    operations: ['getTask'],
    others: true,
    judge({ tasks }, event) {
      const task = tasks.get(event.resource ?? '')
      if (!task || field(event.answer.json, 'finished') !== false) return undefined
      const at = spanOf(event)
      const over = task.readings.find(
        (one) => one.finished && isBefore(one, at) && !task.runs.some((run) => mayFall(run, one, at)),
      )
      if (!over) return undefined
      return {
        expected: 'finished: true until it is run again',
        actual: 'finished: false',
        because: [over.by],
      }
    },
  }),
  rule({
    id: 'run-names-task',
    requirement: 'RUN-TASK-ID',
    anchor: 'run-names-task',
    operations: ['runTask'],
    judge(_, { resource, answer }) {
      const shown = idOf(field(answer.json, 'taskId'))
      if (!isSuccess(answer) || shown === undefined || shown === resource) return undefined
      return { expected: `taskId: ${resource}`, actual: shown, because: [] }
    },
  }),
  rule({
    id: 'run-id-unique',
    requirement: 'RUN-ID-UNIQUE',
    anchor: 'run-names-itself',
    operations: ['runTask'],
    judge({ minted }, { answer }) {
      const id = textAt(answer.json, 'runId') ?? idOf(field(answer.json, 'runId'))
      const before = id === undefined ? undefined : minted.get(`run ${id}`)
      if (before === undefined) return undefined
      return { expected: 'a runId of its own', actual: `${id}, which another run has`, because: [before] }
    },
  }),
]
