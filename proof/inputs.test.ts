/** Every input that does not work ends `verify` with exit code 4 and its line, before anything is judged. */
import { expect, type TestContext, test } from 'vitest'
import { runCliInProcess } from '#cli/testing/in-process.ts'
import { createMock } from '#mocks/app.ts'
import { listen } from '#mocks/edges/http.ts'
import type { RequestHandler } from '#mocks/edges/request.ts'
import { uncheckedClientOf } from '#mocks/testing/client.ts'
import { sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import { type BadInput, badInputs, type VerifyInputs } from './inputs/index.ts'

/** A service with everything that works, behind the answers of a bad input. */
async function startService(
  { onTestFinished }: TestContext,
  answer?: BadInput['answer'],
): Promise<VerifyInputs> {
  const mock = createMock({ credits: 40, rateLimit: 'off' })
  const handle: RequestHandler = async (received) => {
    const request = received.toRequest()
    const text = await request.clone().text()
    const { method, url, headers } = request
    const body = text === '' ? undefined : JSON.parse(text)
    return answer?.({ method, path: new URL(url).pathname, headers, body }) ?? mock.fetch(request)
  }
  const listener = await listen({ handle }, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => listener.close())
  const { apiKey, otherApiKey, sessionCookie, otherSessionCookie } = mock.credentials()
  const made = await uncheckedClientOf(mock).call('createKey', { body: { name: 'Second' } })
  return {
    BASE_URL: listener.url,
    API_KEY: apiKey,
    OTHER_API_KEY: otherApiKey,
    SESSION_COOKIE: sessionCookie,
    OTHER_SESSION_COOKIE: otherSessionCookie,
    STATES_URL: `${listener.url}/__admin/states`,
    SECOND_KEY: String(made.body.secret),
  }
}

/** Runs `verify` in this process. */
function verify({ SECOND_KEY: _, ...inputs }: VerifyInputs, flags: string) {
  const env = Object.entries(inputs).map(([name, value]) => [`WORK_AGENT_${name}`, value])
  return runCliInProcess(`verify ${flags}`, Object.fromEntries(env))
}

test('ids are unique, and there are many', () => {
  expect(new Set(badInputs.map(({ id }) => id)).size).toBe(badInputs.length)
  expect(badInputs.length).toBeGreaterThanOrEqual(20)
})

// Each mostly waits.
test.concurrent.for(sampleUnlessExhaustive(badInputs, 3))('$id: $title', async ({
  flag,
  line,
  inputs,
  answer,
}, context) => {
  const good = await startService(context, answer)
  const limits = '--consistency 200ms --outage 500ms'
  const { code, out, err } = await verify({ ...good, ...inputs?.(good) }, limits)
  expect(err).toContain(line)
  expect(err).toMatch(new RegExp(`^verify: ${flag} \\(WORK_AGENT_[A-Z_]+\\): [^\\n]+\\n$`))
  expect(err).not.toContain(good.API_KEY)
  expect([code, out]).toEqual([4, ''])
})

test('a base URL that ends in /api/cli is put right, and that is said', async (context) => {
  const good = await startService(context)
  const inputs = { ...good, BASE_URL: `${good.BASE_URL}/api/cli/` }
  const { code, err } = await verify(inputs, '--only ACCEPTS-whoami --quiet')
  expect([code, err]).toEqual([
    0,
    `verify: the base URL is used without /api/cli, which the suite adds: ${good.BASE_URL}\n`,
  ])
})

test('a read-only run notices the cookie of the other organization by its list of keys', async (context) => {
  const service = await startService(context)
  const { SECOND_KEY = '', OTHER_SESSION_COOKIE = '' } = service
  const good = { ...service, API_KEY: SECOND_KEY }
  const swapped = { ...good, SESSION_COOKIE: OTHER_SESSION_COOKIE }
  const { code, err } = await verify(swapped, '--read-only --quiet')
  expect(err).toContain('its list of keys shows the key of the other organization, and not its own')
  expect(code).toBe(4)
  expect((await verify(good, '--read-only --only ACCEPTS-listKeys --quiet')).code).toBe(0)
})
