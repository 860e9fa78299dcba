/** `proxy`: transparent for a client, and the same judge as of a file. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { isExhaustiveTestRun } from '#mocks/testing/sample.ts'
import { createClient } from '../../examples/client/client.ts'
import { work } from '../../examples/client/work.ts'
import { createTestFolder } from '../testing/folder.ts'
import { runCliInProcess } from '../testing/in-process.ts'
import { runCli, startCli, startOnFullDisk } from '../testing/process.ts'
import { startTestService, verifyWithReport, whoamiWithInvalidCredits } from '../verify/testing/service.ts'

type Started = ReturnType<typeof startCli>

/** Starts the proxy on a free port; it is stopped with its verdict, or killed when the test ends. */
async function startProxy(upstream: string, flags = '', start: (call: string) => Started = startCli) {
  const started = start(`proxy --upstream ${upstream} --port 0 ${flags}`)
  const [line] = await once(started.child.stdout.setEncoding('utf8'), 'data')
  const [, url = ''] = /^(http:\S+) forwards/.exec(line) ?? []
  return { ...started, url }
}

const client = (baseUrl: string, apiKey: string) =>
  createClient({ baseUrl, apiKey, fetch, sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) })

async function verdictOf(
  url: string,
  env: Record<string, string>,
  only = '--outage 1s --only SHAPE-*,ANSWER-*,ACCEPTS-whoami,ACCEPTS-createTask',
) {
  const { code, report } = await verifyWithReport(`${url} ${only}`, env)
  const broken = report.requirements.filter(({ outcome }) => !/^(?:passed|not_)/.test(outcome))
  return { code, outcome: report.outcome, broken: broken.map(({ id }) => id) }
}

test('verify comes to the same verdict through the proxy, of faults of the wire and a wrong answer', async () => {
  const fault = ['listDocuments=truncate', 'listNotifications=reset', 'getTask=empty;times=2'] as const
  const through = async (withProxy: boolean) => {
    const { url, env, close } = await startTestService(
      { fault: [...fault, 'createTask=dribble'] },
      whoamiWithInvalidCredits,
    )
    onTestFinished(close)
    if (!withProxy) return verdictOf(url, env)
    const proxy = await startProxy(url)
    const there = env.WORK_AGENT_STATES_URL.replace(url, proxy.url)
    const found = await verdictOf(proxy.url, { ...env, WORK_AGENT_STATES_URL: there })
    // A finding is printed when it falls, with the exchanges that show it, and without secrets.
    await expect.poll(() => proxy.output.out).toContain('failed  MUST SHAPE-whoami')
    expect(proxy.output.out).toContain(`GET ${url}/api/cli/whoami -> 200`)
    expect(await proxy.stop('SIGTERM')).toEqual({ code: 1, killedBy: null })
    expect(proxy.output.out).toMatch(
      /^The service broke 1 requirement[\s\S]*^the service, first at entry \d+: SHAPE-whoami/m,
    )
    expect(proxy.output.out + proxy.output.err).not.toContain(env.WORK_AGENT_API_KEY)
    return found
  }
  const [without, withIt] = [await through(false), await through(true)]
  expect(withIt).toEqual(without)
  expect(without.code).toBe(1)
})

test('judge comes to the same verdict on the recording, for each requirement and each rule', async () => {
  const { url, env, close } = await startTestService()
  onTestFinished(close)
  const { file, json } = createTestFolder()
  const flags = `--har ${file('staging.har')} --report json=${file('live.json')}`
  const proxy = await startProxy(url, `--fail-on never ${flags}`)
  // They send ids and beginnings of keys as credentials, and use sessions whose organization shows later.
  await verdictOf(proxy.url, env, '--only AUTH-*,KEY-*,INPUT-*-createTask,SHAPE-*')
  expect(await proxy.stop('SIGTERM')).toEqual({ code: 0, killedBy: null })
  await runCliInProcess(['judge', file('staging.har'), '--report', `json=${file('later.json')}`])
  const outcomesIn = (name: string): string[] => {
    const { service, client } = json(name)
    const all: { id: string; outcome: string }[] = [...service.requirements, ...client.rules]
    return all.map(({ id, outcome }) => `${id} ${outcome}`)
  }
  expect(outcomesIn('live.json')).toEqual(outcomesIn('later.json'))
  expect(outcomesIn('live.json').filter((one) => one.endsWith(' passed')).length).toBeGreaterThan(60)
})

