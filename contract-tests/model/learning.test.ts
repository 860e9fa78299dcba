/** Which final statuses are taken for those of failed runs. */
import { expect, test } from 'vitest'
import { judge, type ModelEvent, type RequestEvent } from './index.ts'

let place = 0
const moment = () => ({ place: ++place, ms: place })

const said = (operation: RequestEvent['operation'], json: unknown, resource?: string): ModelEvent => {
  const [sent, received] = [moment(), moment()]
  const answer = { status: 200, json, received }
  return { kind: 'request', id: sent.place, operation, tenant: 'main', resource, sent, answer }
}

const ranTo = (status: string) => [
  said('runTask', { runId: `r${place}` }, 't1'),
  said('getTask', { task: { id: 't1', status }, finished: true }, 't1'),
  said('whoami', { credits: 5 }),
]

const fails = (): ModelEvent => {
  const [sent, received] = [moment(), moment()]
  const state = { state: 'next_run_fails', action: 'setup', params: {} } as const
  return { kind: 'arranged', id: sent.place, tenant: 'main', ...state, sent, received }
}

test('a state that makes the next run fail says nothing about the run after it', () => {
  // Nothing is late, so that a run is forgotten as soon as the balance shows its end.
  const { state } = judge([fails(), ...ranTo('failed'), ...ranTo('completed')], { lag: 0, patience: 0 })
  expect([...state.endings.failed]).toEqual(['main failed'])
  expect([...state.endings.ordinary]).toEqual(['main completed'])
})
