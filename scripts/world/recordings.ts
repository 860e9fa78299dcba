/**
 * `npm run world recordings`: the same work, recorded by real recorders, is judged as the journal of the mock is. Needs
 * Chromium, npm, and `mitmdump` where it is to be tried. Exits with code 1 where a judgement differs.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type BrowserContextOptions, chromium } from '@playwright/test'
import { createMock } from '#mocks/app.ts'
import { doRecordedWork, doWorkInPage, startPageServer } from './recorded-work.ts'

/** Surroundings that a recorder is given. */
interface Surroundings {
  readonly folder: string
  /** The address of the page and of the mock behind it. */
  readonly url: string
  readonly browser: Browser
  /** Packages of npm that were installed for this. */
  readonly require: NodeJS.Require
}

/** Records the work; returns the file. */
type Recorder = (surroundings: Surroundings) => Promise<string>

/** Opens the page in a context of its own, and waits until it has done the work. */
async function inPage(
  { browser, url }: Surroundings,
  options: BrowserContextOptions,
  query = '',
): Promise<void> {
  const context = await browser.newContext(options)
  await doWorkInPage(await context.newPage(), `${url}/${query}`)
  await context.close()
}

const playwright =
  (
    name: string,
    options: Omit<NonNullable<BrowserContextOptions['recordHar']>, 'path'>,
    query = '',
  ): Recorder =>
  async (surroundings) => {
    const path = join(surroundings.folder, name)
    await inPage(surroundings, { recordHar: { path, ...options } }, query)
    return path
  }

/** The script by which mitmproxy before version 10 writes a HAR; later versions do so themselves. */
const harScript = '/usr/share/doc/mitmproxy/examples/contrib/har_dump.py'

/** Runs mitmproxy in front of the mock, and the work through it. */
async function mitmproxy({ folder, url, require }: Surroundings): Promise<string> {
  const file = join(folder, 'mitmproxy.har')
  const port = 20_000 + (process.pid % 20_000)
  if (spawnSync('mitmdump', ['--version']).error) throw new Error('mitmdump is not installed')
  const harOf = [...(existsSync(harScript) ? ['-s', harScript] : []), '--set', `hardump=${file}`]
  const args = ['--mode', `reverse:${url}`, '--listen-port', String(port), '--set', 'keep_host_header=true']
  const proxy = spawn('mitmdump', [...args, ...harOf, '-q'], { stdio: 'ignore' })
  await isListening(`http://127.0.0.1:${port}/`, proxy)
  await doRecordedWork(`http://127.0.0.1:${port}`, require('node-fetch'))
  proxy.kill('SIGINT')
  await new Promise((resolve) => proxy.on('exit', resolve))
  return file
}

async function isListening(url: string, { exitCode }: ChildProcess): Promise<void> {
  for (let i = 0; i < 200 && exitCode === null; i++) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return
    await sleep(100)
  }
  throw new Error('mitmdump did not start')
}

/** Records with chrome-har, which makes a HAR of the events of Chromium's debugging protocol. */
async function chromeHar({ folder, url, browser, require }: Surroundings): Promise<string> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const events: { method: string; params: { requestId?: string; response?: object } }[] = []
  session.on('event', (event) => events.push(structuredClone(event) as (typeof events)[number]))
  for (const domain of ['Page.enable', 'Network.enable'] as const) await session.send(domain)
  await doWorkInPage(page, `${url}/`)
  for (const { method, params } of events) {
    if (method !== 'Network.responseReceived' || !params.requestId) continue
    const found = await session
      .send('Network.getResponseBody', { requestId: params.requestId })
      .catch(() => undefined)
    if (found && params.response)
      Object.assign(params.response, {
        body: found.body,
        encoding: found.base64Encoded ? 'base64' : undefined,
      })
  }
  await context.close()
  const { harFromMessages } = await import(require.resolve('chrome-har'))
  const har = harFromMessages(events, { includeTextFromResponseBody: true })
  return written(folder, 'chrome-har.har', har)
}

async function axiosHarTracker({ folder, url, require }: Surroundings): Promise<string> {
  const axios = require('axios')
  const { AxiosHarTracker } = require('axios-har-tracker')
  const tracker = new AxiosHarTracker(axios)
  await doRecordedWork(url, async (address, { method = 'GET', headers = {}, body } = {}) => {
    const { data } = await axios({ url: address, method, headers, data: body })
    return { json: async () => data }
  })
  return written(folder, 'axios.har', tracker.getGeneratedHar())
}