test('a client that sends absolute request targets asks the same service', async () => {
  const { url, env, close } = await startTestService()
  onTestFinished(close)
  const { file } = createTestFolder()
  const proxy = await startProxy(url, `--har ${file('staging.har')} --quiet`)
  const headers = { authorization: `Bearer ${env.WORK_AGENT_API_KEY}` }
  for (const path of ['/api/cli/whoami', `${proxy.url}/api/cli/whoami`]) {
    const [answer] = await once(request({ port: new URL(proxy.url).port, path, headers }).end(), 'response')
    await once(answer.resume(), 'end')
  }
  expect(await proxy.stop('SIGINT')).toEqual({ code: 0, killedBy: null })
  const later = await runCliInProcess(`judge ${file('staging.har')} --quiet`)
  expect([later.code, later.out.split('\n')[0]]).toEqual([0, proxy.output.out.split('\n').at(1)])
})

test('a service of which no answer came whole was not judged', async () => {
  const { url, close } = await startTestService()
  await close()
  const proxy = await startProxy(url, '--quiet')
  for (let at = 0; at < 3; at++) await expect(fetch(`${proxy.url}/api/cli/whoami`)).rejects.toThrow()
  const report = await (await fetch(`${proxy.url}/__admin/report`)).json()
  expect(report).toMatchObject({ outcome: 'not_exercised' })
  expect(await proxy.stop('SIGTERM')).toEqual({ code: 3, killedBy: null })
})

