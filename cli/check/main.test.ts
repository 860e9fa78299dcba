/** `check`: which runs of a client it makes, how it judges their end, its verdict, its exit codes and its report. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { clientDemands } from '#client-tests/every-fault/effects.ts'
import { scenarios } from '#mocks/scenarios/index.ts'
import { checkCommandDefinition } from '../command-lines.ts'
import { readCommandLine } from '../flags.ts'
import { runCliInProcess } from '../testing/in-process.ts'
import { runCli } from '../testing/process.ts'
import { readCheckOptions } from './options.ts'
import {
  checkTestFolder,
  nodeScriptCommand,
  readTestFile,
  runCheckOn,
  slowRunScenarioFlags,
  writeClientKeepingRules,
  writeTestClient,
} from './testing/check.ts'

test.concurrent('a client that follows every rule it met passes with exit 0', async () => {
  const { code, out, err } = await runCheckOn(slowRunScenarioFlags, ...writeClientKeepingRules())
  expect(code).toBe(0)
  expect(out).toContain(
    'Not exercised (does not count as passed):\n  polls-task-by-id: needs a run that was accepted, and polls after it\n',
  )
  expect(out).toContain('\nThe client requested no paid work: 29 of 34 rules could not be judged.\n')
  expect(out).toMatch(/^slow-run: 1 request, exit 0\nPASSED: 5 passed, 0 failed, 3 not exercised, of 8\n$/m)
  expect(err).toBe('check: running the client in 1 scenario\ncheck: slow-run: A slow run\nstatus 200\n')
})

test.concurrent('a client that violates a rule fails with exit 1, and the report shows the fix', async () => {
  const { code, out } = await runCheckOn(
    slowRunScenarioFlags,
    ...writeTestClient('naming', `await ask('/whoami?org_id=mine')`),
  )
  expect(code).toBe(1)
  expect(out).toMatch(
    /^failed {2}MUST no-organization-id \(§5\.2\)\n {2}Requirement {2}.+\n {2}Found {8}slow-run: sent org_id\n {2}Request {6}req_\w+ GET \/api\/cli\/whoami -> 200\n {2}Fix {10}\S/m,
  )
})

test.concurrent('violated advice fails only with --strict, of which --fail-on warning is another name', async () => {
  const repeating = writeTestClient(
    'repeating',
    `await ask('/tasks/nope')
    await new Promise((resolve) => setTimeout(resolve, 200))
    await ask('/tasks/nope')`,
  )
  const [usual, strict] = await Promise.all(
    ['', ' --strict'].map((flags) => runCheckOn(slowRunScenarioFlags + flags, ...repeating)),
  )
  expect([usual?.code, strict?.code]).toEqual([0, 1])
  expect(usual?.out).toMatch(/^PASSED with 1 warning: \d+ passed, 0 failed, 1 warned/m)
  const isStrict = (flags: string) =>
    readCheckOptions(readCommandLine(checkCommandDefinition, [...flags.split(' '), '--', 'true'], {})).strict
  expect(['--fail-on warning', '--fail-on error', '--strict'].map(isStrict)).toEqual([true, false, true])
})

test.concurrent('a shell runs a single word with spaces; a client that sends no request gets exit 3 and a hint', async () => {
  const { code, out, err } = await runCheckOn(
    slowRunScenarioFlags,
    '--',
    `"${process.execPath}" -e "process.exit(7)" && exit 8`,
  )
  expect([code, out.includes('slow-run: 0 requests, exit 7')]).toEqual([3, true])
  expect(err).toContain(
    'check: the client sent no request to /api/cli; does it read WORK_AGENT_BASE_URL, and do its paths begin with one slash and api/cli?\n',
  )
})

test.concurrent('--strict-client applies quirks in every scenario', async () => {
  const twice = writeTestClient('twice', `await ask('/whoami'); await ask('/whoami')`)
  const { out } = await runCheckOn(`${slowRunScenarioFlags} --strict-client any`, ...twice)
  expect(out).toMatch(/^ {2}tolerates-extras: A client accepts unknown/m)
})

test.concurrent('the verdicts are the same at any number of jobs, and output is grouped by scenario', async () => {
  const scenarios = 'rejected-task,deleted-key'
  const looking = writeTestClient(
    'looking',
    `for (const path of ['/whoami', '/tasks', '/whoami', '/whoami']) await ask(path)`,
  )
  const run = (jobs: number) => runCheckOn(`--scenario ${scenarios} --jobs ${jobs} --runs 1`, ...looking)
  const [alone, together] = await Promise.all([run(1), run(2)])
  expect([together.code, together.out]).toEqual([alone.code, alone.out])
  const order = together.err.match(/^check: [\w-]+(?=:)/gm)
  expect(order).toEqual(scenarios.split(',').map((id) => `check: ${id}`))
  expect(together.err).toContain('check: running the client in 2 scenarios, 2 at a time\n')
})

test.concurrent('where a 429 names a date, a client is far from UTC, unless its environment says where it is', async () => {
  const zone = writeTestClient('zone', `console.log('zone', process.env.TZ); await ask('/whoami')`)
  const call = ['check', '--scenario', 'rate-limited-burst-date', '--runs', '1', ...zone]
  expect((await runCliInProcess(call)).err).toContain(`zone ${process.env.TZ ?? 'Asia/Tokyo'}\n`)
  expect((await runCliInProcess(call, { TZ: 'America/Lima' })).err).toContain('zone America/Lima\n')
})

test.concurrent('--traces keeps traffic, output and the command that repeats each run; --quiet prints the verdict and nothing else', async () => {
  const traces = join(checkTestFolder, 'traces')
  const { out, err } = await runCheckOn(
    `${slowRunScenarioFlags} --runs 2 --timeout 30s --quiet --traces ${traces}`,
    ...writeClientKeepingRules(),
  )
  expect([out.match(/\n/g)?.length, err]).toEqual([1, ''])
  expect(out).toMatch(
    /, 3 not exercised, of 8 \(not exercised: polls-task-by-id, stops-polling, polls-sanely\)\n$/,
  )
  const har = readTestFile('traces/slow-run/1.har')
  expect(JSON.parse(har).log.entries).toHaveLength(1)
  expect(har).not.toContain('wak_test')
  expect(readTestFile('traces/slow-run/2.txt')).toBe('status 200\n')
  expect(readTestFile('traces/slow-run/2.sh')).toMatch(
    /^cd \/.+\nnpx --no-install work-agent-contract check --scenario slow-run --runs 2 --timeout 30000ms -- .*polite\.mjs\n$/,
  )
})

test.concurrent('--list shows every scenario and the rules that it covers', async () => {
  const { code, out } = await runCheckOn('--list')
  expect([code, out.trimEnd().split('\n').length]).toEqual([0, scenarios.length])
  expect(out).toMatch(/^out-of-credits +Credits run out \(stops-at-402\)$/m)
})

test.concurrent('without a name every rule and every effect is explained, with its thresholds and its fix', async () => {
  const { code, out } = await runCheckOn('--explain')
  expect(code).toBe(0)
  for (const { id, level, section, statement, thresholds = '', fix } of clientDemands) {
    const [, own = ''] = out.split(`${level} ${id} (${section})\n`)
    for (const text of [statement, thresholds, fix]) expect(own.split('\n\n')[0]).toContain(text)
  }
})

test.concurrent('several rules can be named, in any case', async () => {
  const { out } = await runCheckOn('--explain polls-sanely CREATES-ONCE')
  expect(out.match(/^\w+ [\w-]+ \(/gm)).toEqual(['SHOULD polls-sanely (', 'SHOULD creates-once ('])
  expect(out).toContain('Thresholds   Too fast are 4 polls of a task in a row with less than 200 ms')
  expect(out).toMatch(/^ {2}Judged +under faults, beside a run without one$/m)
})

test.concurrent('a client that does not end is killed and fails, and its unfinished work is not judged', async () => {
  const { code, out } = await runCheckOn(
    `${slowRunScenarioFlags} --timeout 1s`,
    ...nodeScriptCommand('setInterval(() => {}, 1000)'),
  )
  expect([code, out.includes('slow-run: 0 requests, killed after 1 s\n')]).toEqual([1, true])
  expect(out).toMatch(/^failed {2}MUST ends-in-time /m)
})

test.concurrent('Ctrl-C ends the client and its children, and still prints a report', async () => {
  const pidFile = join(checkTestFolder, 'interrupted.pid')
  const endless = writeTestClient(
    'interrupted',
    `import { spawn } from 'node:child_process'
      import { writeFileSync } from 'node:fs'
      const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
      writeFileSync(${JSON.stringify(pidFile)}, String(pid))
      setInterval(() => {}, 1000)`,
  )
  const { code, out, err } = await runCli(['check', '--jobs', '1', ...endless], {}, async (child) => {
    await vi.waitFor(() => expect(existsSync(pidFile)).toBe(true), 20_000)
    child.kill('SIGINT')
  })
  expect([code, out.includes(`${scenarios[0]?.id}: 0 requests, interrupted`)]).toEqual([130, true])
  expect(out).toContain('The check was interrupted, so this report is incomplete.')
  expect(out).toMatch(/^INTERRUPTED: /m)
  expect(out).not.toContain('PASSED')
  expect(err).not.toContain('the client sent no request')
  const pid = Number(readTestFile('interrupted.pid'))
  const look = () => {
    process.kill(pid, 0)
    // One that has ended stays until its new parent, the first process of the machine, has noticed.
    const state = `/proc/${pid}/stat`
    if (existsSync(state) && /\) Z /.test(readFileSync(state, 'utf8'))) throw new Error('ended')
  }
  await vi.waitFor(() => expect(look).toThrow(), 30_000)
})

test.concurrent('a client that crashes everywhere is blamed for that, and not for where it happens to be', async () => {
  const stopping = writeTestClient('stopping', `await ask('/tasks'); process.abort()`)
  const { out } = await runCheckOn('--scenario second-variant,strict-client,empty-organization', ...stopping)
  expect(out).toContain('strict-client: 1 request, ended by SIGABRT\n')
  expect(out.match(/^(failed|warned) .*/gm)).toEqual(['failed  MUST finishes-work (§3, §7)'])
  expect(out).toContain('\nThe client ended with an error in every scenario, also where nothing goes wrong: ')
})

