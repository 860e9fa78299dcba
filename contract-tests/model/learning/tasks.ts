/** What answers teach about tasks and their runs. */
import { field, idOf } from '#traffic/exchange.ts'
import { type Answered, isSuccess, type RequestEvent } from '../event.ts'
import { factOf, hadEffect, identified, settled, spanOf, textAt } from '../matching.ts'
import type { Organization, Reading, State, Task } from '../state.ts'
import { learnOver } from './credits.ts'

const unknown: Task = { runs: [], foreign: [], readings: [] }

/** Readings that are remembered of each task. */
const most = 16

function change({ tasks }: Organization, id: string, to: (task: Task) => Partial<Task>): void {
  const task = tasks.get(id) ?? unknown
  tasks.set(id, { ...task, ...to(task) })
}

export function learnCreatedTask(org: Organization, event: Answered): void {
  const id = idOf(field(event.answer.json, 'task', 'id'))
  if (!isSuccess(event.answer) || id === undefined) return
  const text = textAt(event.body, 'text') ?? textAt(event.answer.json, 'task', 'text')
  const first = textAt(event.answer.json, 'task', 'status')
  change(org, id, () => ({ ...unknown, born: spanOf(event), text: factOf(text, event.id), first }))
}

export function learnTask(org: Organization, event: Answered, state: State): void {
  const { resource: id, answer } = event
  if (!isSuccess(answer) || id === undefined || idOf(field(answer.json, 'task', 'id')) !== id) return
  const text = factOf(textAt(answer.json, 'task', 'text'), event.id)
  change(org, id, (task) => ({ text: task.text ?? text, readings: withReading(task, event, 'task') }))
  if (field(answer.json, 'finished') === true) learnOver(org, event, state)
}

function withReading({ readings }: Task, event: Answered, said: Reading['said']): readonly Reading[] {
  const finished = field(event.answer.json, 'finished')
  if (typeof finished !== 'boolean') return readings
  const status = textAt(event.answer.json, 'task', 'status')
  return [...readings.slice(1 - most), { ...spanOf(event), finished, said, status }]
}

export function learnTaskList(org: Organization, event: Answered, state: State): void {
  for (const { id, item } of identified(event.answer.json)) {
    const text = factOf(textAt(item, 'text'), event.id)
    if (text && !org.tasks.get(id)?.text) change(org, id, () => ({ text }))
    const status = textAt(item, 'status')
    if (status === undefined || !showsEnd(org.tasks.get(id), event, status, state)) continue
    const reading: Reading = { ...spanOf(event), finished: true, said: 'list', status }
    change(org, id, ({ readings }) => ({ readings: [...readings.slice(1 - most), reading] }))
  }
}

/** Whether a list tells that the only run of a task is over: by a status that a finished task had, and not this one at first. */
function showsEnd(task: Task | undefined, { tenant }: Answered, status: string, { endings }: State) {
  if (task?.first === undefined || status === task.first) return false
  if (task.runs.length !== 1 || task.foreign.length > 0) return false
  if (task.readings.some(({ finished }) => finished)) return false
  const { ordinary, failed } = endings
  return [ordinary, failed].some((known) => known.has(`${tenant} ${status}`))
}

/** A request to run may have its effect from the moment it is sent. */
export function expectRun(own: Organization, { id, resource, sent }: RequestEvent, state: State): void {
  if (resource === undefined) return
  const span = { by: id, from: sent, to: null }
  change(own, resource, ({ runs }) => ({ runs: [...runs, span] }))
  for (const org of state.organizations.values())
    if (org !== own && org.tasks.has(resource))
      change(org, resource, ({ foreign }) => ({ foreign: [...foreign, span] }))
}

/** An answer tells whether it had. */
export function learnRun(org: Organization, event: Answered): void {
  const { resource: id, answer } = event
  if (id === undefined) return
  const effect = hadEffect(answer)
  change(org, id, (task) => ({
    runs: settled(task.runs, spanOf(event), effect),
    readings: isSuccess(answer) ? withReading(task, event, 'run') : task.readings,
  }))
  const runId = idOf(field(answer.json, 'runId'))
  // A refusal may name the run that goes on.
  if (isSuccess(answer) && runId !== undefined) org.minted.set(`run ${runId}`, { ...spanOf(event), of: id })
}
