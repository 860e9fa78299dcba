/**
 * Makes the pictures of the README and of docs/page.md: the HTML reports of a real run of `verify` and of `check`, and
 * the page, in both colour schemes. Run by `npm run generate pictures`. It needs the Chromium of the tests.
 */
import { mkdirSync, mkdtempDisposableSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { crc32 } from 'node:zlib'
import { type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { connectionEnvironmentVariables, mockStartData } from '#cli/mock/banner.ts'
import { runProcess } from '#cli/testing/run.ts'
import { listen } from '#mocks/edges/http.ts'
import { createMock } from '#mocks/index.ts'
import { chromiumOptions } from '#mocks/testing/chromium.ts'
import { uncheckedClientOf } from '#mocks/testing/client.ts'
import { mutationsOfDefects } from '#proof/defects/index.ts'
import { createMutatedMock } from '#proof/mutations/mutation.ts'

/** Mock time of the pictures, so that they are the same each time. */
const now = Date.UTC(2026, 2, 1, 9)
/** The time for which each picture of the recording is shown, ms. */
const pace = 1_400

/** Starts a mock with a working day behind it; returns its URL and how to run one more task. */
async function busyMock() {
  const mock = createMock({ now, seed: 'pictures', credits: 12, runDuration: '90s', rateLimit: '30/60s' })
  const listener = await listen(mock)
  mock.clock.freeze(now)
  const { call, newTask } = uncheckedClientOf(mock)
  const runTask = async (text: string) => {
    await call('runTask', { id: await newTask(text) })
    mock.clock.advance(40_000)
  }
  mock.faults.add('runTask=ok,ok,unavailable')
  const texts = ['Write a launch plan', 'Compare three competitors', 'Draft the newsletter', 'Plan a webinar']
  for (const text of texts) await runTask(text)
  await call('listTasks')
  await call('getTask', { id: 'none' })
  mock.faults.add('createTask=rate_limited;times=3')
  await call('createTask', { body: { text: 'Refused once' } })
  await call('whoami')
  return { ...listener, runTask }
}

const drawn = (page: Page) =>
  page.waitForFunction(
    () => document.querySelector('main .card') && !document.body.innerText.includes('Loading'),
  )

/** Records how somebody sets a fault, watches a client run into it, and reads why. */
async function record(): Promise<Buffer> {
  const { url, runTask } = mock
  const page = await browser.newPage({ viewport: { width: 1000, height: 640 } })
  const pictures: Buffer[] = []
  const snap = async () => {
    await page.waitForTimeout(400)
    pictures.push(await page.screenshot())
  }
  await page.goto(`${url}/`)
  await drawn(page)
  await snap()
  await page.getByRole('link', { name: 'Break it' }).click()
  await drawn(page)
  await page.getByLabel('When').selectOption('runTask')
  await page.getByRole('combobox', { name: 'Then', exact: true }).selectOption('no_credits')
  await page.getByLabel('How often').selectOption('2')
  await snap()
  await page.getByRole('button', { name: 'Break it' }).click()
  await snap()
  await runTask('Ask three customers')
  await snap()
  await page.getByRole('link', { name: 'Requests' }).click()
  await page.locator('.list').getByRole('option').first().waitFor()
  await snap()
  await page.locator('.list').getByRole('option').filter({ hasText: 'no_credits' }).first().click()
  await page.getByRole('region', { name: 'Why this answer' }).waitFor()
  await snap()
  await page.getByText('State before it').click()
  await page.getByRole('link', { name: 'Go to this moment' }).click()
  await page.getByText('As it was right before request').waitFor()
  await snap()
  await page.close()
  return animate(pictures, pace)
}

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

function written({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([numbers(data.length), body, numbers(crc32(body))])
}

/** Bytes of numbers, four for each. */
function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [place, value] of values.entries()) bytes.writeUInt32BE(value, 4 * place)
  return bytes
}

/** Returns an animation that repeats for ever, with each picture shown for `ms`. */
function animate(pictures: readonly Buffer[], ms: number): Buffer {
  const [header] = pictures[0] ? chunksOf(pictures[0]) : []
  if (!header) throw new Error('An animation needs a picture.')
  let sequence = 0
  const frames = pictures.flatMap((png, place) => {
    const delay = Buffer.alloc(6)
    delay.writeUInt16BE(ms, 0)
    delay.writeUInt16BE(1_000, 2)
    const control = Buffer.concat([numbers(sequence++), header.data.subarray(0, 8), numbers(0, 0), delay])
    const data = chunksOf(png).filter(({ type }) => type === 'IDAT')
    const parts = data.map((one) =>
      place === 0 ? one : { type: 'fdAT', data: Buffer.concat([numbers(sequence++), one.data]) },
    )
    return [{ type: 'fcTL', data: control }, ...parts]
  })
  const animation = { type: 'acTL', data: numbers(pictures.length, 0) }
  const end = { type: 'IEND', data: Buffer.alloc(0) }
  return Buffer.concat([signature, ...[header, animation, ...frames, end].map(written)])
}

const pictures = 'docs/pictures'

/** Defects of the service that `verify` judges, by id: the picture shows what a violation looks like. */
const shown = ['limit-no-retry-after', 'credits-no-refund']

/** The client that `check` judges: it tries again after a 402. */
const client = ['node', 'proof/bad-clients/main.ts', 'retries-after-402']

using folder = mkdtempDisposableSync(join(tmpdir(), 'pictures-'))
const reports = {
  'conformance-report': await verify(),
  'client-report': await report(['check', '--scenario=out-of-credits'], ['--', ...client]),
}
mkdirSync(pictures, { recursive: true })
await using browser = await chromium.launch(chromiumOptions)
await using mock = await busyMock()
const top = { viewport: { width: 900, height: 540 }, deviceScaleFactor: 1.5 }
for (const [name, file] of Object.entries(reports)) await photograph(name, pathToFileURL(file).href, top)
const whole = { viewport: { width: 1200, height: 750 }, deviceScaleFactor: 1 }
const views = {
  overview: 'overview',
  requests: 'requests?n=4',
  break: 'break?op=runTask&fault=no_credits&times=2',
}
for (const [name, view] of Object.entries(views))
  await photograph(`page-${name}`, `${mock.url}/#/${view}`, whole, drawn)
const recording = `${pictures}/page-recording.png`
writeFileSync(recording, await record())
reportSize(recording)

/** Judges a mock with the defects; returns the HTML report. */
async function verify(): Promise<string> {
  const mock = createMutatedMock(mutationsOfDefects(...shown), { runDuration: '50ms', rateLimit: 'off' })
  const listener = await listen(mock)
  const argv = ['verify', '--max-credits=20', '--run-timeout=3s']
  return report(argv, [], connectionEnvironmentVariables(mockStartData(mock, listener))).finally(
    listener.close,
  )
}

/** Runs a command that finds a violation; returns its HTML report. */
async function report(call: readonly string[], rest: readonly string[], env = {}): Promise<string> {
  const file = join(folder.path, `${call[0]}.html`)
  const argv = ['cli/main.ts', ...call, '--quiet', `--report=html=${file}`, ...rest]
  const { code, said } = await runProcess('.', process.execPath, argv, env)
  if (code !== 1) throw new Error(`${call.join(' ')} exited with code ${code} instead of 1: ${said}`)
  return file
}

/** Takes a picture of an address in each colour scheme. */
async function photograph(
  name: string,
  address: string,
  options: BrowserContextOptions,
  isReady: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ ...options, colorScheme })
    await page.goto(address)
    await isReady(page)
    const path = `${pictures}/${name}-${colorScheme}.png`
    await page.screenshot({ path })
    await page.close()
    reportSize(path)
  }
}

function reportSize(path: string): void {
  console.log(`${path}: ${Math.ceil(statSync(path).size / 1e3)} kB`)
}