test.concurrent('a client that prints without an end is killed, and only the end of its output is shown', async () => {
  const flooding = writeTestClient(
    'flooding',
    `const lines = ('x'.repeat(99) + '\\n').repeat(100)
    for (;;) await new Promise((done) => process.stdout.write(lines, done))`,
  )
  const { code, out, err } = await runCheckOn(slowRunScenarioFlags, ...flooding)
  expect(code).toBe(1)
  expect(out).toContain('slow-run: 0 requests, killed after it printed 16 MB\n')
  expect(err).toMatch(/^… after \d+ lines:$/m)
  expect(err.length).toBeLessThan(30_000)
})

test.concurrent('a client that hides an error and leaves undone what it usually does fails', async () => {
  const hasty = writeTestClient(
    'hasty',
    `const looks = await Promise.all(Array.from({ length: 3 }, () => ask('/whoami')))
    if (looks.some((status) => status > 399)) process.exit()
    const headers = { authorization: 'Bearer ' + process.env.WORK_AGENT_API_KEY }
    const url = process.env.WORK_AGENT_BASE_URL + '/api/cli/tasks'
    const answer = await fetch(url, { method: 'POST', headers, body: '{"text":"Say hello"}' })
    const { task } = await answer.json()
    await ask('/tasks/' + task.id + '/run', 'POST')`,
  )
  const { code, out } = await runCheckOn(
    '--scenario empty-organization,rate-limited-burst --runs 1',
    ...hasty,
  )
  expect(code).toBe(1)
  expect(out).toContain('rate-limited-burst: ended without an error and without the work that it does where')
})

