/** `check` as a process: it runs the command of a client, prints its report, and leaves no process behind. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { scenarios } from '#mocks/scenarios/index.ts'
import { builtCommand } from '../testing/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'check-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The environment of this process without our variables. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('WORK_AGENT_')),
)

function check(...argv: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [builtCommand, 'check', ...argv], {
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

/** Writes a client: `ask` sends a request and returns its status. */
function client(name: string, body: string): string[] {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(
    file,
    `const ask = async (path, method = 'GET') => {
      const headers = { authorization: 'Bearer ' + process.env.WORK_AGENT_API_KEY }
      const answer = await fetch(process.env.WORK_AGENT_BASE_URL + '/api/cli' + path, { method, headers })
      await answer.text()
      return answer.status
    }
    ${body}`,
  )
  return ['--', process.execPath, file]
}

const polite = client('polite', `console.log('status', await ask('/whoami'))`)
const naming = client('naming', `await ask('/whoami?org_id=mine')`)
const repeating = client(
  'repeating',
  `await ask('/tasks/nope')
  await new Promise((resolve) => setTimeout(resolve, 200))
  await ask('/tasks/nope')`,
)
/** Ends without an error at any answer that is not a success. */
const hasty = client(
  'hasty',
  `const post = async (path, body) => {
    const headers = { authorization: 'Bearer ' + process.env.WORK_AGENT_API_KEY }
    const url = process.env.WORK_AGENT_BASE_URL + '/api/cli/tasks' + path
    const answer = await fetch(url, { method: 'POST', headers, body })
    return answer.ok ? answer.json() : process.exit(0)
  }
  const { task } = await post('', JSON.stringify({ text: 'Say hello' }))
  const { runId, taskId } = await post('/' + task.id + '/run')
  while (runId || taskId) {
    const headers = { authorization: 'Bearer ' + process.env.WORK_AGENT_API_KEY }
    const answer = await fetch(process.env.WORK_AGENT_BASE_URL + '/api/cli/tasks/' + task.id, { headers })
    if (!answer.ok || (await answer.json()).finished) break
    await new Promise((resolve) => setTimeout(resolve, 500))
  }`,
)
const one = ['--scenario', 'slow-run']

test('a client that follows every rule it met passes with exit 0', () => {
  const { status, stdout, stderr } = check(...one, ...polite)
  expect(status).toBe(0)
  expect(stdout).toContain(
    'Not exercised (does not count as passed):\n  stops-at-402: needs a 402 no_credits\n',
  )
  expect(stdout).toMatch(
    /^slow-run: 1 requests, exit 0\nPASSED: 5 passed, 0 failed, 19 not exercised, of \d+\n$/m,
  )
  expect(stderr).toBe('check: slow-run: A slow run\nstatus 200\n')
})

test('a client that violates a rule fails with exit 1, and the report shows the fix', () => {
  const { status, stdout } = check(...one, ...naming)
  expect(status).toBe(1)
  expect(stdout).toMatch(
    /^failed {2}MUST no-organization-id \(§5\.2\)\n {2}Requirement {2}.+\n {2}Found {8}slow-run: sent org_id\n {2}Request {6}req_\w+ GET \/api\/cli\/whoami -> 200\n {2}Fix {10}\S/m,
  )
})

test('violated advice fails only with --strict', () => {
  const { status, stdout } = check(...one, ...repeating)
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/^PASSED with 1 warning: \d+ passed, 0 failed, 1 warned/m),
  ])
  expect(check(...one, '--strict', ...repeating).status).toBe(1)
  expect(check(...one, '--fail-on', 'warning', ...repeating).status).toBe(1)
})

test('a client that sends no request gets exit 3 and a hint', () => {
  const { status, stderr } = check(...one, '--', process.execPath, '-e', '0')
  expect(status).toBe(3)
  expect(stderr).toContain('check: the client sent no request; does it read WORK_AGENT_BASE_URL?\n')
})

test('--quiet prints the verdict and nothing else', () => {
  const { stdout, stderr } = check(...one, '--quiet', ...polite)
  expect([stdout.match(/\n/g)?.length, stderr]).toEqual([1, ''])
})

