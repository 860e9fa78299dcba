/** Description of a repeat: its pause, its connection, its bytes, and who repeated it. */
import { expect, test } from 'vitest'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { repeatedRequestText } from './repeat.ts'
import type { RuleContext } from './rule.ts'

const context = { run: { canFinish: true } } as RuleContext

/** One of two requests for the same run. */
const sent = (at: number, headers: readonly string[], follows: string | null = null, status = 0) =>
  ({
    ...{ id: `r${at}`, at, status, follows, headers, body: null, error: null, reason: null, duration_ms: 0 },
    ...{ wire: status === 0 ? 'empty' : null, method: 'POST', url: 'http://a/api/cli/tasks/1/run' },
  }) as JournalEntry

const agent = (text: string) => ['User-Agent', text]

test('of a repeat within 50 ms on a new connection the report tells what may have sent it', () => {
  expect(repeatedRequestText(sent(0, []), sent(4, []), context)).toBe(
    'repeated a paid request without checking whether it took effect, 0.004 s after its answer was lost, on a new connection, the same 38 bytes: a loop without a pause or the HTTP library repeated it, or both were sent at once',
  )
  expect(repeatedRequestText(sent(0, agent('x/1')), sent(4, agent('x/1')), context)).toMatch(
    /: a loop without a pause or the HTTP library \(x\/1\) repeated it, or both were sent at once$/,
  )
})

test.each([
  [{ wire: 'abandoned', duration_ms: 2_000 }, 'after the client gave up waiting'],
  [{ wire: 'hang' }, '0.004 s after the first, which was never answered'],
  [{ wire: 'empty', duration_ms: 10 }, 'while the first was open'],
])('a repeat of a request that was open (%o) is the doing of no library', (first, when) => {
  expect(repeatedRequestText({ ...sent(0, agent('x/1')), ...first }, sent(4, agent('x/1')), context)).toBe(
    `repeated a paid request without checking whether it took effect, ${when}, on a new connection, the same 55 bytes: sent by x/1`,
  )
})

test('a later one, or one on the same connection, is not; the finding says who sent it', () => {
  expect(repeatedRequestText(sent(0, agent('x/1')), sent(60, agent('x/1')), context)).toMatch(
    / bytes: sent by x\/1$/,
  )
  expect(repeatedRequestText(sent(0, []), sent(4, [], 'r0'), context)).toMatch(
    /on the same connection, the same 38 bytes$/,
  )
})

test('a known library is named with what stops it, whatever the pause', () => {
  const okhttp = agent('okhttp/3.13.1')
  expect(repeatedRequestText(sent(0, okhttp, 'r9'), sent(400, okhttp), context)).toMatch(
    /: OkHttp repeats by itself on a connection that was used before; retryOnConnectionFailure\(false\) stops that$/,
  )
})

test('a library that sends no name is known by what it accepts', () => {
  const superagent = ['Accept-Encoding', 'gzip, deflate', 'Connection', 'close', 'Content-Length', '0']
  expect(repeatedRequestText(sent(0, superagent), sent(3, superagent), context)).toMatch(
    /: superagent repeats by itself with \.retry\(n\); a callback of \.retry\(\) that is true for 429 and 503 stops that$/,
  )
})

test('a library that repeats only where the connection broke is not named after an answer', () => {
  const okhttp = agent('okhttp/3.13.1')
  expect(repeatedRequestText(sent(0, okhttp, 'r9', 502), sent(400, okhttp), context)).toMatch(
    /: sent by okhttp\/3\.13\.1$/,
  )
  const curl = agent('curl/7.88.1')
  expect(repeatedRequestText(sent(0, curl, null, 502), sent(400, curl), context)).toMatch(
    /: curl repeats by itself with --retry; the command without it stops that$/,
  )
})

test('headers that changed are named, and connections only where they are known', () => {
  const [first, second] = [sent(0, ['X-Try', '1'], null, 502), sent(900, ['X-Try', '2'], null, 502)]
  expect(repeatedRequestText(first, second, { ...context, run: undefined })).toBe(
    'repeated a paid request without checking whether it took effect, 0.9 s after it was answered 502, the same but for x-try',
  )
})
