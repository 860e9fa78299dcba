/** `verify`: its output, exit codes and files. As a process where that could make a difference. */
import { expect, test } from 'vitest'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { uncheckedClientOf } from '#mocks/testing/client.ts'
import { createSharedFolder } from '../testing/folder.ts'
import {
  runVerifyInProcess,
  runVerifyProcess,
  startTestService,
  whoamiWithInvalidCredits,
} from './testing/service.ts'

const { file, read, json, write } = createSharedFolder()
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1)

const total = catalogue.length

test.concurrent('without arguments it tests the embedded mock, exercises every requirement, and passes', async () => {
  const { code, out, err } = await runVerifyInProcess('')
  expect(lastLine(out)).toMatch(
    new RegExp(`^PASSED: \\d+ passed, 0 failed, \\d+ not applicable, of ${total}$`),
  )
  expect(out).not.toContain('Not exercised')
  expect(lastLine(err)).toBe(`${total} of ${total} judged`)
  expect(code).toBe(0)
})

const onlyWhoami = '--only SHAPE-whoami,ACCEPTS-whoami --only ACCEPTS-listTasks'

test.concurrent('a violation is exit 1, with everything needed to reproduce it, in every report format', async () => {
  const { url, env } = await startTestService({}, whoamiWithInvalidCredits)
  const [first, second, ...others] = ['json', 'junit', 'md', 'html'].map(
    (form) => `${form}=${file(`made/report.${form}`)}`,
  )
  const reports = [`${first},${second}`, ...others].map((one) => `--report ${one}`).join(' ')
  const github = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: file('summary.md') }
  const { code, out } = await runVerifyInProcess(`${url} ${onlyWhoami} ${reports}`, { ...env, ...github })
  expect(code).toBe(1)
  expect(out).toMatch(
    /^failed {2}MUST SHAPE-whoami \(§4 Identity and keys, §2\)\n {2}Requirement {2}.+\n {2}Expected {5}.+\n {2}Actual {7}.+\n {2}Exchange {5}GET .+\n {2}Reproduce {4}curl -i '.+' -H "accept: application\/json" -H "user-agent: work-agent-contract\/.+" -H "authorization: Bearer \$WORK_AGENT_API_KEY"\n/,
  )
  expect(out).toContain(`FAILED: 2 passed, 1 failed, of 3`)
  expect(out).toContain(`\n${total - 3} others were not selected (--only).\n`)
  expect(out).not.toContain('KEY-')
  expect(out).toMatch(/^::error title=SHAPE-whoami::Every success response/m)
  expect(out).toMatch(/^::notice title=Conformance failed::2 passed, 1 failed/m)
  expect(json('made/report.json')).toMatchObject({ outcome: 'failed', totals: { failed: 1 } })
  expect(read('made/report.junit')).toContain('<failure type="MUST"')
  expect(read('made/report.html')).toContain('<!doctype html>')
  expect(read('summary.md')).toBe(read('made/report.md'))
  expect(read('summary.md')).toMatch(/^# ❌ Conformance: failed\n/)
})

test.concurrent('a known failure is exit 0 with the entry that was printed; a stale entry is exit 1', async () => {
  const { url, env } = await startTestService({}, whoamiWithInvalidCredits)
  const first = await runVerifyInProcess(`${url} ${onlyWhoami}`, env)
  const [entries = ''] = /^\[\n(?:.|\n)*?^\]$/m.exec(first.out) ?? []
  const known = `--expected-failures ${write('known.json', entries)} --quiet`
  const second = await runVerifyInProcess(`${url} ${onlyWhoami} ${known}`, env)
  expect([second.code, second.out, second.err]).toEqual([
    0,
    `PASSED: 2 passed, 0 failed, 1 expected failure, of 3\n`,
    '',
  ])
  const stale = await runVerifyInProcess(`${onlyWhoami} ${known}`)
  expect([stale.code, stale.out.split('\n')[0]]).toEqual([
    1,
    'The expected failure SHAPE-whoami is stale: it passes now; delete its entry.',
  ])
})

test.concurrent('if nothing is exercised it is exit 3, with a hint what to supply', async () => {
  const { url, env } = await startTestService()
  const access = { WORK_AGENT_API_KEY: env.WORK_AGENT_API_KEY }
  const keys = catalogue.filter(({ id }) => id.startsWith('KEY-DELETE')).length
  const nothing = await runVerifyInProcess(`${url} --only KEY-DELETE*`, access)
  expect([nothing.code, lastLine(nothing.out)]).toEqual([
    3,
    `INCOMPLETE: 0 passed, 0 failed, ${keys} not exercised, of ${keys}`,
  ])
  expect(nothing.out).toContain("it needs a browser session; supply --session-cookie 'name=value'")
})

test.concurrent('a service that stops during the run is exit 4, with a report of what was tested', async () => {
  let answered = 0
  const service = await startTestService({}, () => {
    if (answered++ === 60) void service.close()
    return undefined
  })
  const flags = `--outage 500ms --report json=${file('early.json')}`
  const { code, out } = await runVerifyInProcess(`${service.url} ${flags}`, service.env)
  expect(code).toBe(4)
  expect(out).toContain('The run ended early:')
  const { totals, requirements } = json('early.json')
  expect(requirements).toHaveLength(total)
  expect(totals).toMatchObject({ failed: 0, harness_error: 0 })
  expect(totals.passed).toBeGreaterThan(0)
})

test.concurrent('a provider state that stops working in a run that passes otherwise is exit 4, named in one line', async () => {
  let asked = 0
  // Requests of the preflight.
  const working = 5
  const states = ({ path }: { path: string }) => path.endsWith('/__admin/states') && asked++ >= working
  const { url, env } = await startTestService({}, (one) =>
    states(one) ? new Response(null, { status: 500 }) : undefined,
  )
  const { code, out, err } = await runVerifyInProcess(`${url} --only ACCEPTS-whoami,UNAVAILABLE-CODE`, env)
  expect(lastLine(out)).toBe('INCOMPLETE: 1 passed, 0 failed, 1 not exercised, of 2')
  expect(lastLine(err)).toBe('verify: --states-url: the state "unavailable" answered 500')
  expect(code).toBe(4)
})

test.concurrent('Ctrl-C is exit 130, with a report, and deletes the keys that the run created', async () => {
  let interrupt = () => undefined as unknown
  let created = 0
  const { url, env, asked, mock } = await startTestService({}, ({ method, path }) => {
    if (method === 'POST' && path === '/api/cli/keys' && ++created === 2) interrupt()
    return undefined
  })
  const flags = `--max-credits 20 --report json=${file('cut.json')}`
  const { code, out, err } = await runVerifyProcess(`${url} ${flags}`, env, (child) => {
    interrupt = () => child.kill('SIGINT')
  })
  expect(code).toBe(130)
  expect(err).toContain('verify: interrupted; cleaning up what the run created\n')
  expect(out).toContain('the run was interrupted')
  expect(json('cut.json')).toMatchObject({ left: [], outcome: 'incomplete' })
  expect(asked.filter(({ method }) => method === 'DELETE').length).toBeGreaterThanOrEqual(2)
  const { keys } = (await uncheckedClientOf(mock).call('listKeys')).body
  expect(keys).toEqual([expect.objectContaining({ name: 'First key' })])
})
