/** Output of the mock: its banner, and one log line per request, for people or for programs, without secrets. */
import { expect, test } from 'vitest'
import { createMock } from '#mocks/app.ts'
import type { RequestSummary } from '#mocks/pipeline/service.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { bannerText, type ConnectionInfo, requestLogLine } from './banner.ts'

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
  expect(requestLogLine(summary, 'human')).toBe(`09:30:15.007 POST   /api/cli/tasks/task_1/run ${shown}`)
})

test.each([exchange, faulted])('the JSON line is one object', (summary) => {
  const { at, ...fields } = summary
  const time = '2026-03-01T09:30:15.007Z'
  expect(JSON.parse(requestLogLine(summary, 'json'))).toEqual({ ...fields, time, duration_ms: 0.12 })
})

test('neither a reason, a path nor a body can break the line, and a missing body takes none', () => {
  const bodies = { request: '{\n "a": "\u001b[31m" }', answer: '{}\n' }
  const path = `/api/cli/tasks/${'a\nb\r\nb\u2028b\u001b[31mb b\u202eb\u0000b'}`
  const odd = { ...exchange, path, reason: 'rule=a\nb' }
  const [line = '', ...others] = requestLogLine(odd, 'human', bodies).split('\n')
  expect(others).toEqual(['  > {\\n "a": "\\u001b[31m" }', '  < {}'])
  expect(line).toMatch(/^[\x20-\x7e]+ rule=a\\nb$/)
  expect(line.split(' ')).toHaveLength(requestLogLine(exchange, 'human').split(' ').length + 1)
  expect(requestLogLine(odd, 'json')).not.toContain('\n')
  const silent = { request: null, answer: '' }
  expect(requestLogLine(exchange, 'human', silent)).toBe(requestLogLine(exchange, 'human'))
  expect(JSON.parse(requestLogLine(exchange, 'json', silent))).toMatchObject({
    request_body: null,
    answer_body: '',
  })
})

const ready: ConnectionInfo = {
  url: 'http://127.0.0.1:4402',
  pid: 1,
  api_key: 'it\'s $HOME `a` "b"',
  other_api_key: 'wak_test_other',
  session_cookie: 'work_agent_session=was_test_demo',
  other_session_cookie: 'work_agent_session=was_test_other',
  states_url: 'http://127.0.0.1:4402/__admin/states',
}

function bannerOf(options: MockOptions = {}, state?: string): string {
  const mock = createMock(options)
  return bannerText(ready, mock.settings, mock.faults.list(), state)
}

test('the banner shows the keys of two organizations, quoted for a shell where it is one, and where the state is kept', () => {
  const shown = bannerOf({}, 'mock.json; mock time 2026-03-01T12:00:00.000Z')
  for (const text of [ready.url, ready.api_key, ready.other_api_key, ready.session_cookie])
    expect(shown).toContain(text)
  expect(shown).toContain(`'Authorization: Bearer it'\\''s $HOME \`a\` "b"'`)
  expect(shown).toMatch(/^ {2}state {11}mock\.json; mock time /m)
  expect(bannerOf()).not.toMatch(/admin token|state {2}/)
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
    'numbers of ms as flags spell them',
    { runDuration: 500, now: 0 },
    ['options --run-duration 500ms --now 1970-01-01T00:00:00.000Z'],
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
