/** Secrets are redacted everywhere, and nothing else is. */
import { expect, test } from 'vitest'
import { redactionPlaceholder, SecretRedactor, secretsInHeader } from '#traffic/redaction.ts'

const none = new SecretRedactor([])

test.each([
  ['/api/cli/tasks?key=wak_test_demo', `/api/cli/tasks?key=${redactionPlaceholder}`],
  ['/api/cli/tasks?a=1&api_key=sk_live_1&b=2', `/api/cli/tasks?a=1&api_key=${redactionPlaceholder}&b=2`],
  ['/__admin/requests?token=abc', `/__admin/requests?token=${redactionPlaceholder}`],
  ['{"text":"# Key\\nwak_live_0123456789abcdef"}', `{"text":"# Key\\n${redactionPlaceholder}"}`],
  ['/api/cli/tasks/%20wak_live_0123456789abcdef', `/api/cli/tasks/%20${redactionPlaceholder}`],
  ['a wak_live_0123456789abcdef in a text', `a ${redactionPlaceholder} in a text`],
  [
    '{"text":"wak_test_ada.credits=0.fault=runTask=busy,ok","n":1}',
    `{"text":"${redactionPlaceholder}","n":1}`,
  ],
  ['wak%5Ftest%5Fdemo', redactionPlaceholder],
  ['was_test_demo', redactionPlaceholder],
  [
    '{"key":{"id":"key_1"},"secret":"anything \\" at all","a":1}',
    `{"key":{"id":"key_1"},"secret":"${redactionPlaceholder}","a":1}`,
  ],
  ['{"secret":"cut of', `{"secret":"${redactionPlaceholder}"`],
])('%s', (text, shown) => {
  expect(none.text(text)).toBe(shown)
})

test.each([
  '{"text":"Wake up, keys and tokens are secrets"}',
  '/api/cli/documents?folder_id=key&all=1',
  '{"key":"value","secrets":"many"}',
  'awak_ward was_h',
])('%s is unchanged', (text) => {
  expect(none.text(text)).toBe(text)
})

test('a key without a known prefix is redacted in every encoding', () => {
  const redaction = new SecretRedactor(['pässwörd "1"'])
  for (const spelling of ['pässwörd "1"', 'p%C3%A4ssw%C3%B6rd%20%221%22', 'pässwörd \\"1\\"'])
    expect(redaction.text(`<${spelling}>`)).toBe(`<${redactionPlaceholder}>`)
})

test('a short secret is redacted as a word, not within words; an empty one nowhere', () => {
  expect(new SecretRedactor(['']).text('all of it')).toBe('all of it')
  expect(new SecretRedactor(['one']).text('one of someone, "one"')).toBe(
    `${redactionPlaceholder} of someone, "${redactionPlaceholder}"`,
  )
})

test('a response with a new key shows neither of its forms', () => {
  expect(none.newKey('{"key":"wk…","secret":"s"}')).toBe(
    `{"key":"${redactionPlaceholder}","secret":"${redactionPlaceholder}"}`,
  )
  expect(none.newKey('{"key":{"id":"key_1"},"secret":"s"}')).toContain('key_1')
})

test.each([
  ['Authorization', 'Bearer wak_test_demo', `Bearer ${redactionPlaceholder}`],
  ['authorization', 'bearer x', `bearer ${redactionPlaceholder}`],
  ['Authorization', 'wak_test_demo', redactionPlaceholder],
  ['Authorization', 'mine is secret', redactionPlaceholder],
  ['Cookie', 'work_agent_session=was_test_demo', redactionPlaceholder],
  ['Set-Cookie', 'a=b; Path=/', redactionPlaceholder],
  ['Referer', 'http://x/?token=abc', `http://x/?token=${redactionPlaceholder}`],
])('%s: %s', (name, value, shown) => {
  expect(none.header(name, value)).toBe(shown)
})

test('identifying values in headers are redacted', () => {
  expect(secretsInHeader('Authorization', 'Bearer  abc ')).toEqual(['abc'])
  expect(secretsInHeader('cookie', 'a=b%20c; d=e')).toEqual(['b%20c', 'b c', 'e', 'e'])
  expect(secretsInHeader('accept', 'x')).toEqual([])
})

const secretHeaders = ['X-Api-Key', 'X-Admin-Token', 'X-Access-Token', 'X-Authorization', 'Authentication']
const ofServices = [
  'X-Secret',
  'X-Session-Token',
  'X-Csrf-Token',
  'X-Amz-Security-Token',
  'Ocp-Apim-Subscription-Key',
  'X-Hub-Signature',
]
const usualHeaders = [
  'User-Agent',
  'Idempotency-Key',
  'X-Request-Id',
  'Access-Control-Allow-Credentials',
  'X-Author',
]
const parameters = ['client_secret', 'refresh_token', 'id_token', 'sig', 'session', 'clientSecret']
const secretFields = ['password', 'token', 'api_key', 'apiKey', 'refreshToken', 'private-key']
const usualFields = ['token_type', 'idempotency_key', 'max_tokens', 'author', 'key_name', 'folder_id']

test('headers, parameters and fields are secret by the words in their names, and no others', () => {
  const shownIn = (names: readonly string[]) => names.map((name) => none.header(name, 'abc'))
  expect(new Set(shownIn([...secretHeaders, ...ofServices]))).toEqual(new Set([redactionPlaceholder]))
  expect(new Set(shownIn([...usualHeaders, 'Token-Type']))).toEqual(new Set(['abc']))
  for (const name of [...parameters, 'client%5Fsecret']) {
    expect(none.text(`/x?a=1&${name}=abc&b=2`)).toBe(`/x?a=1&${name}=${redactionPlaceholder}&b=2`)
    expect(none.text(`${name}=abc&b=2`)).toBe(`${name}=${redactionPlaceholder}&b=2`)
  }
  const json = (name: string, value: string) => `{"a":"b","${name}": "${value}","c":"d"}`
  for (const name of secretFields)
    expect(none.text(json(name, 'a \\" b'))).toBe(json(name, redactionPlaceholder))
  for (const name of usualFields) expect(none.text(json(name, 'abc'))).toBe(json(name, 'abc'))
})

test('a secret that a line break splits is redacted, in a text and in JSON', () => {
  const redaction = new SecretRedactor(['0123456789abcdef'])
  expect(redaction.text('<01234567\r\n  89abcdef>')).toBe(`<${redactionPlaceholder}>`)
  expect(redaction.text('{"a":"01234567\\n89abcdef"}')).toBe(`{"a":"${redactionPlaceholder}"}`)
})