async function nodeFetchHar({ folder, url, require }: Surroundings): Promise<string> {
  const { withHar, createHarLog } = require('node-fetch-har')
  const entries: object[] = []
  const onHarEntry = (entry: object) => entries.push(entry)
  await doRecordedWork(url, withHar(require('node-fetch'), { onHarEntry }))
  return written(folder, 'node-fetch.har', createHarLog(entries))
}

function written(folder: string, name: string, har: object): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(har))
  return file
}

/** Records with a test tool that updates a recording, with bodies in files. */
async function routedFromHar({ folder, url, browser }: Surroundings): Promise<string> {
  const file = join(folder, 'updated.har')
  const context = await browser.newContext()
  await context.routeFromHAR(file, { update: true })
  await doWorkInPage(await context.newPage(), `${url}/`)
  await context.close()
  return file
}

const recorders: Readonly<Record<string, Recorder>> = {
  'Playwright, full': playwright('full.har', {}),
  'Playwright, minimal': playwright('minimal.har', { mode: 'minimal' }),
  'Playwright, bodies attached': playwright('attached.har', { content: 'attach' }),
  'Playwright, zip': playwright('zipped.zip', {}),
  'Playwright, routeFromHAR': routedFromHar,
  'Playwright, service worker': playwright('worker.har', {}, '?worker'),
  'Playwright, minimal, service worker': playwright('worker-minimal.har', { mode: 'minimal' }, '?worker'),
  mitmproxy,
  'chrome-har': chromeHar,
  'axios-har-tracker': axiosHarTracker,
  'node-fetch-har': nodeFetchHar,
}

/** The judgement of a file: its first line, and the requirements that the service has met. */
function judgementOf(folder: string, file: string) {
  const report = join(folder, 'judgement.json')
  const command = join(import.meta.dirname, '../../cli/main.ts')
  const argv = [command, 'judge', file, '--quiet', '--report', `json=${report}`]
  const { stdout, stderr, status } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
  if (status !== 0 && status !== 1) return { said: stderr.trim(), met: new Set<string>(), requests: 0 }
  const { service } = JSON.parse(readFileSync(report, 'utf8'))
  const passed: { id: string; outcome: string }[] = service.requirements
  return {
    said: stdout.split('\n')[0] ?? '',
    met: new Set(passed.flatMap(({ id, outcome }) => (outcome === 'passed' ? id : []))),
    requests: service.requests,
  }
}

using temporary = mkdtempDisposableSync(join(tmpdir(), 'recordings-'))
const packages = join(temporary.path, 'packages')
mkdirSync(packages)
const wanted = ['axios', 'axios-har-tracker', 'chrome-har', 'node-fetch@2', 'node-fetch-har']
execFileSync('npm', ['install', '--prefix', packages, '--no-audit', '--no-fund', ...wanted], {
  stdio: 'ignore',
})
const require = createRequire(join(packages, 'package.json'))
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const chosen = process.argv.slice(2).join(' ')
for (const [name, record] of Object.entries(recorders).filter(([name]) => name.includes(chosen))) {
  const folder = join(temporary.path, name.replace(/\W+/g, '-'))
  mkdirSync(folder)
  const mock = createMock({ runDuration: 300 })
  const server = await startPageServer(mock)
  try {
    const file = await record({ folder, url: server.url, browser, require })
    const found = judgementOf(folder, file)
    const own = judgementOf(folder, written(folder, 'journal.har', mock.journal.har()))
    // Paths outside the API, which recorders meet too, are in no journal.
    const isSame = found.said === own.said && found.requests === own.requests
    const unmet = [...own.met].filter((id) => !found.met.has(id))
    console.log(`${isSame ? 'same    ' : 'DIFFERS '} ${name}: ${found.requests} requests. ${found.said}`)
    if (unmet.length > 0) console.log(`         not shown by it: ${unmet.join(', ')}`)
    if (!isSame) process.exitCode = 1
  } catch (error) {
    console.log(`FAILED   ${name}: ${(error as Error).message.split('\n')[0]}`)
    process.exitCode = 1
  } finally {
    server.close()
  }
}
await browser.close()
