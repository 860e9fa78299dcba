/** §2 Task, §4 Tasks: what is said of tasks that were created. */
import { field, idOf } from '#traffic/exchange.ts'
import { isSuccess } from '../event.ts'
import { brief, identified, isBefore, isSameTrimmed, show, spanOf } from '../matching.ts'
import { hold, type Rule, rule } from '../violation.ts'

export const tasks: readonly Rule[] = [
  rule({
    id: 'task-answered',
    requirement: 'TASK-ANSWER-TEXT',
    anchor: 'create-task',
    operations: ['createTask'],
    judge(_, { body, answer }) {
      const [sent, shown] = [field(body, 'text'), field(answer.json, 'task', 'text')]
      if (!isSuccess(answer) || typeof sent !== 'string') return undefined
      return hold(isSameTrimmed(shown, sent), `task.text: ${show(sent)}`, show(shown))
    },
  }),
  rule({
    id: 'task-id-new',
    requirement: 'TASK-UNIQUE',
    anchor: 'ids',
    operations: ['createTask'],
    judge({ tasks }, event) {
      const id = idOf(field(event.answer.json, 'task', 'id'))
      if (!isSuccess(event.answer) || id === undefined) return undefined
      const born = tasks.get(id)?.born
      return hold(!born, 'a new id for each task', `${id} twice`, ...(born ? [born.by] : []))
    },
  }),
  rule({
    id: 'task-identity',
    requirement: 'TASK-READABLE',
    anchor: 'get-task',
    operations: ['getTask'],
    judge(_, { resource, answer }) {
      const shown = idOf(field(answer.json, 'task', 'id'))
      if (!isSuccess(answer) || shown === undefined) return undefined
      return hold(shown === resource, `task.id: ${resource}`, shown)
    },
  }),
  rule({
    id: 'task-stays',
    requirement: 'TASK-READABLE',
    anchor: 'create-task',
    operations: ['getTask'],
    judge({ tasks }, event) {
      const born = tasks.get(event.resource ?? '')?.born
      if (!born || !isBefore(born, spanOf(event))) return undefined
      return hold(event.answer.status !== 404, 'the created task', brief(event.answer), born.by)
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
      if (!isSuccess(answer) || !text || idOf(field(answer.json, 'task', 'id')) !== resource) return undefined
      return hold(isSameTrimmed(shown, text.value), `task.text: ${show(text.value)}`, show(shown), text.by)
    },
  }),
  rule({
    id: 'task-text-listed',
    requirement: 'TASK-LISTED-SAME',
    anchor: 'task-fields',
    operations: ['listTasks'],
    judge({ tasks }, { answer }) {
      for (const { id, item } of identified(answer.json)) {
        const [text, shown] = [tasks.get(id)?.text, field(item, 'text')]
        if (!text || isSameTrimmed(shown, text.value)) continue
        return { expected: `text of ${id}: ${show(text.value)}`, actual: show(shown), because: [text.by] }
      }
      return isSuccess(answer) || undefined
    },
  }),
]