test('of many clients at once nothing is lost, and nothing is held against anybody; of a key that a session creates, it is known', async () => {
  const { url, env, close } = await startTestService({ credits: 10 })
  onTestFinished(close)
  const { file, json, read } = createTestFolder()
  const har = file('traffic.har')
  const proxy = await startProxy(url, `--har ${har} --report json=${file('live.json')} --quiet`)
  const count = isExhaustiveTestRun ? 50 : 12
  const names = Array.from({ length: count }, (_, i) => `wak_test_client${i}`)
  const said = await Promise.all(
    names.map((key) => work(client(proxy.url, key), ['Say hello', 'Write a haiku'], () => undefined)),
  )
  expect(said.filter((done) => !done)).toEqual([])
  const cookie = { cookie: env.WORK_AGENT_SESSION_COOKIE, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Laptop' })
  const made = await fetch(`${proxy.url}/api/cli/keys`, { method: 'POST', headers: cookie, body })
  const { secret } = await made.json()
  const headers = { authorization: `Bearer ${secret}` }
  await (await fetch(`${proxy.url}/api/cli/whoami`, { headers })).json()
  const live = await (await fetch(`${proxy.url}/__admin/report`)).json()
  expect(await proxy.stop('SIGINT')).toEqual({ code: 0, killedBy: null })
  const { service, client: clients, verdict } = json('live.json')
  const text = read('traffic.har')
  const { entries } = JSON.parse(text).log
  expect([service.outcome, clients.outcome]).toEqual(['passed', 'passed'])
  expect(verdict).toBe('The service broke nothing that the recording shows; the client broke no duty.')
  expect([live.verdict, live.service.requests]).toEqual([verdict, service.requests])
  expect(service.requests).toBe(entries.length)
  expect(new Set(entries.flatMap(({ request }: never) => authorizationIn(request) ?? [])).size).toBe(
    count + 1,
  )
  // Sessions and keys stand by names, by which a later judgement knows as much.
  for (const one of ['wak_test_client', secret, env.WORK_AGENT_SESSION_COOKIE.replace(/.*=/, '')])
    expect(text).not.toContain(one)
  const later = await runCliInProcess(`judge ${har} --quiet --report json=${file('later.json')}`)
  expect(later.out.split('\n')[0]).toBe(verdict)
  for (const name of ['live.json', 'later.json'])
    expect(json(name).service.requirements).toContainEqual(
      expect.objectContaining({ id: 'KEY-SECRET-ONCE', outcome: 'passed' }),
    )
})

test('a client that sends its key in the URL as well is named, also in the recording, and the key nowhere', async () => {
  const { url, env, close } = await startTestService()
  onTestFinished(close)
  const { file, read } = createTestFolder()
  const har = file('traffic.har')
  const proxy = await startProxy(url, `--har ${har}`)
  const key = env.WORK_AGENT_API_KEY
  const headers = { authorization: `Bearer ${key}` }
  await (await fetch(`${proxy.url}/api/cli/whoami?api_key=${key}`, { headers })).json()
  expect(await proxy.stop('SIGINT')).toEqual({ code: 0, killedBy: null })
  const later = await runCliInProcess(`judge ${har}`)
  for (const out of [proxy.output.out, later.out]) expect(out).toContain('warned  SHOULD key-in-header')
  expect(proxy.output.out + proxy.output.err + later.out + read('traffic.har')).not.toContain(key)
})

test('a finding about a second organization says whose credential its curl line takes', async () => {
  const org = { id: 'org_other', name: 'Bolt' }
  const { url, env, close } = await startTestService({}, ({ headers }) =>
    headers.get('authorization')?.endsWith('other')
      ? Response.json({ org, plan: 'pro', credits: '1' })
      : undefined,
  )
  onTestFinished(close)
  const proxy = await startProxy(url)
  for (const key of [env.WORK_AGENT_API_KEY, env.WORK_AGENT_OTHER_API_KEY]) {
    const headers = { authorization: `Bearer ${key}` }
    await (await fetch(`${proxy.url}/api/cli/whoami`, { headers })).json()
  }
  const told =
    /Reproduce .*\$WORK_AGENT_OTHER_API_KEY".*\n\nIn a curl line, \$WORK_AGENT_OTHER_API_KEY stands for /
  await expect.poll(() => proxy.output.out).toMatch(told)
  expect(await proxy.stop('SIGINT')).toEqual({ code: 1, killedBy: null })
})

test('an id that is a number and was sent as a key leaves the recording whole', async () => {
  const id = 100_200_300_400
  const org = { id, name: 'Acme' }
  const service = createServer(({ headers }, response) => {
    response.setHeader('content-type', 'application/json')
    const isId = headers.authorization === `Bearer ${id}`
    response.statusCode = isId ? 401 : 200
    response.end(JSON.stringify(isId ? { error: 'unauthorized' } : { org, plan: 'pro', credits: 3 }))
  }).listen(0)
  await once(service, 'listening')
  onTestFinished(() => void service.close())
  const { file, json } = createTestFolder()
  const har = file('traffic.har')
  const proxy = await startProxy(
    `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    `--har ${har}`,
  )
  for (const key of ['wak_live_one', String(id), 'wak_live_one'])
    await (await fetch(`${proxy.url}/api/cli/whoami`, { headers: { authorization: `Bearer ${key}` } })).text()
  await proxy.stop('SIGINT')
  const bodies = json('traffic.har').log.entries.map(({ response }: never) => JSON.parse(textIn(response)))
  expect(bodies.map((body: { org?: { id: unknown } }) => body.org?.id)).toEqual([id, undefined, id])
})

const textIn = ({ content }: { content: { text: string } }) => content.text

const authorizationIn = ({ headers }: { headers: { name: string; value: string }[] }) =>
  headers.find(({ name }) => name === 'authorization')?.value

test('traffic of nothing else is exit 3', async () => {
  const { url, close } = await startTestService()
  onTestFinished(close)
  const proxy = await startProxy(url)
  await fetch(`${proxy.url}/elsewhere`)
  expect(await proxy.stop('SIGINT')).toEqual({ code: 3, killedBy: null })
  expect(proxy.output.out).toContain('Nothing of this API was seen.')
})

test.each([
  ['', 3],
  ['--fail-on never', 0],
])('a task that no list shows may have been deleted by another client: %s exit %i', async (flags, code) => {
  const { url, env, close } = await startTestService({}, ({ path, method }) =>
    path === '/api/cli/tasks' && method === 'GET' ? Response.json({ items: [], credits: 25 }) : undefined,
  )
  onTestFinished(close)
  const proxy = await startProxy(url, `${flags} --side service --consistency 1ms --quiet`)
  const headers = { authorization: `Bearer ${env.WORK_AGENT_API_KEY}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ text: 'Say hello' })
  await (await fetch(`${proxy.url}/api/cli/tasks`, { method: 'POST', headers, body })).json()
  await new Promise((resolve) => setTimeout(resolve, 100))
  await (await fetch(`${proxy.url}/api/cli/tasks`, { headers })).json()
  expect(await proxy.stop('SIGINT')).toEqual({ code, killedBy: null })
})

