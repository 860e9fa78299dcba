/** `--state FILE`: a mock goes on where the one before it ended, however that one ended; when its file is written, and how much of it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { parseStateFile } from '#mocks/control/state-log.ts'
import { createFetch } from '#mocks/edges/fetch.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { testOrigin, uncheckedClientOf } from '#mocks/testing/client.ts'
import { createTestFolder } from '../testing/folder.ts'
import { captureOutput, runCliInProcess } from '../testing/in-process.ts'
import { startMock, startOnFullDisk } from '../testing/process.ts'
import { lockAndLoadState, persistState } from './state-file.ts'

const stateIn = (folder: string) => join(folder, 'state.json')
const newState = () => createTestFolder().file('state.json')
const start = (file: string, flags = '') => startMock(`--log off --state ${file} ${flags}`)

// Each file that this process keeps is given up when it ends.
process.setMaxListeners(200)

/** A mock in this process that begins with the state in a file, and keeps it there. */
function hereWith(name: string, options: MockOptions = {}) {
  const { file, mock = createMock(options) } = lockAndLoadState(name)
  const { handle, save } = persistState(mock, file)
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const fetch = createFetch(handle)
  const control = (method: string, path: string) =>
    fetch(`${testOrigin}/__admin/${path}`, { method, headers })
  const client = uncheckedClientOf({ fetch, credentials: mock.credentials })
  return { mock, control, save, ...client }
}

/** The time is far above the second that it takes. */
const patient = { timeout: 15_000, interval: 50 }

/** Waits until the file holds a text. */
const writtenTo = (file: string, text: string) =>
  vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain(text), patient)

test('what happened before the end is there after a start, with the options that the mock began with', async () => {
  const file = newState()
  const mode = (name: string) => statSync(name).mode & 0o777
  const first = await start(file, '--credits 7 --cors')
  const id = await first.newTask('Say hello')
  await first.call('runTask', { id })
  await fetch(`${first.ready.url}/__admin/faults`, { method: 'POST', body: '{"rule":"listLeads=503"}' })
  await writtenTo(file, 'listLeads')
  expect([mode(file), mode(`${file}.lock`), mode(first.readyFile)]).toEqual([0o600, 0o600, 0o600])
  expect((await first.stop('SIGTERM')).code).toBe(0)
  expect(mode(file)).toBe(0o600)

  // The file is a snapshot, also for a mock in a test; and what such a mock writes is one for the command.
  const mock = createMock()
  mock.restore(JSON.parse(readFileSync(file, 'utf8')))
  expect(mock.ledgers()).toMatchObject([{ balance: 6 }])
  writeFileSync(file, JSON.stringify(mock.snapshot()))
  chmodSync(file, 0o644)

  const second = await start(file, '--credits 5 --cors --seed other')
  expect(mode(file)).toBe(0o600)
  expect(second.output.err).toBe(
    `mock: ${file} holds the options that its mock began with; no effect: --credits 5 --seed other\n`,
  )
  const me = await second.call('whoami', { headers: { origin: 'https://app.example' } })
  expect(me.body).toMatchObject({ credits: 6 })
  expect(me.headers.get('access-control-allow-origin')).toBe('https://app.example')
  expect((await second.call('getTask', { id })).body).toMatchObject({ task: { id, text: 'Say hello' } })
  expect((await second.call('listLeads')).status).toBe(503)
  expect(second.output.out).toMatch(/^ {2}fault f1 {8}listLeads=unavailable$/m)
  expect(second.output.out).toContain(`  state           ${file}; mock time 20`)
})

const whole = JSON.stringify(createMock().snapshot())
const one = JSON.stringify(createMock().organization().snapshot())

test.each<[string, string, RegExp]>([
  ['an empty file', '', /^mock: cannot read .+: it is not JSON\n$/],
  ['half a file', whole.slice(0, -9), /^mock: cannot read .+: it is not JSON\n$/],
  ['other JSON', '{"name":"mine"}', /^mock: cannot use .+: \S.*of.*\n$/],
  ['one organization', one, /^mock: cannot use .+: It holds one organization, not a whole mock\.\n$/],
  [
    'unknown options',
    whole.replace('"options":{}', '"options":{"colour":"red"}'),
    /^mock: cannot use .+: colour is not an option of a mock; write variant, .+\n$/,
  ],
])('%s is refused in one line, with exit 2, and stays as it is', async (_, text, message) => {
  const file = newState()
  writeFileSync(file, text)
  const { code, out, err } = await runCliInProcess(`mock --port 0 --state ${file}`)
  expect([code, out, readFileSync(file, 'utf8')]).toEqual([2, '', text])
  expect(err).toMatch(message)
  expect(err.match(/\n/g)).toHaveLength(1)
})

