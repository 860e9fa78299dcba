/** §2 Task, §4 Tasks: what is said of tasks that were created. */
import { codeOf, field, idOf } from '#traffic/exchange.ts'
import { type Answered, isSuccess } from '../event.ts'
import { brief, type Item, identified, intervalOf, isBefore, mayFall, textAt } from '../matching.ts'
import type { Interval, Reading, Task } from '../state.ts'
import { asTold, ofEach, type Rule, required, rule } from '../violation.ts'

export const tasks: readonly Rule[] = [
  rule('task-answered', 'TASK-ANSWER-TEXT', 'create-task', ['createTask']).judge((_, { body, answer }) => {
    const [sent, shown] = [field(body, 'text'), field(answer.json, 'task', 'text')]
    if (!isSuccess(answer) || typeof sent !== 'string') return undefined
    return asTold(shown, sent, 'task.text')
  }),
  rule('task-id-new', 'TASK-UNIQUE', 'ids', ['createTask'], { once: true }).judge(({ tasks }, event) => {
    const id = idOf(field(event.answer.json, 'task', 'id'))
    if (!isSuccess(event.answer) || id === undefined) return undefined
    const born = tasks.get(id)?.born
    return required(!born, 'a new id for each task', `${id} twice`, born?.by)
  }),
  rule('task-identity', 'TASK-READABLE', 'get-task', ['getTask']).judge((_, { resource, answer }) => {
    const shown = idOf(field(answer.json, 'task', 'id'))
    if (!isSuccess(answer) || shown === undefined) return undefined
    return required(shown === resource, `task.id: ${resource}`, shown)
  }),
  rule('task-stays', 'TASK-READABLE', 'create-task', ['getTask']).judge(({ tasks }, event) => {
    const born = tasks.get(event.resource ?? '')?.born
    if (!born || !isBefore(born, intervalOf(event))) return undefined
    return required(event.answer.status !== 404, 'the created task', brief(event.answer), born.by)
  }),
  rule('task-text-kept', 'RUN-KEEPS-TASK', 'task-fields', ['getTask']).judge(
    ({ tasks }, { resource, answer }) => {
      const text = tasks.get(resource ?? '')?.text
      const shown = field(answer.json, 'task', 'text')
      if (!isSuccess(answer) || !text || idOf(field(answer.json, 'task', 'id')) !== resource) return undefined
      return asTold(shown, text.value, 'task.text', text.by)
    },
  ),
  rule('task-text-listed', 'TASK-LISTED-SAME', 'task-fields', ['listTasks']).judge(({ tasks }, event) =>
    ofEach(identified(event.answer.json), event, ({ id, item }) => {
      const text = tasks.get(id)?.text
      return text && asTold(field(item, 'text'), text.value, `text of ${id}`, text.by)
    }),
  ),
]

/** A reading as finished after which nothing can have run before `at`. */
const overAt = ({ readings, runs }: Task, at: Interval, said: Reading['said'], consistency?: number) =>
  readings.findLast(
    (one) =>
      one.finished &&
      one.said === said &&
      isBefore(one, at, consistency) &&
      !runs.some((run) => run.by !== one.by && mayFall(run, one, at)),
  )

const finishedStays = (id: string, requirement: string, anchor: string, said: Reading['said']): Rule =>
  rule(id, requirement, anchor, ['getTask'], { others: true }).judge(({ tasks }, event) => {
    const task = tasks.get(event.resource ?? '') ?? nothing
    const over = overAt(task, intervalOf(event), said)
    const finished = field(event.answer.json, 'finished')
    if (typeof finished !== 'boolean') return undefined
    // An answer that says unfinished says nothing that could be wrong.
    if (!over) return task.readings.some((one) => one.said === said && !one.finished) || undefined
    const ran = said === 'list' ? task.runs.map(({ by }) => by) : []
    return required(
      finished,
      'finished: true until the task is run again',
      'finished: false',
      ...ran,
      over.by,
    )
  })

export const nothing: Task = { runs: [], foreign: [], readings: [] }

