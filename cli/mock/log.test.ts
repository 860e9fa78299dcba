/** What the mock prints: its banner, and one log line per request, for people or for programs, without secrets. */
import { expect, test } from 'vitest'
import { createMock } from '#mocks/app.ts'
import type { RequestSummary } from '#mocks/pipeline/service.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { banner, logLine, type Ready } from './banner.ts'

const exchange: RequestSummary = {
  id: 'req_kbk8_7',
  operation: 'runTask',
  method: 'POST',
  path: '/api/cli/tasks/task_1/run',
  status: 402,
  error: 'no_credits',
  reason: null,
  wire: null,
  org_id: 'org_1',
  org_name: 'Ada & Sons',
  at: Date.UTC(2026, 2, 1, 9, 30, 15, 7),
  duration_ms: 0.123456,
}

const faulted = { ...exchange, status: 0, error: null, wire: 'reset', reason: 'rule=f1; fault=reset' }

test.each([
  ['all there is to a request', exchange, '402 no_credits "Ada & Sons" org_1 0.12ms req_kbk8_7'],
  [
    'a dash for what is missing',
    { ...exchange, error: null, org_id: null, org_name: null },
    '402 - - - 0.12ms req_kbk8_7',
  ],
  [
    'a fault, where it came from, and what happened to the connection',
    faulted,
    '0 - "Ada & Sons" org_1 0.12ms req_kbk8_7 wire=reset rule=f1; fault=reset',
  ],
])('the human line shows %s', (_, summary, shown) => {
  expect(logLine(summary, 'human')).toBe(`09:30:15.007 POST   /api/cli/tasks/task_1/run ${shown}`)
})

test.each([exchange, faulted])('the JSON line is one object', (summary) => {
  const { at, ...fields } = summary
  const time = '2026-03-01T09:30:15.007Z'
  expect(JSON.parse(logLine(summary, 'json'))).toEqual({ ...fields, time, duration_ms: 0.12 })
})

test('a reason and a body cannot break the line', () => {
  const bodies = { request: '{\n "a": "\u001b[31m" }', answer: '{}\n' }
  const lines = logLine({ ...exchange, reason: 'rule=a\nb' }, 'human', bodies).split('\n')
  expect(lines.slice(1)).toEqual(['  > {\\n "a": "\\u001b[31m" }', '  < {}'])
  expect(lines[0]).toMatch(/ rule=a\\nb$/)
})

test('a body that is missing takes no line', () => {
  const silent = { request: null, answer: '' }
  expect(logLine(exchange, 'human', silent)).toBe(logLine(exchange, 'human'))
  expect(JSON.parse(logLine(exchange, 'json', silent))).toMatchObject({ request_body: null, answer_body: '' })
})

test('a path cannot break the line', () => {
  const path = `/api/cli/tasks/${'a\nb\r\nb\u2028b\u001b[31mb b\u202eb\u0000b'}`
  const line = logLine({ ...exchange, path }, 'human')
  expect(line.split(' ')).toHaveLength(logLine(exchange, 'human').split(' ').length)
  expect(line).toMatch(/^[\x20-\x7e]+$/)
  expect(logLine({ ...exchange, path }, 'json')).not.toContain('\n')
})

const ready: Ready = {
  url: 'http://127.0.0.1:4402',
  pid: 1,
  api_key: 'it\'s $HOME `a` "b"',
  other_api_key: 'wak_test_other',
  session_cookie: 'work_agent_session=was_test_demo',
  other_session_cookie: 'work_agent_session=was_test_other',
  states_url: 'http://127.0.0.1:4402/__admin/states',
}

function bannerOf(options: MockOptions = {}, changes: Partial<Ready> = {}, state?: string): string {
  const mock = createMock(options)
  return banner({ ...ready, ...changes }, mock.settings, mock.faults.list(), state)
}

test('the banner shows the URL, the keys of two organizations, the session cookie and three curl lines', () => {
  for (const shown of [ready.url, ready.api_key, ready.other_api_key, ready.session_cookie])
    expect(bannerOf()).toContain(shown)
  expect(bannerOf().match(/^ {2}curl /gm)).toHaveLength(3)
  expect(bannerOf(), 'quoted for a shell').toContain(`'Authorization: Bearer it'\\''s $HOME \`a\` "b"'`)
  expect(bannerOf()).not.toContain('admin token')
})

/** The lines of a banner that a mock without options does not print. */
const changes = (options: MockOptions) => {
  const usual = new Set(bannerOf().split('\n'))
  return bannerOf(options)
    .split('\n')
    .filter((line) => !usual.has(line))
    .map((line) => line.trim().replace(/\s+/g, ' '))
}

test.each<[string, MockOptions, unknown[]]>([
  ['nothing more without options', {}, []],
  ['no default', { credits: 25, extended: true, rateLimit: '600/1m', cors: false }, []],
  [
    'every active fault rule',
    { fault: ['runTask=503,ok;after=1', '429;times=2;rate=0.5'], force: 'no_credits' },
    [
      'fault f1 no_credits',
      'fault f2 runTask=unavailable,ok;after=1',
      'fault f3 rate_limited;times=2;rate=0.5',
      "options --fault 'runTask=503,ok;after=1' --fault '429;times=2;rate=0.5' --force no_credits",
    ],
  ],
  [
    'every option that differs from its default, as flags',
    { variant: 'second', extended: false, busy: true, now: '2026-03-01', seed: 'a b' },
    ["options --variant second --no-extended --busy --now 2026-03-01 --seed 'a b'"],
  ],
  [
    'the scenario and what it sets',
    { scenario: 'temporary-outage' },
    [
      expect.stringMatching(/^scenario temporary-outage: /),
      expect.stringMatching(/^fault f1 /),
      expect.stringMatching(/^options .*--fault .+--scenario temporary-outage$/),
    ],
  ],
  [
    'flags that replay chance',
    { chaos: 0.2, seed: "it's" },
    expect.arrayContaining(["chaos --chaos 0.2 --seed 'it'\\''s' replays it"]),
  ],
  [
    'flags that replay quirks',
    { strictClient: true, seed: "it's" },
    expect.arrayContaining(["quirks --strict-client 'it'\\''s' replays them"]),
  ],
])('the banner shows %s', (_, options, lines) => {
  expect(changes(options)).toEqual(lines)
})

test('the banner shows where the state is kept', () => {
  expect(bannerOf({}, {}, 'mock.json; mock time 2026-03-01T12:00:00.000Z')).toMatch(
    /^ {2}state {11}mock\.json; mock time /m,
  )
})
