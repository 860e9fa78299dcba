/** §3, §4 Tasks: runs, and whether their tasks are finished. */
import { field, idOf } from '#traffic/exchange.ts'
import { isSuccess } from '../event.ts'
import { brief, codeOf, identified, isBefore, mayFall, spanOf, textAt } from '../matching.ts'
import type { Reading, Span, Task } from '../state.ts'
import { hold, type Rule, rule } from '../violation.ts'

/** A reading as finished after which nothing can have run before `at`. */
const overAt = ({ readings, runs }: Task, at: Span, said: Reading['said'], lag?: number) =>
  readings.findLast(
    (one) =>
      one.finished &&
      one.said === said &&
      isBefore(one, at, lag) &&
      !runs.some((run) => run.by !== one.by && mayFall(run, one, at)),
  )

const finishedStays = (id: string, requirement: string, anchor: string, said: Reading['said']): Rule =>
  rule({
    id,
    requirement,
    anchor,
    operations: ['getTask'],
    others: true,
    judge({ tasks }, event) {
      const task = tasks.get(event.resource ?? '') ?? nothing
      const over = overAt(task, spanOf(event), said)
      const finished = field(event.answer.json, 'finished')
      if (!over || typeof finished !== 'boolean') return undefined
      const ran = said === 'list' ? task.runs.map(({ by }) => by) : []
      return hold(finished, 'finished: true until the task is run again', 'finished: false', ...ran, over.by)
    },
  })

export const nothing: Task = { runs: [], foreign: [], readings: [] }

export const runs: readonly Rule[] = [
  rule({
    id: 'new-unfinished',
    requirement: 'TASK-NEW-UNFINISHED',
    anchor: 'finished-stays',
    operations: ['getTask'],
    others: true,
    judge({ tasks }, event) {
      const { born, runs, foreign } = tasks.get(event.resource ?? '') ?? nothing
      const finished = field(event.answer.json, 'finished')
      if (!born || typeof finished !== 'boolean') return undefined
      if (mayHaveRun([...runs, ...foreign], spanOf(event))) return undefined
      return hold(!finished, 'finished: false, since it never ran', 'finished: true', born.by)
    },
  }),
  rule({
    id: 'created-idle',
    requirement: 'TASK-NEW-IDLE',
    anchor: 'status-in-progress',
    operations: ['createTask'],
    judge(_, { answer }) {
      if (!isSuccess(answer)) return undefined
      const isIdle = field(answer.json, 'task', 'status') !== 'in_progress'
      return hold(isIdle, 'another status: it never ran', 'in_progress')
    },
  }),
  rule({
    id: 'new-idle',
    requirement: 'TASK-NEW-IDLE',
    anchor: 'status-in-progress',
    operations: ['getTask', 'listTasks'],
    others: true,
    judge({ tasks }, event) {
      const { json } = event.answer
      const read = { id: event.resource ?? '', item: field(json, 'task') }
      const at = spanOf(event)
      for (const { id, item } of event.operation === 'listTasks' ? identified(json) : [read]) {
        const { born, runs, foreign } = tasks.get(id) ?? nothing
        if (!born || field(item, 'status') !== 'in_progress') continue
        if (mayHaveRun([...runs, ...foreign], at)) continue
        return { expected: 'another status: it never ran', actual: 'in_progress', because: [born.by] }
      }
      return isSuccess(event.answer) || undefined
    },
  }),
  finishedStays('finished-stays', 'RUN-FINISHED-STAYS', 'finished-stays', 'task'),
  finishedStays('finished-as-answered', 'RUN-ANSWER-FINISHED', 'run-task', 'run'),
  finishedStays('finished-once-listed', 'RUN-FINISHED-STAYS', 'finished-stays', 'list'),
  rule({
    id: 'finished-as-listed',
    requirement: 'RUN-LISTED-STATUS',
    anchor: 'task-fields',
    operations: ['listTasks'],
    others: true,
    judge({ tasks }, event, { lag }) {
      for (const { id, item } of identified(event.answer.json)) {
        const task = tasks.get(id) ?? nothing
        const over = overAt(task, spanOf(event), 'task', lag)
        const status = textAt(item, 'status')
        const isFirst = over?.status !== undefined && status !== over.status && status === task.first
        if (!over || status === undefined || !(status === 'in_progress' || isFirst)) continue
        return { expected: `the final status of ${id}`, actual: status, because: [over.by] }
      }
      return isSuccess(event.answer) || undefined
    },
  }),
  rule({
    id: 'run-names-task',
    requirement: 'RUN-TASK-ID',
    anchor: 'run-names-task',
    operations: ['runTask'],
    judge(_, { resource, answer }) {
      const shown = idOf(field(answer.json, 'taskId'))
      if (!isSuccess(answer) || shown === undefined) return undefined
      return hold(shown === resource, `taskId: ${resource}`, shown)
    },
  }),
  rule({
    id: 'run-id-unique',
    requirement: 'RUN-ID-UNIQUE',
    anchor: 'run-names-itself',
    operations: ['runTask'],
    judge({ minted, tasks }, event) {
      const { resource, answer } = event
      const id = idOf(field(answer.json, 'runId'))
      const other = minted.get(`run ${id}`)
      if (id === undefined || !isSuccess(answer)) return undefined
      // An answer may name the run that goes on, but not one that is over.
      const { readings } = tasks.get(resource ?? '') ?? nothing
      const isOver = readings.some(
        (one) => one.finished && other && isBefore(other, one) && isBefore(one, spanOf(event)),
      )
      return hold(
        !other || (other.of === resource && !isOver),
        'a runId for each run',
        `${id} twice`,
        ...(other ? [other.by] : []),
      )
    },
  }),
  rule({
    id: 'run-finds-task',
    requirement: 'RUN-ACCEPTED',
    anchor: 'run-with-credit',
    operations: ['runTask'],
    judge({ tasks }, event) {
      const born = tasks.get(event.resource ?? '')?.born
      if (!born || !isBefore(born, spanOf(event))) return undefined
      return hold(event.answer.status !== 404, 'a task that exists', brief(event.answer), born.by)
    },
  }),
  rule({
    id: 'first-run-accepted',
    requirement: 'RUN-ACCEPTED',
    anchor: 'run-with-credit',
    operations: ['runTask'],
    others: true,
    judge({ tasks }, event) {
      const { born, runs } = tasks.get(event.resource ?? '') ?? nothing
      const at = spanOf(event)
      if (
        !born ||
        !isBefore(born, at) ||
        mayHaveRun(
          runs.filter(({ by }) => by !== event.id),
          at,
        )
      )
        return undefined
      const { status } = event.answer
      const refused = status === 400 || status === 422 || (status === 409 && codeOf(event.answer) !== 'busy')
      return hold(!refused, 'a run: the task never ran', brief(event.answer), born.by)
    },
  }),
]

/** Whether a run of the task may have been accepted before a request was answered. */
export const mayHaveRun = (runs: readonly Span[], at: Span) => runs.some((run) => mayFall(run, run, at))
