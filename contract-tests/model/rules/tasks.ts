/** §2 Task, §4 Tasks: what is said of tasks that were created. */

import { errorCodeOf, field, idAsText } from '#traffic/exchange.ts'
import { type AnsweredRequest, isSuccess } from '../event.ts'
import {
  effectInterval,
  endedBefore,
  itemsWithIds,
  type ListItem,
  mayFallBetween,
  quotedJson,
  statusAndCode,
  stringAt,
} from '../matching.ts'
import type { RequirementId } from '../requirement-id.ts'
import type { EffectInterval, FinishedTaskReading, KnownTask, TaskReadingSource } from '../state.ts'
import { firstObjectionToItems, type ModelRule, requireSameText, requireThat, rule } from '../violation.ts'
import { judgeText } from './texts.ts'

const asSent = { prefix: 'TASK', otherwise: 'RUN-KEEPS-TASK' } as const

/** Rules on what answers show of created tasks. */
export const taskRules: readonly ModelRule[] = [
  rule('task-answered', 'TASK-ANSWER-TEXT', 'create-task', ['createTask']).judge((_, { body, answer }) => {
    const [sent, shown] = [field(body, 'text'), field(answer.json, 'task', 'text')]
    if (!isSuccess(answer) || typeof sent !== 'string') return undefined
    return judgeText(shown, sent, 'task.text', { prefix: 'TASK', otherwise: 'TASK-ANSWER-TEXT' })
  }),
  rule('task-id-new', 'TASK-UNIQUE', 'ids', ['createTask'], { oneSightSuffices: true }).judge(
    ({ tasks }, event) => {
      const id = idAsText(field(event.answer.json, 'task', 'id'))
      if (!isSuccess(event.answer) || id === undefined) return undefined
      const born = tasks.get(id)?.created
      return requireThat(!born, 'a new id for each task', `${id} twice`, born?.eventId)
    },
  ),
  rule('task-identity', 'TASK-READABLE', 'get-task', ['getTask']).judge((_, { resource, answer }) => {
    const shown = idAsText(field(answer.json, 'task', 'id'))
    if (!isSuccess(answer) || shown === undefined) return undefined
    return requireThat(shown === resource, `task.id: ${resource}`, shown)
  }),
  rule('task-stays', 'TASK-READABLE', 'create-task', ['getTask']).judge(({ tasks }, event) => {
    const born = tasks.get(event.resource ?? '')?.created
    if (!born || !endedBefore(born, effectInterval(event))) return undefined
    return requireThat(
      event.answer.status !== 404,
      'the created task',
      statusAndCode(event.answer),
      born.eventId,
    )
  }),
  rule('listed-task-stays', 'TASK-READABLE', 'error-not-found', ['getTask'], {
    attributableToOthers: true,
  }).judge(({ tasks }, { resource, answer }) => {
    const { text, created } = tasks.get(resource ?? '') ?? {}
    if (!text || created) return undefined
    return requireThat(answer.status !== 404, 'the task that was shown', statusAndCode(answer), text.eventId)
  }),
  rule('task-text-kept', 'RUN-KEEPS-TASK', 'task-fields', ['getTask']).judge(
    ({ tasks }, { resource, answer }) => {
      const { text, runs = [] } = tasks.get(resource ?? '') ?? {}
      const shown = field(answer.json, 'task', 'text')
      if (!isSuccess(answer) || !text || idAsText(field(answer.json, 'task', 'id')) !== resource)
        return undefined
      return runs.length > 0
        ? requireSameText(shown, text.value, 'task.text', text.eventId)
        : judgeText(shown, text.value, 'task.text', asSent, text.eventId)
    },
  ),
  rule('task-text-listed', 'TASK-LISTED-SAME', 'task-fields', ['listTasks']).judge(({ tasks }, event) =>
    firstObjectionToItems(itemsWithIds(event.answer.json), event, ({ id, item }) => {
      const text = tasks.get(id)?.text
      return text && requireSameText(field(item, 'text'), text.value, `text of ${id}`, text.eventId)
    }),
  ),
]

