/** A mock over HTTP that records its requests, and `verify`, run in this process or in one of its own. */
import type { ConformanceReport } from '#contract-tests/report/report.ts'
import { createMock } from '#mocks/app.ts'
import { listen } from '#mocks/edges/http.ts'
import type { RequestHandler } from '#mocks/edges/request.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { createTestFolder } from '../../testing/folder.ts'
import { argumentsOfCall, type CliCall, runCliInProcess } from '../../testing/in-process.ts'
import { runCli } from '../../testing/process.ts'

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Headers
}

/**
 * Starts a mock over HTTP as the service that `verify` tests; it ends with the process. `instead`: may return a
 * response that replaces that of the mock.
 */
export async function startTestService(
  options: MockOptions = {},
  instead?: (asked: Asked) => Response | undefined,
) {
  const mock = createMock({ credits: 40, rateLimit: 'off', runDuration: '20ms', ...options })
  const asked: Asked[] = []
  const handle: RequestHandler = (request) => {
    const { method, url, headers } = request.toRequest()
    const one = { method, path: new URL(url).pathname, headers }
    asked.push(one)
    return instead?.(one) ?? mock.handle(request)
  }
  const listener = await listen({ handle })
  const { apiKey, otherApiKey, sessionCookie } = mock.credentials()
  const { url } = listener
  return {
    mock,
    asked,
    url,
    /** The variables that give `verify` access to everything. */
    env: {
      WORK_AGENT_API_KEY: apiKey,
      WORK_AGENT_OTHER_API_KEY: otherApiKey,
      WORK_AGENT_SESSION_COOKIE: sessionCookie,
      WORK_AGENT_STATES_URL: `${url}/__admin/states`,
    },
    close: () => listener.close(),
  }
}

const odd = { org: { id: 'org_1', name: null }, plan: null, credits: '1' }

/** An `instead` function for `startTestService`: `whoami`, if sent with a key, is answered with credits as text. */
export const whoamiWithInvalidCredits = ({ path, headers }: Asked) =>
  path === '/api/cli/whoami' && headers.has('authorization') ? Response.json(odd) : undefined

/** Runs `verify` in this process, to its end. */
export const runVerifyInProcess = (flags: CliCall, env: Record<string, string> = {}) =>
  runCliInProcess(['verify', ...argumentsOfCall(flags)], env)

/** Runs `verify` in this process; returns its JSON report too. */
export async function verifyWithReport(flags: string, env: Record<string, string> = {}) {
  const { file, json } = createTestFolder()
  const ended = await runVerifyInProcess(`${flags} --quiet --report json=${file('report.json')}`, env)
  const report: ConformanceReport = json('report.json')
  return { ...ended, report }
}

/** Runs `verify` as a child process until it ends. `meet`: called with the process when it starts. */
export const runVerifyProcess = (...[flags, env, meet]: Parameters<typeof runCli>) =>
  runCli(['verify', ...argumentsOfCall(flags)], env, meet)