test('the client runs once in each scenario, each time against a new mock', () => {
  const { stdout } = check('--scenario', 'slow-run,out-of-credits', '--scenario', 'second-variant', ...polite)
  expect(stdout.match(/^[\w-]+: 1 requests, exit 0$/gm)).toEqual([
    'slow-run: 1 requests, exit 0',
    'out-of-credits: 1 requests, exit 0',
    'second-variant: 1 requests, exit 0',
  ])
})

test('a shell runs a single word with spaces', () => {
  const { status, stdout } = check(...one, '--', `"${process.execPath}" -e "process.exit(7)" && exit 8`)
  expect([status, stdout.includes('slow-run: 0 requests, exit 7')]).toEqual([3, true])
})

test('--strict-client applies quirks in every scenario', () => {
  const { stdout } = check(
    '--scenario',
    'slow-run',
    '--strict-client',
    'any',
    ...client('twice', `await ask('/whoami'); await ask('/whoami')`),
  )
  expect(stdout).toMatch(/^ {2}tolerates-extras: A client accepts unknown/m)
})

test('reports are written to files, in every format', () => {
  const file = (name: string) => join(folder, 'reports', name)
  const forms = `json=${file('a.json')},junit=${file('a.xml')},md=${file('a.md')},html=${file('a.html')}`
  check(...one, '--report', forms, ...naming)
  expect(JSON.parse(readFileSync(file('a.json'), 'utf8'))).toMatchObject({
    outcome: 'failed',
    schema_version: 1,
  })
  for (const name of ['a.xml', 'a.md', 'a.html'])
    expect(readFileSync(file(name), 'utf8')).toContain('no-organization-id')
})

/** A client that starts another process, writes its id to a file, and does not end. */
const endless = (name: string) => {
  const pidFile = join(folder, `${name}.pid`)
  const command = client(
    name,
    `import { spawn } from 'node:child_process'
    import { writeFileSync } from 'node:fs'
    const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await ask('/whoami')
    writeFileSync(${JSON.stringify(pidFile)}, String(pid))
    setInterval(() => {}, 1000)`,
  )
  return { command, pidFile }
}

/** Waits until a process is gone, which can take a while. */
const gone = (pidFile: string) =>
  vi.waitFor(() => expect(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0)).toThrow(), 10_000)

test('a client that does not end is killed and fails, and its unfinished work is not judged', () => {
  const { status, stdout } = check(
    ...one,
    '--timeout',
    '1s',
    '--',
    process.execPath,
    '-e',
    'setInterval(() => {}, 1000)',
  )
  expect([status, stdout.includes('slow-run: 0 requests, killed after 1 s\n')]).toEqual([1, true])
  expect(stdout).toMatch(/^failed {2}MUST ends-in-time /m)
})

test.skipIf(process.platform === 'win32')(
  'Ctrl-C ends the client and its children, and still prints a report',
  async () => {
    const { command, pidFile } = endless('interrupted')
    const child = spawn(process.execPath, [builtCommand, 'check', '--jobs', '1', ...command], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let out = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    await vi.waitFor(() => expect(existsSync(pidFile)).toBe(true), 20_000)
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    expect([code, out.includes(`${scenarios[0]?.id}: 1 requests, interrupted`)]).toEqual([130, true])
    await gone(pidFile)
  },
)

/** Creates one task, runs it and polls it to its end; it waits as the service says. */
const oneShot = client(
  'one-shot',
  `const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  const send = async (path, method = 'GET', body) => {
    for (;;) {
      const headers = { authorization: 'Bearer ' + process.env.WORK_AGENT_API_KEY }
      const url = process.env.WORK_AGENT_BASE_URL + '/api/cli/tasks' + path
      const answer = await fetch(url, { method, headers, body }).catch(() => undefined)
      if (!answer) return {}
      const { error, ...fields } = await answer.json()
      const after = answer.headers.get('retry-after')
      if (error === 'rate_limited') await pause(after > 0 ? after * 1000 : Date.parse(after) - Date.now())
      else if (error === 'unavailable') await pause(500)
      else if (!error || error === 'busy') return fields
      else throw new Error(error)
    }
  }
  const { task } = await send('', 'POST', JSON.stringify({ text: 'Say hello' }))
  const path = '/' + encodeURIComponent(task.id)
  await send(path + '/run', 'POST')
  while (!(await send(path)).finished) await pause(700)`,
)

test('a client that does one unit of work meets every rule, in under 20 s', () => {
  const began = performance.now()
  const { status, stdout } = check(...oneShot)
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^PASSED: \d+ passed, 0 failed, of \d+$/)
  expect([status, performance.now() - began < 20_000]).toEqual([0, true])
})

