/** The verdict of `check`, its exit codes, and the report that it prints or writes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { check, checkAsProcess, client, folder, one, polite } from './testing/check.ts'

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

test.concurrent('advice that is violated too silences no duty', async ({ expect }) => {
  const blind = client(
    'blind',
    `const send = async (path, body) => {
      const headers = { authorization: 'Bearer ' + process.env.WORK_AGENT_API_KEY, 'content-type': 'application/json' }
      return fetch(process.env.WORK_AGENT_BASE_URL + '/api/cli/tasks' + path, { method: 'POST', headers, body })
    }
    const { task } = await (await send('', '{"text":"Say hello"}')).json()
    const run = () => send('/' + task.id + '/run')
    const answer = await run().catch(run)
    process.exit(answer.ok ? 0 : 1)`,
  )
  const [lost, busy] = await Promise.all([
    check('--scenario', 'lost-answer', ...blind),
    check('--scenario', 'busy-then-starts', ...blind),
  ])
  expect([lost.status, busy.status]).toEqual([1, 1])
  expect(lost.stdout.match(/^(failed|warned) .*(?= \()/gm)).toEqual([
    'failed  MUST finishes-work',
    'warned  SHOULD no-blind-repeat',
  ])
  expect(busy.stdout.match(/^(failed|warned) .*(?= \()/gm)).toEqual(['failed  MUST waits-when-busy'])
})

test.concurrent('one mistake in several scenarios is one paragraph, with their names', async ({ expect }) => {
  const { stdout } = await check('--scenario', 'slow-run,odd-ids,strict-client', ...naming)
  expect(stdout.match(/^ {2}Found .*/gm)).toEqual([
    '  Found        slow-run: sent org_id (also in odd-ids, strict-client)',
  ])
})

test.concurrent('a client that is killed while it waits as it was told is not accused', async ({
  expect,
}) => {
  const patient = client(
    'patient',
    `for (let i = 0; i < 3; i++) await ask('/whoami')
    setTimeout(() => {}, 60_000)`,
  )
  const run = (timeout: string) => check('--scenario', 'rate-limited-burst', '--timeout', timeout, ...patient)
  const [told, idle] = await Promise.all([run('2s'), run('8s')])
  expect(told.stdout).toContain(
    'The client was killed at its work in rate-limited-burst, so what it left undone',
  )
  expect([told.status, told.stdout.includes('ends-in-time')]).toEqual([0, false])
  expect([idle.status, idle.stdout]).toEqual([1, expect.stringMatching(/^failed {2}MUST ends-in-time /m)])
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
