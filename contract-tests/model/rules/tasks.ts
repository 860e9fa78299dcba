/** §2 Task, §4 Tasks: what answers show of created tasks. */

import { errorCodeOf, idAsText, valueAtPath } from '#traffic/exchange.ts'
import { type AnsweredRequest, isSuccess } from '../event.ts'
import {
  effectInterval,
  hasEndedBefore,
  itemsWithIds,
  type ListItem,
  mayFallBetween,
  quotedJson,
  statusAndCode,
  stringAt,
} from '../matching.ts'
import type { RequirementId } from '../requirement-id.ts'
import type { EffectInterval, FinishedTaskReading, KnownTask, TaskReadingSource } from '../state.ts'
import { declareModelRule, judgeEachItem, judgeFact, judgeSameText, type ModelRule } from '../violation.ts'
import { judgeText } from './texts.ts'

const asSent = { prefix: 'TASK', otherwise: 'RUN-KEEPS-TASK' } as const

/** Rules on what answers show of created tasks. */
export const taskRules: readonly ModelRule[] = [
  declareModelRule('task-answered', 'TASK-ANSWER-TEXT', 'create-task', ['createTask']).judge(
    (_, { body, answer }) => {
      const [sent, shown] = [valueAtPath(body, 'text'), valueAtPath(answer.json, 'task', 'text')]
      if (!isSuccess(answer) || typeof sent !== 'string') return undefined
      return judgeText(shown, sent, 'task.text', { prefix: 'TASK', otherwise: 'TASK-ANSWER-TEXT' })
    },
  ),
  declareModelRule('task-id-new', 'TASK-UNIQUE', 'ids', ['createTask'], { oneSightSuffices: true }).judge(
    ({ tasks }, event) => {
      const id = idAsText(valueAtPath(event.answer.json, 'task', 'id'))
      if (!isSuccess(event.answer) || id === undefined) return undefined
      const born = tasks.get(id)?.created
      return judgeFact(!born, 'a new id for each task', `${id} twice`, born?.eventId)
    },
  ),
  declareModelRule('task-identity', 'TASK-READABLE', 'get-task', ['getTask']).judge(
    (_, { resource, answer }) => {
      const shown = idAsText(valueAtPath(answer.json, 'task', 'id'))
      if (!isSuccess(answer) || shown === undefined) return undefined
      return judgeFact(shown === resource, `task.id: ${resource}`, shown)
    },
  ),
  declareModelRule('task-stays', 'TASK-READABLE', 'create-task', ['getTask']).judge(({ tasks }, event) => {
    const born = tasks.get(event.resource ?? '')?.created
    if (!born || !hasEndedBefore(born, effectInterval(event))) return undefined
    return judgeFact(
      event.answer.status !== 404,
      'the created task',
      statusAndCode(event.answer),
      born.eventId,
    )
  }),
  declareModelRule('listed-task-stays', 'TASK-READABLE', 'error-not-found', ['getTask'], {
    attributableToOthers: true,
  }).judge(({ tasks }, { resource, answer }) => {
    const { text, created } = tasks.get(resource ?? '') ?? {}
    if (!text || created) return undefined
    return judgeFact(answer.status !== 404, 'the task that was shown', statusAndCode(answer), text.eventId)
  }),
  declareModelRule('task-text-kept', 'RUN-KEEPS-TASK', 'task-fields', ['getTask']).judge(
    ({ tasks }, { resource, answer }) => {
      const { text, runs = [] } = tasks.get(resource ?? '') ?? {}
      const shown = valueAtPath(answer.json, 'task', 'text')
      if (!isSuccess(answer) || !text || idAsText(valueAtPath(answer.json, 'task', 'id')) !== resource)
        return undefined
      return runs.length > 0
        ? judgeSameText(shown, text.value, 'task.text', text.eventId)
        : judgeText(shown, text.value, 'task.text', asSent, text.eventId)
    },
  ),
  declareModelRule('task-text-listed', 'TASK-LISTED-SAME', 'task-fields', ['listTasks']).judge(
    ({ tasks }, event) =>
      judgeEachItem(itemsWithIds(event.answer.json), event, ({ id, item }) => {
        const text = tasks.get(id)?.text
        return text && judgeSameText(valueAtPath(item, 'text'), text.value, `text of ${id}`, text.eventId)
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
      hasEndedBefore(one, at, consistency) &&
      !runs.some((run) => run.eventId !== one.eventId && mayFallBetween(run, one, at)),
  )

const finishedStays = (
  id: string,
  requirement: RequirementId,
  anchor: string,
  said: TaskReadingSource,
): ModelRule =>
  declareModelRule(id, requirement, anchor, ['getTask'], { attributableToOthers: true }).judge(
    ({ tasks }, event) => {
      const task = tasks.get(event.resource ?? '') ?? emptyTaskKnowledge
      const over = finishedReadingBefore(task, effectInterval(event), said)
      const finished = valueAtPath(event.answer.json, 'finished')
      if (typeof finished !== 'boolean') return undefined
      // Unless it was seen finished before, a task may be unfinished.
      if (!over) return task.readings.some((one) => one.source === said && !one.finished) || undefined
      const ran = said === 'list' ? task.runs.map(({ eventId }) => eventId) : []
      return judgeFact(
        finished,
        'finished: true until the task is run again',
        'finished: false',
        ...ran,
        over.eventId,
      )
    },
  )

/** The knowledge of the model about a task that no event has named so far. */
export const emptyTaskKnowledge: KnownTask = { runs: [], foreignRequests: [], readings: [] }

/** Rules on the status of tasks and their runs. */
export const runRules: readonly ModelRule[] = [
  declareModelRule('new-unfinished', 'TASK-NEW-UNFINISHED', 'finished-stays', ['getTask'], {
    attributableToOthers: true,
  }).judge(({ tasks }, event) => {
    const { created, runs, foreignRequests } = tasks.get(event.resource ?? '') ?? emptyTaskKnowledge
    const finished = valueAtPath(event.answer.json, 'finished')
    if (!created || typeof finished !== 'boolean') return undefined
    if (mayAnyRunPrecede([...runs, ...foreignRequests], effectInterval(event))) return undefined
    return judgeFact(!finished, 'finished: false, since it never ran', 'finished: true', created.eventId)
  }),
  declareModelRule('created-idle', 'TASK-NEW-IDLE', 'status-in-progress', ['createTask']).judge(
    (_, { answer }) => {
      if (!isSuccess(answer)) return undefined
      const isIdle = valueAtPath(answer.json, 'task', 'status') !== 'in_progress'
      return judgeFact(isIdle, 'another status: it never ran', 'in_progress')
    },
  ),
  declareModelRule('new-idle', 'TASK-NEW-IDLE', 'status-in-progress', ['getTask', 'listTasks'], {
    attributableToOthers: true,
  }).judge(({ tasks }, event) => {
    const at = effectInterval(event)
    return judgeEachItem(tasksIn(event), event, ({ id, item }) => {
      const { created, runs, foreignRequests } = tasks.get(id) ?? emptyTaskKnowledge
      if (!created || valueAtPath(item, 'status') !== 'in_progress') return undefined
      const hasRun = mayAnyRunPrecede([...runs, ...foreignRequests], at)
      return judgeFact(hasRun, 'another status: it never ran', 'in_progress', created.eventId)
    })
  }),
  finishedStays('finished-stays', 'RUN-FINISHED-STAYS', 'finished-stays', 'task'),
  finishedStays('finished-as-answered', 'RUN-ANSWER-FINISHED', 'run-task', 'run'),
  finishedStays('finished-once-listed', 'RUN-FINISHED-STAYS', 'finished-stays', 'list'),
  declareModelRule('finished-as-listed', 'RUN-LISTED-STATUS', 'task-fields', ['listTasks'], {
    attributableToOthers: true,
  }).judge(({ tasks }, event, { consistency }) => {
    const at = effectInterval(event)
    return judgeEachItem(itemsWithIds(event.answer.json), event, ({ id, item }) => {
      const task = tasks.get(id) ?? emptyTaskKnowledge
      const over = finishedReadingBefore(task, at, 'task', consistency)
      const status = stringAt(item, 'status')
      if (!over || status === undefined) return undefined
      const isSame = over.status ? status === over.status : status !== 'in_progress'
      return judgeFact(isSame, `the status of ${id}: ${over.status || 'a final one'}`, status, over.eventId)
    })
  }),
  declareModelRule('run-names-task', 'RUN-TASK-ID', 'run-names-task', ['runTask']).judge(
    (_, { resource, answer }) => {
      const shown = idAsText(valueAtPath(answer.json, 'taskId'))
      if (!isSuccess(answer) || shown === undefined) return undefined
      return judgeFact(shown === resource, `taskId: ${resource}`, shown)
    },
  ),
  declareModelRule('run-begun-ok', 'RUN-OK', 'run-task', ['runTask']).judge((_, { answer }) => {
    const { ok, status } = Object(answer.json)
    if (!isSuccess(answer) || ok === undefined || status !== 'in_progress') return undefined
    return judgeFact(ok === true, 'ok: true, since the run is in progress', `ok: ${quotedJson(ok)}`)
  }),
  declareModelRule('run-id-unique', 'RUN-ID-UNIQUE', 'run-names-itself', ['runTask']).judge(
    ({ issuedIds, tasks }, event) => {
      const { resource, answer } = event
      const id = idAsText(valueAtPath(answer.json, 'runId'))
      const other = issuedIds.get(`run ${id}`)
      if (id === undefined || !isSuccess(answer)) return undefined
      // Answers may name the pending run, not a completed one.
      const { readings } = tasks.get(resource ?? '') ?? emptyTaskKnowledge
      const isOver = readings.some(
        (one) =>
          one.finished && other && hasEndedBefore(other, one) && hasEndedBefore(one, effectInterval(event)),
      )
      const isSame = !other || (other.of === resource && !isOver)
      return judgeFact(isSame, 'a runId for each run', `${id} twice`, other?.eventId)
    },
  ),
  declareModelRule('run-finds-task', 'RUN-ACCEPTED', 'run-with-credit', ['runTask']).judge(
    ({ tasks }, event) => {
      const born = tasks.get(event.resource ?? '')?.created
      if (!born || !hasEndedBefore(born, effectInterval(event))) return undefined
      return judgeFact(
        event.answer.status !== 404,
        'a success or 409 busy: the task was created before',
        statusAndCode(event.answer),
        born.eventId,
      )
    },
  ),
  declareModelRule('first-run-accepted', 'RUN-ACCEPTED', 'run-with-credit', ['runTask'], {
    attributableToOthers: true,
  }).judge(({ tasks }, event) => {
    const { created, runs } = tasks.get(event.resource ?? '') ?? emptyTaskKnowledge
    const at = effectInterval(event)
    const earlier = runs.filter(({ eventId }) => eventId !== event.id)
    if (!created || !hasEndedBefore(created, at) || mayAnyRunPrecede(earlier, at)) return undefined
    const { status } = event.answer
    const refused =
      status === 400 || status === 422 || (status === 409 && errorCodeOf(event.answer) !== 'busy')
    return judgeFact(!refused, 'a run: the task never ran', statusAndCode(event.answer), created.eventId)
  }),
]

/** Tasks in an answer: all of a list, or the requested one. */
export const tasksIn = ({ operation, resource = '', answer }: AnsweredRequest): readonly ListItem[] =>
  operation === 'listTasks'
    ? itemsWithIds(answer.json)
    : [{ id: resource, item: valueAtPath(answer.json, 'task') }]

/** True if a run may have been accepted before an answer. */
export const mayAnyRunPrecede = (runs: readonly EffectInterval[], at: EffectInterval) =>
  runs.some((run) => mayFallBetween(run, run, at))
