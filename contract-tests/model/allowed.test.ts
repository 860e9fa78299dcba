/** Behaviour that services may have and the mock does not: the model accepts it. */
import { expect, test } from 'vitest'
import { judgeHistory, modelRules } from './index.ts'
import {
  answeredRequest,
  buildHistory,
  type GivenProviderState,
  type GivenRequest,
} from './testing/history.ts'

const body = { title: 'Plan', content_md: 'The plan of the year.' }
const filed = (body: object, item: object) =>
  answeredRequest('createDocument', { item: { id: 'd1', ...item } }, { body })

const allowed: Readonly<Record<string, readonly GivenRequest[]>> = {
  'an answer that the agent is busy names the run that goes on': [
    answeredRequest('runTask', { runId: 'r1' }, { resource: 't1' }),
    answeredRequest('runTask', { error: 'busy', runId: 'r1' }, { resource: 't2', status: 409 }),
    answeredRequest('runTask', { runId: 'r2' }, { resource: 't2' }),
  ],
  'a document without a folder is filed in one that the service chooses': [
    filed(body, { ...body, folder_id: 'inbox' }),
    answeredRequest(
      'listDocuments',
      { items: [{ id: 'd1', title: 'Plan' }] },
      { query: { folder_id: 'inbox' } },
    ),
  ],
  'an empty text as a folder is a folder of that name': [
    filed({ ...body, folder_id: '' }, { ...body, folder_id: '' }),
    answeredRequest('listDocuments', { items: [] }),
  ],
  'a summary that was not sent is made from the content, and is that of another document': [
    filed({ ...body, summary: 'The plan of the year.' }, body),
    answeredRequest(
      'createDocument',
      { item: { id: 'd2', ...body, summary: 'The plan of the year.' } },
      { body },
    ),
    answeredRequest(
      'getDocument',
      { item: { id: 'd2', ...body, summary: 'The plan of the year.' } },
      { resource: 'd2' },
    ),
  ],
  'a task that was refused is made when somebody asks for it again with a field that means nothing': [
    answeredRequest(
      'createTask',
      { error: 'unavailable' },
      { body: { text: 'Task (again-1)' }, status: 503 },
    ),
    {
      ...answeredRequest('createTask', { task: { id: 't1', text: 'Task (again-1)' } }),
      ...{ body: { text: 'Task (again-1)', org: 'o1' }, tenant: null },
    },
    answeredRequest('listTasks', { items: [{ id: 't1', text: 'Task (again-1)' }] }),
  ],
  'a notification has the id of a task of another organization': [
    { ...answeredRequest('createTask', { task: { id: '7201234567890143936', text: 'a' } }), tenant: 'other' },
    answeredRequest('listNotifications', { items: [{ id: '7201234567890143936', read: false }], unread: 1 }),
  ],
  'the name of a key is trimmed': [
    answeredRequest('createKey', { key: { id: 'k1' }, secret: 's' }, { body: { name: ' CI ' } }),
    answeredRequest('listKeys', { keys: [{ id: 'k1', name: 'CI' }] }),
  ],
  'the name of a landing page is trimmed in the list': [
    answeredRequest(
      'createLandingPage',
      { id: 'p1', business_name: 'Bakery ' },
      { body: { business_name: 'Bakery ' } },
    ),
    answeredRequest('listLandingPages', { items: [{ id: 'p1', business_name: 'Bakery' }] }),
  ],
}

/** The answers in a history are abridged, so that rules on an answer by itself are left out. */
const indirect = modelRules.filter(({ neverConsequence }) => !neverConsequence)

/** The rules that a history violates, if changes show late by at most `consistency`, ms. */
const found = (given: readonly (GivenRequest | GivenProviderState)[], consistency = 0) =>
  judgeHistory(buildHistory(given), { consistency, rules: indirect }).violations.map(({ rule }) => rule)

test.each(Object.entries(allowed))('%s', (_, given) => {
  expect(found(given)).toEqual([])
})

test('a run that a recorder timed before the answer that created its task is a run of it', () => {
  const read = answeredRequest('getTask', { task: { id: 1, text: 'a' }, finished: true }, { resource: '1' })
  const created = answeredRequest('createTask', { task: { id: 1, text: 'a' } }, { body: { text: 'a' } })
  const run = answeredRequest('runTask', { runId: 'r1' }, { resource: '1' })
  expect(found([created, { ...run, sent: { seq: 1, ms: 1 } }, read])).toEqual([])
  expect(found([created, read])).toEqual(['new-unfinished'])
})

test.each([
  ['ids that each organization may count for itself', 't-2026-03-0147', [], []],
  ['random ids', 'task_7x2k9q4m', ['unmentioned-runTask'], ['foreign-run-refused']],
])('with %s, the answer to a run of what another organization has created is judged', (_, id, taken, busy) => {
  const made = answeredRequest('createTask', { task: { id, text: 'a' } }, { body: { text: 'a' } })
  const accepted = answeredRequest('runTask', { taskId: id, status: 'in_progress' }, { resource: id })
  const conflict = answeredRequest('runTask', { error: 'invalid_request' }, { resource: id, status: 409 })
  expect(found([made, { ...accepted, tenant: 'other' }])).toEqual(taken)
  expect(found([made, { ...conflict, tenant: 'other' }])).toEqual(busy)
  const refusals = [
    [402, 'no_credits'],
    [404, 'not_found'],
    [401, 'unauthorized'],
  ] as const
  for (const [status, error] of refusals) {
    const refused = answeredRequest('runTask', { error }, { resource: id, status })
    expect(found([made, { ...refused, key: 1, tenant: 'other' }])).toEqual([])
  }
})