test('a second mock for the same file is refused in one line, also by another name of it', async () => {
  const folder = createTestFolder().folder
  const [file, link] = [stateIn(folder), join(folder, 'link.json')]
  symlinkSync('state.json', link)
  await hereWith(file).newTask('kept')
  await writtenTo(file, '"text":"kept"')
  const err = `mock: cannot use ${file}: process ${process.pid} keeps its state there; if it does not, delete ${file}.lock\n`
  for (const name of [file, link])
    expect(await runCliInProcess(`mock --port 0 --state ${name}`)).toEqual({ code: 2, out: '', err })
  expect(readFileSync(file, 'utf8')).toContain('"text":"kept"')
})

/** The lock of a process that was killed. */
const staleLock = `${process.ppid} 1\n`

test('of mocks that begin at once after a kill, one gets the file', async () => {
  const folder = createTestFolder().folder
  writeFileSync(`${stateIn(folder)}.lock`, staleLock)
  const begun = await Promise.allSettled([1, 2].map(() => start(stateIn(folder))))
  expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a lock of an ended process is taken over, also if its id is in use again, and what it left half written removed', () => {
  const folder = createTestFolder().folder
  writeFileSync(`${stateIn(folder)}.lock`, staleLock)
  writeFileSync(join(folder, 'state.json.2147483646.tmp'), '{"of":')
  lockAndLoadState(stateIn(folder))
  expect(readFileSync(`${stateIn(folder)}.lock`, 'utf8')).toMatch(new RegExp(`^${process.pid} `))
  expect(readdirSync(folder)).toEqual(['state.json.lock'])
})