test.concurrent('a client that pays twice fails by the ledger, and the finding names the library that repeated by itself', async () => {
  const repeating = writeTestClient(
    'repeating-library',
    `const base = process.env.WORK_AGENT_BASE_URL + '/api/cli/tasks'
    const headers = { authorization: 'Bearer ' + process.env.WORK_AGENT_API_KEY, 'user-agent': 'Java/17.0.15' }
    const { task } = await (await fetch(base, { method: 'POST', headers, body: '{"text":"Say hello"}' })).json()
    const run = () => fetch(base + '/' + task.id + '/run', { method: 'POST', headers })
    const { status } = await run().catch(run)
    if (status > 299 && status !== 409) process.exit(1)
    const isFinished = async () => (await (await fetch(base + '/' + task.id, { headers })).json()).finished
    while (!(await isFinished())) await new Promise((resolve) => setTimeout(resolve, 250))`,
  )
  const { code, out } = await runCheckOn(
    '--scenario empty-organization,lost-answer,lost-answer-run-over --runs 1',
    ...repeating,
  )
  expect(code).toBe(1)
  expect(out.match(/^(?:failed|warned) .*/gm)).toEqual([
    'failed  MUST pays-once (§3.2, §8.2)',
    'warned  SHOULD no-blind-repeat (§3.2, §8.2)',
    'warned  SHOULD declares-json (§4, §7)',
  ])
  expect(out).toMatch(
    /^ {2}Found {8}lost-answer-run-over: paid twice for the same: repeated .+, [\d.]+ s after its answer was lost, on a new connection, the same \d+ bytes: HttpURLConnection repeats by itself; -Dsun\.net\.http\.retryPost=false stops that$/m,
  )
})