test('a port in use is one line and exit 3, and empties no recording', async () => {
  const { url, close } = await startTestService()
  onTestFinished(close)
  const { read, write } = createTestFolder()
  const { host, port } = new URL(url)
  const err = `proxy: cannot listen on ${host}: the port is in use; --port 0 picks a free one\n`
  const call = `proxy --upstream http://a --port ${port} --har ${write('earlier.har', 'kept')}`
  expect(await runCliInProcess(call)).toEqual({ code: 3, out: '', err })
  expect(read('earlier.har')).toBe('kept')
})

test('on a full disk the recording ends, and nothing else does', async () => {
  const { url, env, close } = await startTestService()
  onTestFinished(close)
  const { file, json } = createTestFolder()
  const har = file('traffic.har')
  const proxy = await startProxy(url, `--har ${har}`, (call) => startOnFullDisk(call, 40))
  const headers = { authorization: `Bearer ${env.WORK_AGENT_API_KEY}`, 'x-long': 'x'.repeat(8_000) }
  const ask = async () => (await fetch(`${proxy.url}/api/cli/whoami`, { headers })).status
  const entries = () => json('traffic.har').log.entries.length
  expect(await ask()).toBe(200)
  await expect.poll(entries).toBe(1)
  for (let i = 0; i < 6; i++) expect(await ask()).toBe(200)
  await expect.poll(() => proxy.output.err).toBe(`proxy: cannot write ${har}: EFBIG; the recording ends\n`)
  expect([await ask(), entries() > 0]).toEqual([200, true])
  expect(await proxy.stop('SIGINT')).toEqual({ code: 3, killedBy: null })
  expect(proxy.output.out).toContain('The service broke nothing that the recording shows')
  expect(proxy.output.err.split('\n')).toHaveLength(2)
})

const outside = Object.values(networkInterfaces())
  .flatMap((one) => one ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')

test.skipIf(!outside)('the report is for programs of the same machine', async () => {
  const proxy = await startProxy('http://127.0.0.1:1', '--host 0.0.0.0')
  const statusAt = async (host = '') =>
    (await fetch(`${proxy.url.replace('0.0.0.0', host)}/__admin/report`)).status
  expect([await statusAt('127.0.0.1'), await statusAt(outside?.address)]).toEqual([200, 403])
})

test.skipIf(!existsSync('/dev/full'))('a file that cannot be written is one line and exit 2', async () => {
  const err = 'proxy: cannot write /dev/full: ENOSPC\n'
  expect(await runCli('proxy --upstream http://a --port 0 --har /dev/full')).toEqual({
    code: 2,
    out: '',
    err,
  })
  const { file, read } = createTestFolder()
  const proxy = await startProxy('http://a', `--report json=/dev/full,text=${file('verdict.txt')}`)
  expect(await proxy.stop('SIGINT')).toEqual({ code: 2, killedBy: null })
  expect(proxy.output.err).toBe(err)
  expect(read('verdict.txt')).toMatch(/./)
})
