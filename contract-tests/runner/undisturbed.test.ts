import { expect, test } from 'vitest'
import { judge, type ModelEvent, type RequestEvent } from '../model/index.ts'
import { certain } from './watch.ts'

let id = 0
const said = (operation: RequestEvent['operation'], json: object, body?: unknown): ModelEvent => {
  const [sent, received] = [2 * ++id, 2 * id + 1].map((place) => ({ place, ms: place })) as [
    RequestEvent['sent'],
    RequestEvent['sent'],
  ]
  return {
    ...{ kind: 'request', id, operation, tenant: 'main', body, sent },
    answer: { status: 200, json, received },
  }
}
const whoami = (credits: number) => said('whoami', { credits })
const create = (credits: number) =>
  said('createTask', { task: { id: `t${id}`, text: 'a', status: 'new' }, credits }, { text: 'a' })
const found = (...history: ModelEvent[]) =>
  certain(judge(history, { lag: 0 }).violations, history, []).map(({ requirement }) => requirement)

test('a balance that is said wrong several times counts where all others are explained', () => {
  expect(found(whoami(3), create(2), whoami(3), create(2), whoami(3))).toEqual([
    'CREDITS-IN-CREATE',
    'CREDITS-IN-CREATE',
  ])
})

test('once, it does not', () => {
  expect(found(whoami(3), create(2), whoami(3), create(3), whoami(3))).toEqual([])
})

test('nor where the balance itself moves without our own work', () => {
  expect(found(whoami(3), create(2), whoami(2), create(1), whoami(1))).toEqual([])
})