/** The last answer of a source that showed a task as finished, with no possible run between it and `at`. */
const finishedReadingBefore = (
  { readings, runs }: KnownTask,
  at: EffectInterval,
  said: TaskReadingSource,
  consistency?: number,
): FinishedTaskReading | undefined =>
  readings.findLast(
    (one): one is FinishedTaskReading =>
      one.finished &&
      one.source === said &&
      endedBefore(one, at, consistency) &&
      !runs.some((run) => run.eventId !== one.eventId && mayFallBetween(run, one, at)),
  )

const finishedStays = (
  id: string,
  requirement: RequirementId,
  anchor: string,
  said: TaskReadingSource,
): ModelRule =>
  rule(id, requirement, anchor, ['getTask'], { attributableToOthers: true }).judge(({ tasks }, event) => {
    const task = tasks.get(event.resource ?? '') ?? emptyTaskKnowledge
    const over = finishedReadingBefore(task, effectInterval(event), said)
    const finished = field(event.answer.json, 'finished')
    if (typeof finished !== 'boolean') return undefined
    // Unless it was seen finished before, a task may be unfinished.
    if (!over) return task.readings.some((one) => one.source === said && !one.finished) || undefined
    const ran = said === 'list' ? task.runs.map(({ eventId }) => eventId) : []
    return requireThat(
      finished,
      'finished: true until the task is run again',
      'finished: false',
      ...ran,
      over.eventId,
    )
  })

/** Knowledge of a task that no event has named. */
export const emptyTaskKnowledge: KnownTask = { runs: [], foreignRequests: [], readings: [] }

