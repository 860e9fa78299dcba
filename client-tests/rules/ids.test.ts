/** Ids, the task that is run, and the fields of bodies: what comes close to a mistake, and is none. */
import { expect, test } from 'vitest'
import { testOrigin } from '#mocks/testing/client.ts'
import { listenUntilTestEnd } from '#mocks/testing/listening.ts'
import {
  createRuleTestClient,
  type RuleTestMockOptions,
  ruleOutcomeOnMock,
  ruleResultOnMock,
} from '../testing/rule-result.ts'

/** A client that has read the list of notifications, and asks for one. */
async function asked(path: string, options: RuleTestMockOptions = {}) {
  const { mock, call } = createRuleTestClient(options)
  const { items } = (await call('listNotifications')).body as { items: { id: string }[] }
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const place = path.replace('{id}', encodeURIComponent(String(items[0]?.id)))
  await mock.fetch(new Request(`${testOrigin}/api/cli${place}`, { method: 'POST', headers }))
  return mock
}

test.each([
  ['0', 'a position in a list'],
  ['undefined', 'the text of a value that is missing'],
  ['Run%20completed', 'which answers show as something else'],
])('%s in place of an id is %s', async (text, why) => {
  const mock = await asked(`/notifications/${text}/read`)
  const { outcome, findings } = ruleResultOnMock(mock, 'uses-shown-ids')
  expect(outcome).toBe('warned')
  expect(findings[0]?.what).toBe(
    `gave ${JSON.stringify(decodeURIComponent(text))} for the id of a notification, ${why}`,
  )
})

test.each<[string, string, string, RuleTestMockOptions?]>([
  ['the id of a notification', '/notifications/{id}/read', 'passed'],
  ['an id of somebody else', '/notifications/notification_of_old/read', 'not_exercised'],
  ['a number far from every position', '/notifications/4711/read', 'not_exercised'],
  [
    'a number where ids are numbers',
    '/notifications/1/read',
    'not_exercised',
    { strictClient: 'ids-numbers' },
  ],
  [
    'an id where a fault says that there is none',
    '/notifications/0/read',
    'not_exercised',
    { fault: 'readNotification=not_found' },
  ],
])('%s is no mistake', async (_, path, outcome, options) => {
  expect(ruleOutcomeOnMock(await asked(path, options), 'uses-shown-ids')).toBe(outcome)
})

test('an odd id of a notification that is not encoded violates the rule, as one of a task does', async () => {
  const { mock, call } = createRuleTestClient({ scenario: 'odd-ids' })
  const { items } = (await call('listNotifications')).body as { items: { id: string }[] }
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const path = encodeURI(String(items[0]?.id))
  await mock.fetch(
    new Request(`${testOrigin}/api/cli/notifications/${path}/read`, { method: 'POST', headers }),
  )
  expect(ruleOutcomeOnMock(mock, 'encodes-ids')).toBe('failed')
})

test.each([
  ['null', null, 'failed'],
  ['a list', [], 'failed'],
  ['an object', {}, 'passed'],
])('%s as the body of a run, which takes none (%j): sends-json is %s', async (_, body, outcome) => {
  const { mock, newTask } = createRuleTestClient()
  const { send } = await listenUntilTestEnd(mock)
  const { status } = await send('POST', `/api/cli/tasks/${await newTask()}/run`, {
    key: mock.credentials().apiKey,
    body,
  })
  expect(status).toBe(200)
  expect(ruleOutcomeOnMock(mock, 'sends-json')).toBe(outcome)
})

const end = { ok: true }

test.each<
  [
    string,
    string,
    (list: readonly { id: string; status: string }[], own: string) => unknown,
    RuleTestMockOptions?,
  ]
>([
  [
    'the first of a list, which had finished',
    'warned',
    (list) => list[0]?.id,
    { strictClient: 'lists-oldest-first' },
  ],
  ['the last of a list, which had finished', 'warned', (list) => list.at(-1)?.id],
  ['one in the middle of a list', 'not_exercised', (list) => list[2]?.id],
  ['its own', 'passed', (_, own) => own],
])('a client that creates a task and runs %s: runs-own-tasks is %s', async (_, outcome, choose, options = {}) => {
  const { mock, call, newTask } = createRuleTestClient(options)
  const own = await newTask()
  const { items } = (await call('listTasks')).body as { items: { id: string; status: string }[] }
  await call('runTask', { id: String(choose(items, own)) })
  expect(ruleOutcomeOnMock(mock, 'runs-own-tasks', { end })).toBe(outcome)
})

test('a client that runs the oldest task that is waiting, and one that runs its own later, break nothing', async () => {
  const { mock, call, newTask } = createRuleTestClient({ past: 'none', runProgress: 'immediate' })
  const [first, second] = [await newTask('one'), await newTask('two')]
  const since = mock.journal.entries().at(-1)?.number ?? 0
  const own = await newTask('three')
  await call('listTasks')
  await call('runTask', { id: first })
  // The client of these requests alone created one task, and ran the last of the list, which was waiting.
  expect(ruleOutcomeOnMock(mock, 'runs-own-tasks', { end, since })).toBe('not_exercised')
  await call('listTasks')
  await call('runTask', { id: first })
  expect(ruleOutcomeOnMock(mock, 'runs-own-tasks', { end, since })).toBe('warned')
  await call('runTask', { id: own })
  expect(ruleOutcomeOnMock(mock, 'runs-own-tasks', { end, since })).toBe('passed')
  expect(second).not.toBe(own)
})

test.each([
  [
    'createDocument',
    { title: 'a', content: 'b' },
    'sent "content" with createDocument, which has content_md',
  ],
  ['createTask', { text: 'a', priority: 1 }, 'sent "priority" with createTask, which has text'],
  ['createDocument', { title: 'a', content_md: 'b', kind: 'note', summary: '' }, undefined],
] as const)('of the fields of %s %o the report tells %s', async (operation, body, what) => {
  const { mock, call } = createRuleTestClient()
  await call(operation, { body })
  const { outcome, findings } = ruleResultOnMock(mock, 'sends-known-fields')
  expect([outcome, findings[0]?.what]).toEqual([what === undefined ? 'passed' : 'warned', what])
})
