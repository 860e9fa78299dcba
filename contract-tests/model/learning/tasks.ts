/** What answers teach about tasks. */

import { field, idOf } from '#traffic/exchange.ts'
import { codeOf } from '../codes.ts'
import type { Answered, RequestEvent } from '../event.ts'
import { isSuccess } from '../event.ts'
import { identified, spanOf, textAt } from '../matching.ts'
import type { Organization, Task } from '../state.ts'

const unknown: Task = { runs: [], readings: [] }

function change(org: Organization, id: string, to: (task: Task) => Partial<Task>): void {
  const task = org.tasks.get(id) ?? unknown
  org.tasks.set(id, { ...task, ...to(task) })
}

export function learnCreatedTask(org: Organization, event: Answered): void {
  const id = idOf(field(event.answer.json, 'task', 'id'))
  if (!isSuccess(event.answer) || id === undefined) return
  const text = textAt(event.body, 'text') ?? textAt(event.answer.json, 'task', 'text')
  change(org, id, () => ({
    born: spanOf(event),
    text: text === undefined ? undefined : { value: text, by: event.id },
  }))
}

export function learnTask(org: Organization, event: Answered): void {
  const { resource: id, answer } = event
  const finished = field(answer.json, 'finished')
  if (!isSuccess(answer) || id === undefined || idOf(field(answer.json, 'task', 'id')) !== id) return
  const text = textAt(answer.json, 'task', 'text')
  change(org, id, (task) => ({
    text: task.text ?? (text === undefined ? undefined : { value: text, by: event.id }),
    readings:
      typeof finished === 'boolean'
        ? [...task.readings.slice(-15), { ...spanOf(event), finished }]
        : task.readings,
  }))
}

export function learnTaskList(org: Organization, event: Answered): void {
  if (!isSuccess(event.answer)) return
  for (const { id, item } of identified(event.answer.json)) {
    const text = textAt(item, 'text')
    if (org.tasks.get(id)?.text || text === undefined) continue
    change(org, id, () => ({ text: { value: text, by: event.id } }))
  }
}

/** A request to run may have its effect from the moment it is sent. */
export function expectRun(org: Organization, { id, resource, sent }: RequestEvent): void {
  if (resource === undefined) return
  change(org, resource, ({ runs }) => ({ runs: [...runs, { by: id, from: sent, to: null }] }))
}

/** An answer tells whether it had. */
export function learnRun(org: Organization, event: Answered): void {
  const { id: by, resource: id, answer } = event
  if (id === undefined) return
  const taken = isSuccess(answer) || (answer.status === 409 && codeOf(answer) === 'busy')
  const refused = answer.status >= 400 && answer.status < 500 && !taken
  change(org, id, ({ runs }) => ({
    runs: runs.flatMap((run) => (run.by !== by ? run : refused ? [] : taken ? spanOf(event) : run)),
  }))
  const runId = idOf(field(answer.json, 'runId'))
  if (taken && runId !== undefined) org.minted.set(`run ${runId}`, by)
}
