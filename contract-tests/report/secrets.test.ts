/** Redaction of texts, and how a shell makes an altered secret of the variable that holds the real one. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { Exchange } from '#traffic/exchange.ts'
import { type NamedSecret, SecretRedactor } from '#traffic/redaction.ts'
import { similarInvalidKeys } from '../fixtures/key-use.ts'
import { namedSecretsOfRun, secretsInExchanges, shellExpressionForAlteredSecret } from './secrets.ts'
import { sampleExchange } from './testing/sample.ts'

const secret = `wak_"<&>'/+\\%= é_live`
/** Replaces secrets in a text. */
const redactor = (secrets: readonly NamedSecret[]) => {
  const redaction = new SecretRedactor(secrets, { decode: true })
  return (text: string) => redaction.known(text)
}

const safe = redactor([{ value: secret, name: '$KEY' }])

test('a secret that was cut off is replaced as far as it goes', () => {
  expect(safe(`the key ${secret.slice(0, 8)}… is wrong`)).toBe('the key $KEY… is wrong')
  expect(safe(`the key ${encodeURIComponent(secret).slice(0, 12)}…`)).toMatch(/^the key \$KEY%?2?…$/)
  const half = Buffer.from(secret).toString('base64').slice(0, 12)
  expect(safe(`${half}…`)).toMatch(/^.?\$KEY.?…$/)
})

test('several secrets are replaced by their own names, the longer of two that overlap', () => {
  const [short, long] = [
    { value: 'abcdef', name: '$SHORT' },
    { value: 'abcdef123456', name: '$LONG' },
  ]
  for (const both of [redactor([short, long]), redactor([long, short])])
    expect(both('abcdef abcdef123456 ABCDEF')).toBe('$SHORT $LONG $SHORT')
})

test('other texts stay unchanged, byte for byte', () => {
  const text = 'Task (verify-1-2) %20 \\u0041 &lt; QUJD deadbeef [1,2,3,4] … wak_ 👩‍👩‍👧 \ud800'
  expect(safe(text)).toBe(text)
})

test('a short secret is replaced as a word, and left alone inside words', () => {
  expect(redactor([{ value: 'abc', name: '$KEY' }])('abc abcd')).toBe('$KEY abcd')
})

test('the values of a cookie are secrets too, as sent and as read', () => {
  const sessionCookie = 'sid=s%3Aabcdef; theme=dark-mode'
  const hide = redactor(namedSecretsOfRun({ apiKey: 'the-key', sessionCookie }))
  expect(hide('s%3Aabcdef s:abcdef dark-mode')).not.toMatch(/abcdef|dark/)
})

test('the key with another first character is as secret as the key', () => {
  expect(
    redactor(namedSecretsOfRun({ apiKey: 'wak_live_secret' }))('no such key xak_live_secret'),
  ).not.toContain('live')
})

const valuesIn = (exchanges: readonly Exchange[]) =>
  secretsInExchanges(exchanges, 'run-1').map(({ value }) => value)

test('the value of a cookie is a secret, its name is none', () => {
  const cookie = 'token=wak_live_0123456789'
  const sent = { ...sampleExchange, caller: 'stranger' as const, requestHeaders: { cookie } }
  const made = { ...createKey, json: { secret: 'wak_live_0123456789' } }
  expect(valuesIn([made, sent])).toEqual(['wak_live_0123456789'])
})

test('a key that was sent is a secret too, and a word that was sent is not', () => {
  const tried = (authorization: string) => ({ ...sampleExchange, requestHeaders: { authorization } })
  const sent = ['Bearer wak_live_abcdeX', 'Bearer Bearer', 'Bearer not-a-key (run-1-2)'].map(tried)
  expect(valuesIn(sent)).toEqual(['wak_live_abcdeX'])
})

test('an id or a prefix is no secret, even if it was sent as a key', () => {
  const listed = { ...sampleExchange, status: 200, operation: 'listKeys' as const }
  const json = { keys: [{ id: 'key_0123456789', prefix: 'wak_live_0123' }] }
  const sent = ['org_0123456789', 'key_0123456789', 'wak_live_0123', 'wak_live_0123456789abcdeX'].map(
    (key) => ({
      ...sampleExchange,
      caller: 'stranger' as const,
      requestHeaders: { authorization: `Bearer ${key}` },
    }),
  )
  const made = {
    ...createKey,
    json: { key: 'key_0123456789', secret: 'wak_live_0123456789abcdef' },
  }
  const own = { ...listed, requestHeaders: {}, json }
  expect(secretsInExchanges([made, own, ...sent], 'run-1')).toEqual([
    { value: 'wak_live_0123456789abcdef', name: '$CREATED_KEY' },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the shell
    { value: 'wak_live_0123456789abcdeX', name: '${CREATED_KEY%?}X' },
  ])
})

const createKey = { ...sampleExchange, requestHeaders: {}, operation: 'createKey' as const, status: 201 }

test('secrets that a service reports are found by their fields, at any depth', () => {
  const json = {
    key: 'wak_live_1',
    data: [{ client_secret: 'deep-secret', name: 'Key (run-1-1)', token: 7 }],
  }
  expect(valuesIn([{ ...createKey, json }])).toEqual(['deep-secret', 'wak_live_1'])
})

test('in an answer to key creation that is not JSON, whatever looks like a secret is one', () => {
  const text = '<p>Your key "Key (run-1-1)" is wak_live_0123456789.</p>'
  expect(valuesIn([{ ...createKey, json: undefined, text }])).toEqual(['wak_live_0123456789.</p>'])
})

const value = 'wak_live_5tsjkpKABG7e9egnrs5np3j0n387tbpx'
const created = { value, name: '$CREATED_KEY' }

test.each([
  ...similarInvalidKeys(value),
  `x${value.slice(1)}`,
])('%s is an expression of the variable, and shows nothing of the secret', (altered) => {
  const name = shellExpressionForAlteredSecret(altered, created) ?? ''
  const env = { ...process.env, CREATED_KEY: value }
  expect(execFileSync('sh', ['-c', `printf %s "${name}"`], { env, encoding: 'utf8' })).toBe(altered)
  expect(name.replace(/CREATED_KEY|printf %s|tr A-Za-z a-zA-Z/g, '')).not.toMatch(/\w\w/)
})

test.each([
  ['another key', 'wak_live_9hprtmr71d112wm1ergc4w99305pg7ef'],
  ['half of it', value.slice(0, 20)],
  ['two more characters', `${value}ab`],
])('%s is no altered secret', (_, text) => {
  expect(shellExpressionForAlteredSecret(text, created)).toBeUndefined()
})