/** Rules on the status of tasks and their runs. */
export const runRules: readonly ModelRule[] = [
  rule('new-unfinished', 'TASK-NEW-UNFINISHED', 'finished-stays', ['getTask'], {
    attributableToOthers: true,
  }).judge(({ tasks }, event) => {
    const { created, runs, foreignRequests } = tasks.get(event.resource ?? '') ?? emptyTaskKnowledge
    const finished = field(event.answer.json, 'finished')
    if (!created || typeof finished !== 'boolean') return undefined
    if (mayAnyRunPrecede([...runs, ...foreignRequests], effectInterval(event))) return undefined
    return requireThat(!finished, 'finished: false, since it never ran', 'finished: true', created.eventId)
  }),
  rule('created-idle', 'TASK-NEW-IDLE', 'status-in-progress', ['createTask']).judge((_, { answer }) => {
    if (!isSuccess(answer)) return undefined
    const isIdle = field(answer.json, 'task', 'status') !== 'in_progress'
    return requireThat(isIdle, 'another status: it never ran', 'in_progress')
  }),
  rule('new-idle', 'TASK-NEW-IDLE', 'status-in-progress', ['getTask', 'listTasks'], {
    attributableToOthers: true,
  }).judge(({ tasks }, event) => {
    const at = effectInterval(event)
    return firstObjectionToItems(tasksIn(event), event, ({ id, item }) => {
      const { created, runs, foreignRequests } = tasks.get(id) ?? emptyTaskKnowledge
      if (!created || field(item, 'status') !== 'in_progress') return undefined
      const hasRun = mayAnyRunPrecede([...runs, ...foreignRequests], at)
      return requireThat(hasRun, 'another status: it never ran', 'in_progress', created.eventId)
    })
  }),
  finishedStays('finished-stays', 'RUN-FINISHED-STAYS', 'finished-stays', 'task'),
  finishedStays('finished-as-answered', 'RUN-ANSWER-FINISHED', 'run-task', 'run'),
  finishedStays('finished-once-listed', 'RUN-FINISHED-STAYS', 'finished-stays', 'list'),
  rule('finished-as-listed', 'RUN-LISTED-STATUS', 'task-fields', ['listTasks'], {
    attributableToOthers: true,
  }).judge(({ tasks }, event, { consistency }) => {
    const at = effectInterval(event)
    return firstObjectionToItems(itemsWithIds(event.answer.json), event, ({ id, item }) => {
      const task = tasks.get(id) ?? emptyTaskKnowledge
      const over = finishedReadingBefore(task, at, 'task', consistency)
      const status = stringAt(item, 'status')
      if (!over || status === undefined) return undefined
      const isSame = over.status ? status === over.status : status !== 'in_progress'
      return requireThat(isSame, `the status of ${id}: ${over.status || 'a final one'}`, status, over.eventId)
    })
  }),
  rule('run-names-task', 'RUN-TASK-ID', 'run-names-task', ['runTask']).judge((_, { resource, answer }) => {
    const shown = idAsText(field(answer.json, 'taskId'))
    if (!isSuccess(answer) || shown === undefined) return undefined
    return requireThat(shown === resource, `taskId: ${resource}`, shown)
  }),
  rule('run-begun-ok', 'RUN-OK', 'run-task', ['runTask']).judge((_, { answer }) => {
    const { ok, status } = Object(answer.json)
    if (!isSuccess(answer) || ok === undefined || status !== 'in_progress') return undefined
    return requireThat(ok === true, 'ok: true, since the run is in progress', `ok: ${quotedJson(ok)}`)
  }),
  rule('run-id-unique', 'RUN-ID-UNIQUE', 'run-names-itself', ['runTask']).judge(
    ({ issuedIds, tasks }, event) => {
      const { resource, answer } = event
      const id = idAsText(field(answer.json, 'runId'))
      const other = issuedIds.get(`run ${id}`)
      if (id === undefined || !isSuccess(answer)) return undefined
      // Answers may name the pending run, not a completed one.
      const { readings } = tasks.get(resource ?? '') ?? emptyTaskKnowledge
      const isOver = readings.some(
        (one) => one.finished && other && endedBefore(other, one) && endedBefore(one, effectInterval(event)),
      )
      const isSame = !other || (other.of === resource && !isOver)
      return requireThat(isSame, 'a runId for each run', `${id} twice`, other?.eventId)
    },
  ),
  rule('run-finds-task', 'RUN-ACCEPTED', 'run-with-credit', ['runTask']).judge(({ tasks }, event) => {
    const born = tasks.get(event.resource ?? '')?.created
    if (!born || !endedBefore(born, effectInterval(event))) return undefined
    return requireThat(
      event.answer.status !== 404,
      'a success or 409 busy: the task was created before',
      statusAndCode(event.answer),
      born.eventId,
    )
  }),
  rule('first-run-accepted', 'RUN-ACCEPTED', 'run-with-credit', ['runTask'], {
    attributableToOthers: true,
  }).judge(({ tasks }, event) => {
    const { created, runs } = tasks.get(event.resource ?? '') ?? emptyTaskKnowledge
    const at = effectInterval(event)
    const earlier = runs.filter(({ eventId }) => eventId !== event.id)
    if (!created || !endedBefore(created, at) || mayAnyRunPrecede(earlier, at)) return undefined
    const { status } = event.answer
    const refused =
      status === 400 || status === 422 || (status === 409 && errorCodeOf(event.answer) !== 'busy')
    return requireThat(!refused, 'a run: the task never ran', statusAndCode(event.answer), created.eventId)
  }),
]

/** Tasks in an answer: all of a list, or the requested one. */
export const tasksIn = ({ operation, resource = '', answer }: AnsweredRequest): readonly ListItem[] =>
  operation === 'listTasks' ? itemsWithIds(answer.json) : [{ id: resource, item: field(answer.json, 'task') }]

/** True if a run may have been accepted before an answer. */
export const mayAnyRunPrecede = (runs: readonly EffectInterval[], at: EffectInterval) =>
  runs.some((run) => mayFallBetween(run, run, at))
