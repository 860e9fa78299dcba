/** The contract declares the routes (§4), errors (§7) and costs (§8) of the specification. */

import { expect, expectTypeOf, test } from 'vitest'
import { commonFailures, errorBody, failures } from './errors.ts'
import type { CodeOf, Further, Operation } from './index.ts'
import { codesOf, failuresOf, isOperationId, operationIds, routeOf } from './operation.ts'
import { variants } from './route.ts'

test('all 21 routes of §4 are declared, 13 core and 8 extended', () => {
  const rows = operationIds.map((id) => {
    const { method, path, set, auth, cost } = routeOf(id)
    return `${id}: ${method} ${path} ${set} ${auth} ${cost}`
  })
  expect(rows).toEqual([
    'whoami: GET /api/cli/whoami core key 0',
    'createKey: POST /api/cli/keys core cookie 0',
    'listKeys: GET /api/cli/keys core cookie 0',
    'deleteKey: DELETE /api/cli/keys/:id core cookie 0',
    'listTasks: GET /api/cli/tasks core key 0',
    'createTask: POST /api/cli/tasks core key 0',
    'getTask: GET /api/cli/tasks/:id core key 0',
    'runTask: POST /api/cli/tasks/:id/run core key 1',
    'listDocuments: GET /api/cli/documents core key 0',
    'getDocument: GET /api/cli/documents/:id core key 0',
    'createDocument: POST /api/cli/documents core key 0',
    'listNotifications: GET /api/cli/notifications core key 0',
    'readNotification: POST /api/cli/notifications/:id/read core key 0',
    'listLeads: GET /api/cli/leads extended key 0',
    'generateCreative: POST /api/cli/creative/generate extended key 1',
    'listLandingPages: GET /api/cli/landing-pages extended key 0',
    'createLandingPage: POST /api/cli/landing-pages extended key 0',
    'listCampaigns: GET /api/cli/meta/campaigns extended key 0',
    'getInsights: GET /api/cli/meta/insights extended key 0',
    'getWallet: GET /api/cli/wallet extended key 0',
    'getBilling: GET /api/cli/billing extended key 0',
  ])
})

test('the errors of §7 have the statuses of both descriptions', () => {
  const rows = Object.entries(failures).map(
    ([name, { code, status }]) => `${name}: ${code} ${status.first} ${status.second}`,
  )
  expect(rows).toEqual([
    'unauthorized: unauthorized 401 401',
    'not_found: not_found 404 404',
    'unreadable: invalid_request 400 400',
    'invalid: invalid_request 400 422',
    'conflict: invalid_request 409 409',
    'no_credits: no_credits 402 402',
    'busy: busy 409 409',
    'rate_limited: rate_limited 429 429',
    'unavailable: unavailable 503 503',
    'internal_error: internal_error 500 500',
  ])
})

test('every route declares the common failures, 404 if it takes an id, 402 if it costs a credit; only a run busy', () => {
  for (const id of operationIds) {
    const { path, set, cost, body } = routeOf(id)
    const names = failuresOf(id)
    expect(names).toEqual(expect.arrayContaining([...commonFailures]))
    expect([id, names.includes('not_found')]).toEqual([id, path.includes(':id') || set === 'extended'])
    expect([id, names.includes('no_credits')]).toEqual([id, cost === 1])
    expect([id, names.includes('unreadable')]).toEqual([id, body !== undefined])
    expect([id, codesOf(id).includes('busy')]).toEqual([id, id === 'runTask'])
    expect(new Set(names).size).toBe(names.length)
  }
})

test('isOperationId accepts operation ids and rejects inherited object properties', () => {
  expect(['whoami', 'toString', '__proto__', ''].map(isOperationId)).toEqual([true, false, false, false])
})

test('every response schema allows extra fields', () => {
  for (const id of operationIds) {
    for (const variant of variants) {
      const issues = routeOf(id).answer[variant].safeParse({ extra: 1 }).error?.issues ?? []
      expect(issues.filter(({ code }) => code === 'unrecognized_keys')).toEqual([])
    }
  }
})

