/** The banner shows everything a person needs. */
import { expect, test } from 'vitest'
import { banner } from './banner.ts'

const ready = {
  url: 'http://127.0.0.1:4402',
  pid: 1,
  api_key: 'it\'s $HOME `a` "b"',
  other_api_key: 'wak_test_other',
  session_cookie: 'work_agent_session=was_test_demo',
  states_url: 'http://127.0.0.1:4402/__admin/states',
}

test('the banner shows the URL, the keys of two organizations and the session cookie', () => {
  for (const shown of [ready.url, ready.api_key, ready.other_api_key, ready.session_cookie]) {
    expect(banner(ready)).toContain(shown)
  }
})

test('the banner has three curl lines', () => {
  expect(banner(ready).match(/^ {2}curl /gm)).toHaveLength(3)
})

test('a key is quoted for a shell', () => {
  expect(banner(ready)).toContain(`'Authorization: Bearer it'\\''s $HOME \`a\` "b"'`)
})

test('the banner shows the admin token if there is one', () => {
  expect(banner({ ...ready, admin_token: 't0ken' })).toContain('admin token     t0ken')
  expect(banner(ready)).not.toContain('admin token')
})

test('the banner shows the flags that replay chaos', () => {
  const settings = { scenario: undefined, strictClient: undefined, chaos: 0.2, seed: "it's" }
  expect(banner(ready, settings)).toContain("--chaos 0.2 --seed 'it'\\''s' replays it")
})