test.skipIf(!existsSync('/proc/self/stat'))(
  'so is that of a killed process whose parent has not noticed',
  async () => {
    const file = newState()
    const parent = spawn('sh', ['-c', 'sleep 100 & echo $!; exec sleep 100'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    onTestFinished(() => void parent.kill())
    const [line] = await once(parent.stdout, 'data')
    const pid = Number(line)
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    writeFileSync(`${file}.lock`, `${pid} ${fields.split(' ')[19]}\n`)
    expect(() => lockAndLoadState(file)).toThrow(`process ${pid} keeps its state there`)
    // A shell would notice; what it becomes does not.
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n')
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ')
    lockAndLoadState(file)
    expect(readFileSync(`${file}.lock`, 'utf8')).toMatch(new RegExp(`^${process.pid} `))
  },
)

test('what another process writes to the file stays, and the end says that the state is not there', async () => {
  const file = newState()
  const { err } = await captureOutput(async (output) => {
    const { call, newTask, save } = hereWith(file)
    await writtenTo(file, await newTask('early'))
    writeFileSync(file, whole)
    const { status } = await call('whoami')
    await vi.waitFor(() => expect(output.err).not.toBe(''), patient)
    expect([status, save?.(), readFileSync(file, 'utf8')]).toEqual([200, false, whole])
    return 0
  })
  const says = `mock: another process has written ${file}`
  expect(err).toBe(`${says}; the state is not kept\n${says}; what changed last is lost\n`)
})

test('while the folder is away the mock goes on and says so once, and writes when it is back', async () => {
  const folder = createTestFolder().file('there')
  const file = stateIn(folder)
  mkdirSync(folder)
  const { err } = await captureOutput(async (output) => {
    const { newTask, save } = hereWith(file)
    await writtenTo(file, await newTask('early'))
    renameSync(folder, `${folder}-not`)
    const ids = [await newTask('late')]
    await vi.waitFor(() => expect(output.err).not.toBe(''), patient)
    ids.push(await newTask('later'))
    renameSync(`${folder}-not`, folder)
    for (const id of ids) await writtenTo(file, id)
    await vi.waitFor(() => expect(output.err).toMatch(/again\n$/), patient)
    expect(save?.()).toBe(true)
    return 0
  })
  expect(err).toBe(
    `mock: cannot write ${file}: ENOENT; the state is not kept\nmock: the state is kept in ${file} again\n`,
  )
})

test('a full disk damages nothing, and is told', async () => {
  const file = newState()
  const before = createMock()
  const early = await uncheckedClientOf(before).newTask('early')
  writeFileSync(file, JSON.stringify(before.snapshot()))
  const call = `mock --port 0 --log off --state ${file} --ready-file ${file}.ready`
  const { output, stop } = startOnFullDisk(call, 400)
  await vi.waitFor(() => expect(existsSync(`${file}.ready`)).toBe(true), patient)
  const { url, api_key } = JSON.parse(readFileSync(`${file}.ready`, 'utf8'))
  const headers = { authorization: `Bearer ${api_key}` }
  const send = (text: string) =>
    fetch(`${url}/api/cli/tasks`, { method: 'POST', headers, body: JSON.stringify({ text }) })
  for (let i = 0; i < 60; i++) expect((await send('x'.repeat(10_000))).status).toBe(200)
  await vi.waitFor(() => expect(output.err).not.toBe(''), patient)
  expect(output.err).toBe(`mock: cannot write ${file}: EFBIG; the state is not kept\n`)
  expect((await send('one more')).status).toBe(200)
  expect((await stop('SIGTERM')).code).toBe(1)
  expect(output.err.split('\n').slice(1)).toEqual([
    `mock: cannot write ${file}: EFBIG; what changed last is lost`,
    '',
  ])
  expect(JSON.stringify(hereWith(file).mock.snapshot())).toContain(early)
})

test.each([
  ['a folder', 'there', 'it is a directory'],
  ['a file in a folder that does not exist', 'none/state.json', 'there is no folder FOLDER/none'],
])('%s is refused, and nothing is created', async (_, name, message) => {
  const folder = createTestFolder().folder
  mkdirSync(join(folder, 'there'))
  const { code, err } = await runCliInProcess(`mock --state ${join(folder, name)}`)
  const says = `mock: cannot write FOLDER/${name}: ${message}\n`
  expect([code, err.replaceAll(folder, 'FOLDER'), readdirSync(folder)]).toEqual([2, says, ['there']])
})

test('changes are added to the file, together with those that follow soon, and cost what changed', async () => {
  const file = newState()
  const { call, newTask } = hereWith(file, { past: 3_000 })
  await call('whoami')
  await call('listTasks')
  expect(existsSync(file)).toBe(false)
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), patient)
  const first = statSync(file)
  await newTask('a')
  await newTask('b')
  await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(first.size), patient)
  expect(statSync(file).ino).toBe(first.ino)
  expect(first.size).toBeGreaterThan(1_000_000)
  expect(statSync(file).size - first.size).toBeLessThan(10_000)
  const lines = readFileSync(file).subarray(first.size).toString().trimEnd().split('\n')
  expect(lines.filter((line) => line.includes('"apart"'))).toHaveLength(1)
})

test('what changes nothing writes nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const file = newState()
  const { control } = hereWith(file)
  for (let i = 0; i < 3; i++) await control('GET', 'health')
  expect(vi.getTimerCount()).toBe(0)
  expect(existsSync(file)).toBe(false)
})

test('a file that has grown far beyond the state is replaced by one that holds the same', async () => {
  const file = newState()
  const { call, control, newTask, mock } = hereWith(file, { past: 5_000 })
  mock.clock.freeze()
  await call('whoami')
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), patient)
  const { ino, size } = statSync(file)
  for (let i = 0; i < 20 && statSync(file).ino === ino; i++) {
    const before = statSync(file).size
    await control('POST', 'reset/state')
    await newTask(`number ${i}`)
    await vi.waitFor(
      () => expect(statSync(file).ino !== ino || statSync(file).size > before + size * 0.9).toBe(true),
      patient,
    )
  }
  expect(statSync(file).ino).not.toBe(ino)
  await call('whoami')
  // A difference of thousands of tasks takes longer to print than to write.
  const isKept = () => isDeepStrictEqual(parseStateFile(readFileSync(file, 'utf8')).snapshot, mock.snapshot())
  await vi.waitFor(() => expect(isKept()).toBe(true), patient)
})
