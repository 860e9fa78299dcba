/** `proxy`: transparent for a client, and the same judge as of a file. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { listen } from '#mocks/edges/http.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { createClient } from '../../examples/client/client.ts'
import { work } from '../../examples/client/work.ts'
import { runHere, startCli, testFolder } from '../testing/mock-process.ts'
import { type Asked, startService, startVerify } from '../verify/testing/service.ts'

/** Starts the proxy on a free port; it is stopped with its verdict, or killed when the test ends. */
async function startProxy(upstream: string, ...argv: string[]) {
  const started = startCli(['proxy', '--upstream', upstream, '--port', '0', ...argv])
  const [line] = await once(started.child.stdout.setEncoding('utf8'), 'data')
  const [, url = ''] = /^(http:\S+) forwards/.exec(line) ?? []
  return { ...started, url }
}

async function startMock(options: MockOptions) {
  const mock = createMock({ rateLimit: 'off', runDuration: '20ms', ...options })
  const listener = await listen(mock)
  onTestFinished(() => listener.close())
  return { mock, url: listener.url }
}

const client = (baseUrl: string, apiKey: string) =>
  createClient({ baseUrl, apiKey, fetch, sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) })

async function verdictOf(url: string, env: Record<string, string>, only: string[]) {
  const file = join(testFolder(), 'report.json')
  const { code } = await startVerify([url, '--quiet', '--report', `json=${file}`, ...only], env)
  const { outcome, requirements } = JSON.parse(readFileSync(file, 'utf8'))
  const isGood = ({ outcome }: Record<string, string>) => /^(?:passed|not_)/.test(outcome ?? '')
  const broken = requirements.filter((one: Record<string, string>) => !isGood(one))
  return { code, outcome, broken: broken.map(({ id }: Record<string, string>) => id) }
}

/** An answer of `whoami` whose credits are no number. */
const odd = { org: { id: 'org_1', name: null }, plan: null, credits: '1' }

test('verify comes to the same verdict through the proxy, of faults of the wire and a wrong answer', async () => {
  const faults = [
    'listDocuments=truncate',
    'listNotifications=reset',
    'getTask=empty;times=2',
    'createTask=dribble',
  ] as const
  const argv = ['--only', 'SHAPE-*,ANSWER-*,ACCEPTS-whoami,ACCEPTS-createTask']
  const instead = ({ path }: Asked) => (path === '/api/cli/whoami' ? Response.json(odd) : undefined)
  const through = async (withProxy: boolean) => {
    const { url, env, close } = await startService({ fault: faults }, { instead })
    onTestFinished(close)
    if (!withProxy) return verdictOf(url, env, argv)
    const proxy = await startProxy(url)
    const there = env.WORK_AGENT_STATES_URL.replace(url, proxy.url)
    const found = await verdictOf(proxy.url, { ...env, WORK_AGENT_STATES_URL: there }, argv)
    await proxy.stop('SIGINT')
    expect(proxy.output.out).toContain('failed  MUST SHAPE-whoami')
    return found
  }
  const [without, withIt] = [await through(false), await through(true)]
  expect(withIt).toEqual(without)
  expect(without.code).toBe(1)
})

test('of fifty clients at once nothing is lost, and nothing is held against anybody', async () => {
  const { url } = await startMock({ credits: 10 })
  const folder = testFolder()
  const [har, json] = [join(folder, 'traffic.har'), join(folder, 'verdict.json')]
  const proxy = await startProxy(url, '--har', har, '--report', `json=${json}`, '--quiet')
  const said = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const key = `wak_test_client${i}`
      return work(client(proxy.url, key), ['Say hello', 'Write a haiku'], () => undefined)
    }),
  )
  expect(said.filter((done) => !done)).toEqual([])
  const live = await (await fetch(`${proxy.url}/__admin/report`)).json()
  expect(await proxy.stop('SIGINT')).toEqual({ code: 0, killedBy: null })
  const { service, client: clients, verdict } = JSON.parse(readFileSync(json, 'utf8'))
  const text = readFileSync(har, 'utf8')
  const { entries } = JSON.parse(text).log
  expect([service.outcome, clients.outcome]).toEqual(['passed', 'passed'])
  expect(verdict).toBe('The service broke nothing that the recording shows; the client broke no duty.')
  expect([live.verdict, live.service.requests]).toEqual([verdict, service.requests])
  expect(service.requests).toBe(entries.length)
  expect(new Set(entries.map(({ request }: never) => authorizationIn(request))).size).toBe(50)
  expect(text).not.toContain('wak_test_client')
  const judged = await runHere(['judge', har, '--quiet'])
  expect(judged.stdout.split('\n')[0]).toBe(verdict)
})

const authorizationIn = ({ headers }: { headers: { name: string; value: string }[] }) =>
  headers.find(({ name }) => name === 'authorization')?.value

test('a finding is printed when it falls, with the exchanges that show it, and without secrets', async () => {
  const { url, env, close } = await startService(
    {},
    { instead: ({ path }) => (path === '/api/cli/whoami' ? Response.json(odd) : undefined) },
  )
  onTestFinished(close)
  const { WORK_AGENT_API_KEY: key } = env
  const proxy = await startProxy(url, '--fail-on', 'error')
  await client(proxy.url, key).listTasks()
  await fetch(`${proxy.url}/api/cli/whoami`, { headers: { authorization: `Bearer ${key}` } })
  await expect.poll(() => proxy.output.out).toContain('failed  MUST SHAPE-whoami')
  expect(proxy.output.out).toContain(`GET ${url}/api/cli/whoami -> 200`)
  expect(await proxy.stop('SIGTERM')).toEqual({ code: 1, killedBy: null })
  expect(proxy.output.out).toContain('The service broke 1 requirement, first at entry 2: SHAPE-whoami')
  expect(proxy.output.out + proxy.output.err).not.toContain(key)
})

test.each([
  [[], 2, 'needs --upstream'],
  [['--upstream', 'http://a/b'], 2, 'needs --upstream'],
  [['--upstream', 'http://a', '--har', '/'], 2, 'cannot write /'],
  [['--upstream', 'http://a', '--fail-on', 'all'], 2, '--fail-on takes error, warning, never'],
])('%j is a usage error', async (argv, code, message) => {
  const { status, stderr } = await runHere(['proxy', ...argv])
  expect([status, stderr.split('\n').length]).toEqual([code, 2])
  expect(stderr).toContain(message)
})

test('traffic of nothing else is exit 3', async () => {
  const { url } = await startMock({})
  const proxy = await startProxy(url)
  await fetch(`${proxy.url}/elsewhere`)
  expect(await proxy.stop('SIGINT')).toEqual({ code: 3, killedBy: null })
  expect(proxy.output.out).toContain('Nothing of this API was seen.')
})
