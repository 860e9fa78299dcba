/** Histories that the model accepts, and those that it objects to. */
import { expect, test } from 'vitest'
import { judge, type ModelEvent } from './index.ts'

let place = 0
const moment = () => ({ place: ++place, ms: place })

/** A request and its answer, one after the other. */
function said(
  operation: 'createTask' | 'getTask' | 'runTask',
  request: { resource?: string; body?: unknown },
  json: unknown,
  status = 200,
): ModelEvent {
  const [sent, received] = [moment(), moment()]
  const answer = { status, json, received }
  return { kind: 'request', id: sent.place, operation, tenant: 'main', ...request, sent, answer }
}

const created = said('createTask', { body: { text: ' a ' } }, { task: { id: 1, text: 'a' } })
const read = (finished: boolean, text = 'a') =>
  said('getTask', { resource: '1' }, { task: { id: 1, text }, finished })
const run = (status = 200) =>
  said('runTask', { resource: '1' }, { runId: `r${place}`, error: 'busy' }, status)
const lost = (event: ModelEvent): ModelEvent =>
  event.kind === 'request' ? { ...event, answer: null } : event
const found = (...history: ModelEvent[]) => judge(history).violations.map(({ requirement }) => requirement)

test('what the specification allows is accepted', () => {
  expect(
    found(created, read(false), run(), read(false), read(true), run(409), read(false), read(true)),
  ).toEqual([])
  expect(found(created, read(false), lost(run()), read(true), read(true), read(false))).toEqual([])
})

test('a task that finishes without a run, a text that changes, a finish that is taken back', () => {
  expect(found(created, read(true))).toEqual(['TASK-NEW-UNFINISHED'])
  expect(found(created, read(false, 'b'))).toEqual(['RUN-KEEPS-TASK'])
  expect(found(created, run(), read(true), read(false))).toEqual(['RUN-FINISHED-STAYS'])
})

test('a run that a recorder timed before the answer that created its task is a run of it', () => {
  const early: ModelEvent = { ...run(), sent: created.sent }
  expect(found(created, early, read(true))).toEqual([])
})