test('a folder that requests have named is none that the service chooses, where others are in none', () => {
  const named = answeredRequest(
    'createDocument',
    { item: { id: 'd0' } },
    { body: { ...body, folder_id: 'f1' } },
  )
  const unfiled = answeredRequest(
    'createDocument',
    { item: { id: 'd2', ...body, folder_id: null } },
    { body },
  )
  const listed = answeredRequest(
    'listDocuments',
    { items: [{ id: 'd1', title: 'Plan' }] },
    { query: { folder_id: 'f1' } },
  )
  const chosen = filed(body, { ...body, folder_id: 'f1' })
  expect(found([chosen, unfiled, listed])).toEqual([])
  expect(found([named, chosen, unfiled, listed])).toContain('document-filed')
})

test('a list shows late that a notification was marked', () => {
  const inbox = (read: boolean) =>
    answeredRequest('listNotifications', { items: [{ id: 'n1', read }], unread: 1 })
  const marked = answeredRequest('readNotification', { ok: true }, { resource: 'n1' })
  expect(found([marked, inbox(false), inbox(true)], 10)).toEqual([])
  expect(found([marked, inbox(false), inbox(true)])).toEqual(['stays-unread'])
})

test('what a list does not show any more, it need not count any more', () => {
  const inbox = (ids: readonly string[], unread: number) =>
    answeredRequest('listNotifications', { items: ids.map((id) => ({ id, read: false })), unread })
  expect(found([inbox(['n1', 'n2'], 2), inbox(['n1'], 1)])).toEqual([])
  expect(found([inbox(['n1', 'n2'], 3), inbox(['n1'], 1)])).toEqual(['unread-without-marking'])
  // One replica may not show yet what another one showed.
  expect(found([inbox(['n1', 'n2'], 3), inbox(['n1'], 1)], 10)).toEqual([])
})

test('a creative that a state makes fail is answered 503 again and again', () => {
  const failing = answeredRequest(
    'generateCreative',
    { error: 'unavailable' },
    { status: 503, body: { prompt: 'A cat.' } },
  )
  const arranged = { arranged: 'next_creative_fails' } as const
  expect(found([arranged, failing, arranged, failing, arranged, failing, arranged, failing])).toEqual([])
  expect(found([failing, failing, failing])).toEqual([])
  expect(found([failing, failing, failing, failing])).toEqual(['admitted-generateCreative'])
})

test('a creative that is refused after a while has its credit meanwhile, and not later', () => {
  const whoami = (credits: number) => answeredRequest('whoami', { credits })
  const refused = answeredRequest('generateCreative', { error: 'invalid_request' }, { status: 422 })
  const meanwhile = { ...whoami(2), sent: { seq: 3.5, ms: 3.5 } }
  expect(found([whoami(3), refused, meanwhile, whoami(3)])).toEqual([])
  expect(found([whoami(3), refused, whoami(2)])).toHaveLength(1)
})

test.each([
  ['title', { title: 'Plan of it '.repeat(30), content_md: 'one\ntwo' }],
  ['content', { title: 'Plan', content_md: 'a line of it\n'.repeat(30) }],
])('a document may be refused for a long %s, whatever the content holds', (_, body) => {
  const refused = { error: 'invalid_request', message: 'Too long.' }
  expect(found([answeredRequest('createDocument', refused, { status: 400, body })])).toEqual([])
})

test('a list may show as unread what is marked while it is read, and count it no more', () => {
  const marked = answeredRequest('readNotification', { ok: true }, { resource: 'n1' })
  const list = answeredRequest('listNotifications', { items: [{ id: 'n1', read: false }], unread: 0 })
  const before = answeredRequest('listNotifications', { items: [{ id: 'n1', read: false }], unread: 1 })
  expect(found([before, marked, { ...list, sent: { seq: 3.5, ms: 3.5 } }])).toEqual([])
  expect(found([list])).toEqual(['unread-counted'])
})

test('a list may count a notification that a state or the end of a run adds after its items were read', () => {
  const list = (unread: number, ...ids: string[]) =>
    answeredRequest('listNotifications', { items: ids.map((id) => ({ id, read: false })), unread })
  const overlapping = { ...list(2, 'n1'), sent: { seq: 1.5, ms: 1.5 } }
  const arranged = { arranged: 'unread_notification' } as const
  expect(found([list(1, 'n1'), arranged, overlapping])).toEqual([])
  const run = answeredRequest('runTask', { finished: false }, { resource: 't1' })
  expect(found([list(1, 'n1'), run, list(2, 'n1')])).toEqual([])
  expect(found([list(1, 'n1'), list(2, 'n1')])).toEqual(['unread-without-marking'])
  // A task that has run before runs again.
  const ended = answeredRequest('getTask', { task: { id: 't1' }, finished: true }, { resource: 't1' })
  expect(found([run, ended, list(1, 'n1'), run, list(2, 'n1')])).toEqual([])
  expect(found([run, ended, list(1, 'n1'), list(2, 'n1')])).toEqual(['unread-without-marking'])
})

test('after an empty list, a capped one may count more than it shows', () => {
  const list = (unread: number, ...ids: string[]) =>
    answeredRequest('listNotifications', { items: ids.map((id) => ({ id, read: false })), unread })
  expect(found([list(0), list(5, 'n1', 'n2')])).toEqual([])
  expect(found([list(3, 'n1', 'n2', 'n3'), list(0), list(5, 'n4', 'n5')])).toContain('unread-without-marking')
})
