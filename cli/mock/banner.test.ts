/** The banner shows everything a person needs. */
import { expect, test } from 'vitest'
import { createMock } from '#mocks/app.ts'
import type { MockOptions } from '#mocks/scenarios/settings.ts'
import { banner } from './banner.ts'
import type { Ready } from './ready.ts'

const ready: Ready = {
  url: 'http://127.0.0.1:4402',
  pid: 1,
  api_key: 'it\'s $HOME `a` "b"',
  other_api_key: 'wak_test_other',
  session_cookie: 'work_agent_session=was_test_demo',
  other_session_cookie: 'work_agent_session=was_test_other',
  states_url: 'http://127.0.0.1:4402/__admin/states',
}

/** The banner of a mock with these options. */
function bannerOf(options: MockOptions = {}, changes: Partial<Ready> = {}, state?: string): string {
  const mock = createMock(options)
  return banner({ ...ready, ...changes }, mock.settings, mock.faults.list(), state)
}

test('the banner shows the URL, the keys of two organizations and the session cookie', () => {
  for (const shown of [ready.url, ready.api_key, ready.other_api_key, ready.session_cookie]) {
    expect(bannerOf()).toContain(shown)
  }
})

test('the banner has three curl lines', () => {
  expect(bannerOf().match(/^ {2}curl /gm)).toHaveLength(3)
})

test('a key is quoted for a shell', () => {
  expect(bannerOf()).toContain(`'Authorization: Bearer it'\\''s $HOME \`a\` "b"'`)
})

test('the banner shows the admin token if there is one', () => {
  expect(bannerOf({}, { admin_token: 't0ken' })).toContain('admin token     t0ken')
  expect(bannerOf()).not.toContain('admin token')
})

test('the banner shows the flags that replay chaos', () => {
  const shown = bannerOf({ chaos: 0.2, seed: "it's" })
  expect(shown).toContain("--chaos 0.2 --seed 'it'\\''s' replays it")
})

/** The lines of a banner that a mock without options does not print. */
const changes = (options: MockOptions) => {
  const usual = new Set(bannerOf().split('\n'))
  return bannerOf(options)
    .split('\n')
    .filter((line) => !usual.has(line))
    .map((line) => line.trim().replace(/\s+/g, ' '))
}

test('a mock without options has nothing more to show', () => {
  expect(changes({})).toEqual([])
  expect(changes({ credits: 25, extended: true, rateLimit: '600/1m', cors: false })).toEqual([])
})

test('the banner shows every active fault rule', () => {
  expect(changes({ fault: ['runTask=503,ok;after=1', '429;times=2;rate=0.5'], force: 'no_credits' })).toEqual(
    [
      'fault f1 no_credits',
      'fault f2 runTask=unavailable,ok;after=1',
      'fault f3 rate_limited;times=2;rate=0.5',
      "options --fault 'runTask=503,ok;after=1' --fault '429;times=2;rate=0.5' --force no_credits",
    ],
  )
})

test('the banner shows every option that differs from its default, as flags', () => {
  const options = { variant: 'second', extended: false, busy: true, now: '2026-03-01', seed: 'a b' } as const
  expect(changes(options)).toEqual([
    "options --variant second --no-extended --busy --now 2026-03-01 --seed 'a b'",
  ])
})

test('the banner shows the scenario and what it sets', () => {
  const [scenario, ...others] = changes({ scenario: 'temporary-outage' })
  expect(scenario).toMatch(/^scenario temporary-outage: /)
  expect(others.join('\n')).toMatch(/^fault f1 .+\noptions .*--fault .+--scenario temporary-outage$/s)
})

test('the banner shows where the state is kept', () => {
  expect(bannerOf({}, {}, 'mock.json; mock time 2026-03-01T12:00:00.000Z')).toMatch(
    /^ {2}state {11}mock\.json; mock time /m,
  )
})
