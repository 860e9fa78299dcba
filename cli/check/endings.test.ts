/** How `check` judges the end of a client, that it leaves no process behind; its verdict, its exit codes, and its report. */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, vi } from 'vitest'
import { scenarios } from '#mocks/scenarios/index.ts'
import { check, checkAsProcess, client, folder, one, polite, startCheck } from './testing/check.ts'

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

test.concurrent('a client that does not end is killed and fails, and its unfinished work is not judged', async ({
  expect,
}) => {
  const { status, stdout } = await check(
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

test
  .skipIf(process.platform === 'win32')
  .concurrent('Ctrl-C ends the client and its children, and still prints a report', async ({ expect }) => {
    const { command, pidFile } = endless('interrupted')
    const { child, output } = startCheck('--jobs', '1', ...command)
    await vi.waitFor(() => expect(existsSync(pidFile)).toBe(true), 20_000)
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    expect([code, output.out.includes(`${scenarios[0]?.id}: 1 request, interrupted`)]).toEqual([130, true])
    await vi.waitFor(
      () => expect(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0)).toThrow(),
      10_000,
    )
  })

/** Ends without an error at any answer that is not a success. */
const hasty = client(
  'hasty',
  `const post = async (path, body) => {
    const headers = { authorization: 'Bearer ' + process.env.WORK_AGENT_API_KEY, 'content-type': 'application/json' }
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
test.concurrent('a client that crashes where a good one can finish fails', async ({ expect }) => {
  const { status, stdout } = await check(
    ...one,
    ...client('crashing', `await ask('/whoami'); process.abort()`),
  )
  expect([status, stdout]).toEqual([1, expect.stringMatching(/^failed {2}MUST finishes-work /m)])
  expect(stdout).toContain('slow-run: 1 request, ended by SIGABRT\n')
})

test.concurrent('a client that crashes everywhere is blamed for that, and not for where it happens to be', async ({
  expect,
}) => {
  const { stdout } = await check(
    '--scenario',
    'second-variant,strict-client,empty-organization',
    ...client('stopping', `await ask('/tasks'); process.exit(1)`),
  )
  expect(stdout.match(/^(failed|warned) .*/gm)).toEqual(['failed  MUST finishes-work (§3, §7)'])
  expect(stdout).toContain(
    '\nThe client ended with an error in every scenario, also where nothing goes wrong: ',
  )
})

test.concurrent('a client that prints without an end is killed, and only the end of its output is shown', async ({
  expect,
}) => {
  const { status, stdout, stderr } = await check(
    ...one,
    ...client(
      'flooding',
      `const lines = ('x'.repeat(99) + '\\n').repeat(100)
      for (;;) await new Promise((done) => process.stdout.write(lines, done))`,
    ),
  )
  expect([status, stdout]).toEqual([
    1,
    expect.stringContaining('slow-run: 0 requests, killed after it printed 16 MB\n'),
  ])
  expect(stderr).toMatch(/^… after \d+ lines:$/m)
  expect(stderr.length).toBeLessThan(30_000)
})

test.concurrent('a client that ends without an error and leaves its run unfinished fails', async ({
  expect,
}) => {
  const both = await check('--scenario', 'empty-organization,rate-limited-burst', '--runs', '1', ...hasty)
  expect([both.status, both.stdout]).toEqual([
    1,
    expect.stringContaining('rate-limited-burst: ended without an error although the run of'),
  ])
})

const naming = client('naming', `await ask('/whoami?org_id=mine')`)
const repeating = client(
  'repeating',
  `await ask('/tasks/nope')
  await new Promise((resolve) => setTimeout(resolve, 200))
  await ask('/tasks/nope')`,
)
test.concurrent('a client that follows every rule it met passes with exit 0', async ({ expect }) => {
  const { status, stdout, stderr } = await checkAsProcess(...one, ...polite())
  expect(status).toBe(0)
  expect(stdout).toContain(
    'Not exercised (does not count as passed):\n  polls-task-by-id: needs a run that was accepted, and polls after it\n',
  )
  expect(stdout).toMatch(
    /^slow-run: 1 request, exit 0\nPASSED: 4 passed, 0 failed, 3 not exercised, of 7\n$/m,
  )
  expect(stderr).toBe('check: running the client in 1 scenario\ncheck: slow-run: A slow run\nstatus 200\n')
})

test.concurrent('a client that violates a rule fails with exit 1, and the report shows the fix', async ({
  expect,
}) => {
  const { status, stdout } = await checkAsProcess(...one, ...naming)
  expect(status).toBe(1)
  expect(stdout).toMatch(
    /^failed {2}MUST no-organization-id \(§5\.2\)\n {2}Requirement {2}.+\n {2}Found {8}slow-run: sent org_id\n {2}Request {6}req_\w+ GET \/api\/cli\/whoami -> 200\n {2}Fix {10}\S/m,
  )
})

test.concurrent('violated advice fails only with --strict', async ({ expect }) => {
  const [usual, strict, warning] = await Promise.all([
    check(...one, ...repeating),
    check(...one, '--strict', ...repeating),
    check(...one, '--fail-on', 'warning', ...repeating),
  ])
  expect([usual.status, strict.status, warning.status]).toEqual([0, 1, 1])
  expect(usual.stdout).toMatch(/^PASSED with 1 warning: \d+ passed, 0 failed, 1 warned/m)
})

test.concurrent('a report says that a client did nothing that rules are about', async ({ expect }) => {
  const { stdout } = await check(...one, ...polite())
  expect(stdout).toContain('\nThe client requested no paid work: 21 of 25 rules could not be judged.\n')
})

test.concurrent('a client that sends no request gets exit 3 and a hint', async ({ expect }) => {
  const { status, stderr } = await check(...one, '--', process.execPath, '-e', '0')
  expect(status).toBe(3)
  expect(stderr).toContain('check: the client sent no request; does it read WORK_AGENT_BASE_URL?\n')
})

test.concurrent('--quiet prints the verdict and nothing else', async ({ expect }) => {
  const { stdout, stderr } = await check(...one, '--quiet', ...polite())
  expect([stdout.match(/\n/g)?.length, stderr]).toEqual([1, ''])
})

test.concurrent('a shell runs a single word with spaces', async ({ expect }) => {
  const { status, stdout } = await check(...one, '--', `"${process.execPath}" -e "process.exit(7)" && exit 8`)
  expect([status, stdout.includes('slow-run: 0 requests, exit 7')]).toEqual([3, true])
})

test.concurrent('--strict-client applies quirks in every scenario', async ({ expect }) => {
  const { stdout } = await check(
    '--scenario',
    'slow-run',
    '--strict-client',
    'any',
    ...client('twice', `await ask('/whoami'); await ask('/whoami')`),
  )
  expect(stdout).toMatch(/^ {2}tolerates-extras: A client accepts unknown/m)
})

test.concurrent('reports are written to files, in every format', async ({ expect }) => {
  const file = (name: string) => join(folder, 'reports', name)
  const forms = `json=${file('a.json')},junit=${file('a.xml')},md=${file('a.md')},html=${file('a.html')}`
  await check(...one, '--report', forms, ...naming)
  expect(JSON.parse(readFileSync(file('a.json'), 'utf8'))).toMatchObject({
    outcome: 'failed',
    schema_version: 1,
  })
  for (const name of ['a.xml', 'a.md', 'a.html'])
    expect(readFileSync(file(name), 'utf8')).toContain('no-organization-id')
})

test.concurrent('a command that is not there is one line and exit 2', async ({ expect }) => {
  expect(await check(...one, '--quiet', '--', '/no/such/client')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'check: cannot start /no/such/client: ENOENT\n',
  })
})