test('an error body requires a code and a message, and allows extra fields', () => {
  expect(errorBody.safeParse({ error: 'busy', message: '', extra: 1 }).success).toBe(true)
  const wrong = [
    { error: 'busy' },
    { message: 'a' },
    { error: '', message: 'a' },
    { error: 5, message: 'a' },
    [],
  ]
  expect(wrong.filter((body) => errorBody.safeParse(body).success)).toEqual([])
})

test('a request has the method, path, params, query and body of its operation', () => {
  type Create = Operation<'createTask'>
  expectTypeOf<Create['method']>().toEqualTypeOf<'POST'>()
  expectTypeOf<Create['path']>().toEqualTypeOf<'/api/cli/tasks'>()
  expectTypeOf<Create['body']>().toEqualTypeOf<{ text: string }>()
  expectTypeOf<Create['params' | 'query']>().toEqualTypeOf<undefined>()
  expectTypeOf<Operation<'runTask'>['params']>().toEqualTypeOf<Readonly<Record<'id', string | number>>>()
  expectTypeOf<Operation<'runTask'>['body']>().toEqualTypeOf<undefined>()
  expectTypeOf<{ all: '1' }>().toExtend<Operation<'listDocuments'>['query']>()
  expectTypeOf<{ all: 'yes' }>().not.toExtend<Operation<'listDocuments'>['query']>()
})

test('a response of one variant has the fields of that variant', () => {
  expectTypeOf<Operation<'createTask', 'first'>['answer']['credits']>().toEqualTypeOf<number>()
  expectTypeOf<Operation<'runTask', 'second'>['answer']['runId']>().toEqualTypeOf<string | number>()
  expectTypeOf<Operation<'listTasks', 'second'>['answer']['remaining']>().toEqualTypeOf<number>()
})

test('a response without a variant has the common fields; a check gives access to those of one variant', () => {
  type Run = Operation<'runTask'>['answer']
  expectTypeOf<Run['status']>().toEqualTypeOf<string>()
  expectTypeOf<keyof Run>().toEqualTypeOf<'status'>()
  const runOf = (run: Run) => ('runId' in run ? run.runId : run.taskId)
  expectTypeOf(runOf).returns.toEqualTypeOf<string | number>()
  expectTypeOf<Operation<'createTask'>['answer']['task']['id']>().toEqualTypeOf<string | number>()
  expectTypeOf<keyof Operation<'createTask'>['answer']>().toEqualTypeOf<'task'>()
  expectTypeOf<Operation<'getTask'>['answer']['finished']>().toEqualTypeOf<boolean>()
})

test('a field that the contract does not name is a type error, at any depth, unless further fields are asked for', () => {
  type Detail = Operation<'getTask'>['answer']
  expectTypeOf<keyof Detail>().toEqualTypeOf<'task' | 'finished'>()
  expectTypeOf<keyof Operation<'listTasks', 'second'>['answer']['items'][number]>().toEqualTypeOf<
    'id' | 'text' | 'description' | 'status'
  >()
  expectTypeOf<Further<Detail>['finished']>().toEqualTypeOf<boolean>()
  expectTypeOf<Further<Detail['task']>['aFieldThatNobodyNames']>().toEqualTypeOf<unknown>()
  expectTypeOf<Detail>().toExtend<Further<Detail>>()
  expectTypeOf<Operation<'getInsights'>['answer']['clicks']>().toEqualTypeOf<unknown>()
})

test('an error has the codes of its operation and allows others', () => {
  type Own = 'not_found' | 'invalid_request' | 'no_credits' | 'busy'
  type Common = 'unauthorized' | 'rate_limited' | 'unavailable' | 'internal_error'
  expectTypeOf<CodeOf<'runTask'>>().toEqualTypeOf<Own | Common>()
  expectTypeOf<CodeOf<'whoami'>>().toEqualTypeOf<Common>()
  expectTypeOf<string>().toExtend<Operation<'runTask'>['error']['error']>()
  expectTypeOf<'busy' | 'no_credits'>().toExtend<Operation<'runTask'>['failure']>()
  expectTypeOf<'no_credits'>().not.toExtend<Operation<'whoami'>['failure']>()
})
