/** Faults of the machine around a mock: no descriptors left, stopped processes, files that may not grow. */
import { existsSync, mkdtempDisposableSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { runCliInProcess } from '#cli/testing/in-process.ts'
import { runProcess } from '#cli/testing/run.ts'
import { parseStateFile } from '#mocks/control/state-log.ts'
import { createRandom } from '#mocks/core/random.ts'
import { mockProgramPath, startMeasuredMock } from './measured-mock.ts'

const headers = { authorization: 'Bearer wak_test_machine' }
const ask = (url: string, path: string, text?: string) =>
  fetch(`${url}/api/cli/${path}`, {
    headers,
    ...(text !== undefined && { method: 'POST', body: JSON.stringify({ text }) }),
  })

/** No descriptor is left for a connection or for the state file; once there is one again, both work. */
async function withoutDescriptors(folder: string): Promise<string[]> {
  const file = join(folder, 'descriptors.json')
  await using mock = await startMeasuredMock(['--rate-limit', 'off', '--state', file], 'ulimit -n 64')
  await ask(mock.url, 'tasks', 'before')
  const sockets: Socket[] = []
  for (let i = 0; i < 200; i++)
    sockets.push(connect(Number(new URL(mock.url).port), '127.0.0.1').on('error', () => undefined))
  await setTimeout(2_000)
  for (const socket of sockets) socket.destroy()
  // This request may still meet the lack of descriptors.
  let status: number | undefined
  for (let tries = 0; status === undefined && tries < 10; tries++) {
    await setTimeout(1_000)
    status = await ask(mock.url, 'tasks', 'after').then(
      (response) => response.status,
      () => undefined,
    )
  }
  await setTimeout(1_500)
  const texts = readFileSync(file, 'utf8')
  return status === 200 && texts.includes('"after"')
    ? []
    : [`without descriptors: ${status}, ${mock.errors()}`]
}

/** The clock of the machine is set back by an hour: the mock answers, keeps its order, and its state can be read. */
async function clockSetBack(folder: string): Promise<string[]> {
  const file = join(folder, 'clock.json')
  const flags = ['--rate-limit', 'off', '--state', file]
  const listed = async (url: string) => {
    const { items } = (await (await ask(url, 'tasks')).json()) as { items: { text: string }[] }
    return items.slice(0, 2).map(({ text }) => text)
  }
  const seen: string[][] = []
  {
    await using mock = await startMeasuredMock(flags)
    await ask(mock.url, 'tasks', 'before')
    mock.child.send(3_600_000)
    await ask(mock.url, 'tasks', 'after')
    seen.push(await listed(mock.url))
    await setTimeout(1_500)
  }
  await using mock = await startMeasuredMock(flags)
  seen.push(await listed(mock.url))
  const wrong = seen.filter((texts) => texts.join() !== 'after,before')
  return wrong.map((texts) => `the clock was set back: ${texts.join()}`)
}

/** A mock that is stopped and continued answers what was sent meanwhile, and its state is kept. */
async function stoppedAndContinued(folder: string, times: number): Promise<string[]> {
  const file = join(folder, 'stopped.json')
  await using mock = await startMeasuredMock(['--rate-limit', 'off', '--state', file])
  for (let i = 0; i < times; i++) {
    mock.child.kill('SIGSTOP')
    const late = ask(mock.url, 'tasks', `task ${i}`)
    await setTimeout(300)
    mock.child.kill('SIGCONT')
    if ((await late).status !== 200) return [`continued: ${(await late).status}`]
  }
  await setTimeout(1_500)
  return readFileSync(file, 'utf8').includes(`"task ${times - 1}"`)
    ? []
    : ['continued: the state is not kept']
}

/** Killed at random moments, also while it starts and while it replaces its file, a mock leaves a file that can be read. */
async function killed(folder: string, times: number, seed: string): Promise<string[]> {
  const file = join(folder, 'killed.json')
  const random = createRandom('kills', seed)
  const kept = new Map<string, number>()
  for (let i = 0; i < times; i++) {
    await using mock = await startMeasuredMock(['--rate-limit', 'off', '--state', file])
    const life = random.fraction() ** 2 * 2_000
    const end = performance.now() + life
    let now = performance.now()
    for (let n = 0; now < end; n++) {
      const response = await ask(mock.url, 'tasks', 'x'.repeat(1 + (n % 20) * 50))
      const { task } = (await response.json()) as { task: { id: string } }
      now = performance.now()
      kept.set(task.id, now)
    }
    mock.child.kill('SIGKILL')
    await setTimeout(100)
    // After a short life there may be no file yet.
    const text = existsSync(file) ? JSON.stringify(parseStateFile(readFileSync(file, 'utf8')).snapshot) : ''
    const ids = new Set(Array.from(text.matchAll(/"id":"([^"]+)"/g), ([, id]) => id))
    for (const [id, at] of kept) {
      if (ids.has(id)) continue
      if (at < now - 1_000)
        return [`kill ${i}: ${id}, acknowledged ${Math.round(now - at)} ms before, is lost`]
      kept.delete(id)
    }
    if (i % 10 === 9) {
      rmSync(file, { force: true })
      kept.clear()
    }
  }
  return []
}

const key = { WORK_AGENT_API_KEY: 'wak_test_demo' }

/** Runs a call where no file may grow. */
async function runLimited(call: string) {
  const limited = `trap '' XFSZ; ulimit -f 0; exec "$0" "$@"`
  const { code, said } = await runProcess(
    '.',
    'sh',
    ['-c', limited, process.execPath, mockProgramPath(), ...call.split(' ')],
    key,
  )
  return { code, err: said }
}

/**
 * A report that cannot be written ends the command with one line, an exit code other than 0 and no damaged file, where
 * no file may grow and in a read-only folder.
 */
async function withoutSpace(own: string): Promise<string[]> {
  await using mock = await startMeasuredMock(['--rate-limit', 'off'])
  const problems: string[] = []
  const verify = `verify ${mock.url} --only ACCEPTS-whoami`
  const calls = {
    'verify.json': `${verify} --report json=FILE`,
    'history.ndjson': `${verify} --history FILE`,
    'check.html': 'check --scenario=slow-run --report html=FILE -- true',
  }
  const readOnly = { ...calls, 'state.json': 'mock --port 0 --state FILE' }
  const places = [
    { folder: own, reason: /EFBIG/, run: runLimited, calls },
    {
      folder: '/sys/kernel',
      reason: /EACCES|EPERM|EROFS/,
      run: (call: string) => runCliInProcess(call, key),
      calls: readOnly,
    },
  ]
  for (const { folder, reason, run, calls } of places.filter((one) => existsSync(one.folder)))
    for (const [name, written] of Object.entries(calls)) {
      const file = join(folder, name)
      const call = written.replace('FILE', file)
      const { code, err } = await run(call)
      const told = err.split('\n').filter((line) => reason.test(line))
      const left = existsSync(file) && readFileSync(file).length > 0
      if (code === 0 || code === null || told.length !== 1 || left || /\n\s+at /.test(err))
        problems.push(
          `${call}, where nothing can be written: exit ${code}, ${JSON.stringify(err.slice(-400))}`,
        )
    }
  return problems
}

/**
 * Tests mocks under faults of the machine, such as a full disk, all at once, each with mocks of its own; returns every
 * problem found.
 */
export async function testMachineFaults(seed: string, kills: number): Promise<string[]> {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'abuse-'))
  const folder = temporary.path
  const problems = await Promise.all([
    withoutDescriptors(folder),
    stoppedAndContinued(folder, 5),
    clockSetBack(folder),
    withoutSpace(folder),
    killed(folder, kills, seed),
  ])
  return problems.flat()
}
