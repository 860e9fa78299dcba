/** `health`: 0 for a service that answers, 1 and one line for anything else. */
import { expect, onTestFinished, test } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { listen } from '#mocks/edges/http.ts'
import { runHere } from '../testing/in-process.ts'

const health = async (argv: string[], env: Record<string, string> = {}) => {
  const { code, out, err } = await runHere(['health', ...argv], env)
  return { code, said: out + err }
}

/** The address of a server that ends with the test. */
async function serving(handle: () => Response | Promise<Response>): Promise<string> {
  const { url, close } = await listen({ handle: async () => handle() })
  onTestFinished(close)
  return url
}

test.each([
  {},
  { variant: 'second' },
  { strictClient: 'any' },
  { force: 'unavailable' },
] as const)('a mock with %j answers', async (options) => {
  const { url, close } = await listen(createMock(options))
  onTestFinished(close)
  expect(await health([url])).toEqual({ code: 0, said: '' })
  expect(await health([], { WORK_AGENT_HEALTH_URL: `${url}/` })).toEqual({ code: 0, said: '' })
})

test('another service is not taken for one', async () => {
  const url = await serving(() => Response.json({}))
  expect(await health([url])).toEqual({
    code: 1,
    said: `health: ${url}/api/cli/whoami answers 200, not with 401 and {"error":"unauthorized"}\n`,
  })
  const other = await serving(() => new Response('<p>Login</p>', { status: 401 }))
  expect((await health([other])).said).toContain('answers 401, not with 401 and {"error":"unauthorized"}\n')
})

test('nobody there, and no answer in time, are one line and exit 1', async () => {
  const silent = await serving(() => new Promise(() => undefined))
  expect(await health([silent, '--timeout', '200ms'])).toEqual({
    code: 1,
    said: `health: ${silent}/api/cli/whoami does not answer within 0.2 s\n`,
  })
  const { code, said } = await health(['http://127.0.0.1:9'])
  expect([code, said]).toEqual([1, expect.stringMatching(/^health: http.+ does not answer: .+\n$/)])
})