export const runs: readonly Rule[] = [
  rule('new-unfinished', 'TASK-NEW-UNFINISHED', 'finished-stays', ['getTask'], { others: true }).judge(
    ({ tasks }, event) => {
      const { born, runs, foreign } = tasks.get(event.resource ?? '') ?? nothing
      const finished = field(event.answer.json, 'finished')
      if (!born || typeof finished !== 'boolean') return undefined
      if (mayHaveRun([...runs, ...foreign], intervalOf(event))) return undefined
      return required(!finished, 'finished: false, since it never ran', 'finished: true', born.by)
    },
  ),
  rule('created-idle', 'TASK-NEW-IDLE', 'status-in-progress', ['createTask']).judge((_, { answer }) => {
    if (!isSuccess(answer)) return undefined
    const isIdle = field(answer.json, 'task', 'status') !== 'in_progress'
    return required(isIdle, 'another status: it never ran', 'in_progress')
  }),
  rule('new-idle', 'TASK-NEW-IDLE', 'status-in-progress', ['getTask', 'listTasks'], { others: true }).judge(
    ({ tasks }, event) => {
      const at = intervalOf(event)
      return ofEach(tasksIn(event), event, ({ id, item }) => {
        const { born, runs, foreign } = tasks.get(id) ?? nothing
        if (!born || field(item, 'status') !== 'in_progress') return undefined
        const hasRun = mayHaveRun([...runs, ...foreign], at)
        return required(hasRun, 'another status: it never ran', 'in_progress', born.by)
      })
    },
  ),
  finishedStays('finished-stays', 'RUN-FINISHED-STAYS', 'finished-stays', 'task'),
  finishedStays('finished-as-answered', 'RUN-ANSWER-FINISHED', 'run-task', 'run'),
  finishedStays('finished-once-listed', 'RUN-FINISHED-STAYS', 'finished-stays', 'list'),
  rule('finished-as-listed', 'RUN-LISTED-STATUS', 'task-fields', ['listTasks'], { others: true }).judge(
    ({ tasks }, event, { consistency }) =>
      ofEach(identified(event.answer.json), event, ({ id, item }) => {
        const task = tasks.get(id) ?? nothing
        const over = overAt(task, intervalOf(event), 'task', consistency)
        const status = textAt(item, 'status')
        if (!over || status === undefined) return undefined
        const isFirst = over.status !== undefined && status !== over.status && status === task.first
        return required(status !== 'in_progress' && !isFirst, `the final status of ${id}`, status, over.by)
      }),
  ),
  rule('run-names-task', 'RUN-TASK-ID', 'run-names-task', ['runTask']).judge((_, { resource, answer }) => {
    const shown = idOf(field(answer.json, 'taskId'))
    if (!isSuccess(answer) || shown === undefined) return undefined
    return required(shown === resource, `taskId: ${resource}`, shown)
  }),
  rule('run-id-unique', 'RUN-ID-UNIQUE', 'run-names-itself', ['runTask']).judge(
    ({ issuedIds, tasks }, event) => {
      const { resource, answer } = event
      const id = idOf(field(answer.json, 'runId'))
      const other = issuedIds.get(`run ${id}`)
      if (id === undefined || !isSuccess(answer)) return undefined
      // An answer may name the run that goes on, but not one that is over.
      const { readings } = tasks.get(resource ?? '') ?? nothing
      const isOver = readings.some(
        (one) => one.finished && other && isBefore(other, one) && isBefore(one, intervalOf(event)),
      )
      const isSame = !other || (other.of === resource && !isOver)
      return required(isSame, 'a runId for each run', `${id} twice`, other?.by)
    },
  ),
  rule('run-finds-task', 'RUN-ACCEPTED', 'run-with-credit', ['runTask']).judge(({ tasks }, event) => {
    const born = tasks.get(event.resource ?? '')?.born
    if (!born || !isBefore(born, intervalOf(event))) return undefined
    return required(event.answer.status !== 404, 'a task that exists', brief(event.answer), born.by)
  }),
  rule('first-run-accepted', 'RUN-ACCEPTED', 'run-with-credit', ['runTask'], { others: true }).judge(
    ({ tasks }, event) => {
      const { born, runs } = tasks.get(event.resource ?? '') ?? nothing
      const at = intervalOf(event)
      const earlier = runs.filter(({ by }) => by !== event.id)
      if (!born || !isBefore(born, at) || mayHaveRun(earlier, at)) return undefined
      const { status } = event.answer
      const refused = status === 400 || status === 422 || (status === 409 && codeOf(event.answer) !== 'busy')
      return required(!refused, 'a run: the task never ran', brief(event.answer), born.by)
    },
  ),
]

/** The tasks that an answer shows: those of a list, or the one that was asked for. */
export const tasksIn = ({ operation, resource = '', answer }: Answered): readonly Item[] =>
  operation === 'listTasks' ? identified(answer.json) : [{ id: resource, item: field(answer.json, 'task') }]

/** Whether a run of the task may have been accepted before a request was answered. */
export const mayHaveRun = (runs: readonly Interval[], at: Interval) =>
  runs.some((run) => mayFall(run, run, at))