test('the verdicts are the same at any number of jobs, and output is grouped by scenario', () => {
  const scenarios = 'second-variant,out-of-credits,odd-ids,empty-organization'
  const run = (jobs: string) => check('--scenario', scenarios, '--jobs', jobs, ...oneShot)
  const [alone, together] = [run('1'), run('4')]
  const outcomes = ({ stdout }: typeof alone) => stdout.replaceAll(/^ .*$/gm, '')
  expect([together.status, outcomes(together)]).toEqual([alone.status, outcomes(alone)])
  expect(together.stderr.match(/^check: [\w-]+/gm)).toEqual(scenarios.split(',').map((id) => `check: ${id}`))
})

test('a client that crashes where a good one can finish fails', () => {
  const { status, stdout } = check(...one, ...client('crashing', `await ask('/whoami'); process.abort()`))
  expect([status, stdout]).toEqual([1, expect.stringMatching(/^failed {2}MUST finishes-work /m)])
  expect(stdout).toContain('slow-run: 1 requests, ended by SIGABRT\n')
})

test('a client that ends without an error and leaves its run unfinished fails', () => {
  const both = check('--scenario', 'empty-organization,rate-limited-burst', ...hasty)
  expect([both.status, both.stdout]).toEqual([
    1,
    expect.stringContaining('rate-limited-burst: ended without an error although the run of'),
  ])
})

test('--traces keeps traffic, output and a command that repeats the run', () => {
  const traces = join(folder, 'traces')
  check(...one, '--traces', traces, ...polite)
  const read = (name: string) => readFileSync(join(traces, 'slow-run', name), 'utf8')
  expect(JSON.parse(read('1.har')).log.entries).toHaveLength(1)
  expect(read('1.har')).not.toContain('wak_test')
  expect(read('1.txt')).toBe('status 200\n')
  expect(read('1.sh')).toMatch(
    /^work-agent-contract check --scenario slow-run --runs 1 -- .*polite\.mjs\n$/,
  )
})

test('--list shows every scenario and the rules that it covers', () => {
  const { status, stdout } = check('--list')
  expect([status, stdout.trimEnd().split('\n').length]).toEqual([0, scenarios.length])
  expect(stdout).toMatch(/^out-of-credits +Credits run out \(stops-at-402\)$/m)
})

test.each<[string, string[], RegExp]>([
  ['no command', [], /^check: needs the command of a client after --, such as: check -- node client.js\n$/],
  [
    'an unknown scenario',
    ['--scenario', 'nope', ...polite],
    /^check: --scenario: no scenario "nope"; --list shows them\n$/,
  ],
  [
    'a command that is not there',
    [...one, '--quiet', '--', '/no/such/client'],
    /^check: cannot start \/no\/such\/client: ENOENT\n$/,
  ],
  [
    'a malformed duration',
    ['--timeout', 'long', ...polite],
    /^check: --timeout takes a duration such as 2s or 150ms\n$/,
  ],
  ['no time at all', ['--timeout', '0s', ...polite], /^check: --timeout takes a duration above 0\n$/],
  [
    'an unknown form',
    ['--report', 'pdf=a.pdf', ...polite],
    /^check: --report takes json=FILE, .+; not "pdf=a\.pdf"\n$/,
  ],
  [
    'an unknown flag',
    ['--scenarios', 'x', ...polite],
    /^check: unknown option '--scenarios' \(Did you mean --scenario\?\)\n$/,
  ],
])('%s is one line and exit 2', (_, argv, message) => {
  const { status, stdout, stderr } = check(...argv)
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(message)
})