test.concurrent('a client that ends with an error at a lost answer, and repeats nothing, breaks no duty', async () => {
  const careful = writeTestClient(
    'careful',
    `const base = process.env.WORK_AGENT_BASE_URL + '/api/cli/tasks'
    const headers = { authorization: 'Bearer ' + process.env.WORK_AGENT_API_KEY }
    const { task } = await (await fetch(base, { method: 'POST', headers, body: '{"text":"Say hello"}' })).json()
    await fetch(base + '/' + task.id + '/run', { method: 'POST', headers })`,
  )
  const { code, out } = await runCheckOn('--scenario lost-answer,lost-answer-run-over', ...careful)
  expect([code, out.match(/^failed .*/gm)]).toEqual([0, null])
  expect(out).toContain(
    'lost-answer-run-over: 2 requests, exit 1; not exercised: no-blind-repeat, because it gave up',
  )
})

test.concurrent('a proxy in the environment of check, behind which there is no mock, is not used for it', async () => {
  const proxied = { http_proxy: 'http://127.0.0.1:1', NODE_USE_ENV_PROXY: '1' }
  const { code, out } = await runCliInProcess(
    ['check', ...slowRunScenarioFlags.split(' '), ...writeClientKeepingRules()],
    {
      ...proxied,
    },
  )
  expect([code, out.includes('slow-run: 1 request, exit 0')]).toEqual([0, true])
})

test.concurrent.each([
  ['reads Retry-After', 'answer.headers.get("retry-after") * 1_000 + 20', 'passed'],
  ['waits a constant second', '1_020', 'failed'],
])('however slow the machine is, a client that %s is not taken for the other', async (name, wait, outcome) => {
  const waiting = writeTestClient(
    name.split(' ')[0] ?? '',
    `const headers = { authorization: 'Bearer ' + process.env.WORK_AGENT_API_KEY, 'content-type': 'application/json' }
    const send = async (path, method = 'GET', body) => {
      for (;;) {
        const answer = await fetch(process.env.WORK_AGENT_BASE_URL + '/api/cli' + path, { method, headers, body })
        if (answer.status !== 429) return answer.json()
        await answer.text()
        await new Promise((resolve) => setTimeout(resolve, ${wait}))
      }
    }
    await send('/tasks', 'POST', '{"text":"Say hello"}')
    for (let i = 0; i < 4; i++) await send('/whoami')`,
  )
  const file = join(checkTestFolder, `${outcome}.json`)
  await runCheckOn(`--scenario rate-limited-burst --report json=${file}`, ...waiting)
  const { rules } = JSON.parse(readTestFile(`${outcome}.json`))
  expect(rules.find(({ id }: { id: string }) => id === 'waits-retry-after').outcome).toBe(outcome)
})
