/** `check --every-fault`: the matrix, what is wrong in it, and the command that repeats it. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plannedFaults } from '#client-tests/every-fault/plan.ts'
import { checkTestFolder, readTestFile, runCheckOn, writeTestClient } from '../testing/check.ts'

/** Creates a task, and creates it again when no answer comes. */
const repeating = writeTestClient(
  'repeating-creates',
  `const create = () => fetch(process.env.WORK_AGENT_BASE_URL + '/api/cli/tasks', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + process.env.WORK_AGENT_API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Say hello' }),
    signal: AbortSignal.timeout(10_000),
  })
  const answer = await create().catch(create)
  await answer.text()
  if (!answer.ok) process.exit(1)`,
)

test.concurrent('a matrix shows every fault at every request, and its cells repeat', async () => {
  const file = (name: string) => join(checkTestFolder, name)
  const reports = `json=${file('a.json')},html=${file('a.html')},md=${file('a.md')}`
  const flags = `--every-fault --jobs 4 --report ${reports} --traces ${file('faults')}`
  const { code, out, err } = await runCheckOn(flags, ...repeating)
  expect(err).toMatch(
    /^check: running the client without a fault\ncheck: 1 request without a fault; \d+ runs with faults, \d+ at a time\n$/,
  )
  expect(out).toMatch(/^ +empty lost reset .*\ncreateTask#1 +ok +w +ok .*\n\n/m)
  const columns = [...out.matchAll(/^ +(\S.*)\ncreateTask#1 /gm)].flatMap(([, ids = '']) => ids.split(' '))
  const possible = plannedFaults.filter(({ happensTo }) => happensTo('createTask'))
  expect(columns.filter(Boolean)).toEqual(possible.map(({ id }) => id))
  expect(err).toContain(`${possible.length} runs with faults`)
  const table = out.split('\n').filter((line) => /^( +empty|createTask#1 |ok: )/.test(line))
  expect(table.filter(({ length }) => length > 80)).toEqual([])
  const { matrix } = JSON.parse(readTestFile('a.json'))
  const lost = matrix.cells.find(({ id }: { id: string }) => id === 'createTask#1=lost')
  expect(lost).toMatchObject({
    outcome: 'warned',
    violations: [{ id: 'creates-once', what: 'created 2 tasks where 1 is wanted' }],
    requests: 2,
    repeat: expect.stringMatching(
      /^npx --no-install work-agent-contract check --fault 'createTask=lost;times=1' -- /,
    ),
  })
  const page = readTestFile('a.html')
  expect(page).toContain('<a href="#run-createTask%231%3Dlost"')
  expect(page).toContain('id="run-createTask#1=lost"')
  expect(readTestFile('a.md')).toContain('| createTask#1 | ok | w |')
  expect(readTestFile('faults/createTask-1-lost/1.sh')).toBe(`cd ${process.cwd()}\n${lost.repeat}\n`)
  expect(code).toBe(1)
})

test.concurrent('a rule without a fault is met by any request', async () => {
  const { out, code } = await runCheckOn('--fault createTask=ok', ...repeating)
  expect(out).toMatch(
    /^without a fault 1 request, exit 0; with faults 1 run, 0 failed, 0 warned, 0 not exercised$/m,
  )
  expect(code).toBe(0)
})

test.concurrent('the verdict says that a fault met no request', async () => {
  const { out, code } = await runCheckOn('--fault listDocuments=502 --quiet', ...repeating)
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^PASSED with 1 of 1 run with faults not exercised: \d+ passed, .*\n$/),
  ])
})

test.concurrent('--fault repeats one run, and judges its effects', async () => {
  const { code, out } = await runCheckOn('--fault createTask=lost;times=1 --strict', ...repeating)
  expect(out).toContain(
    'warned  createTask=lost;times=1 (2 requests, exit 0)\n  req_kbk8kkt0_1 POST /api/cli/tasks -> reset, after it took effect\n  req_kbk8kkt0_2 POST /api/cli/tasks -> 200\n  creates-once: created 2 tasks',
  )
  expect(code).toBe(1)
})

/** Generates a creative and ends without an error, whatever the answer is. */
const generating = writeTestClient(
  'generating',
  `if ((await ask('/whoami')) !== 200) await ask('/whoami')
  const answer = await fetch(process.env.WORK_AGENT_BASE_URL + '/api/cli/creative/generate', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + process.env.WORK_AGENT_API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'A cat' }),
  })
  await answer.text()`,
)

test.concurrent.each([
  ['whoami=503;times=1', 0, ''],
  ['generateCreative=quirks;times=1', 0, ''],
  ['generateCreative=invalid_request', 1, 'failed  MUST claims-done-work-only '],
])('under %s the work of a client that runs no tasks is what it generates', async (fault, code, found) => {
  const ended = await runCheckOn(`--fault ${fault}`, ...generating)
  expect([ended.code, /^failed .*?(?=\()/m.exec(ended.out)?.[0] ?? '']).toEqual([code, found])
})

test.concurrent('--pairs tries pairs of faults, the same ones for the same seed', async () => {
  const reading = writeTestClient(
    'reading',
    `for (const path of ['/whoami', '/tasks', '/whoami']) await ask(path).catch(() => 0)`,
  )
  const run = async (flags = '') => {
    const ended = await runCheckOn(
      `--pairs 2${flags} --report json=${join(checkTestFolder, 'pairs.json')}`,
      ...reading,
    )
    const { others } = JSON.parse(readTestFile('pairs.json')).matrix
    return { ...ended, ids: others.map(({ id }: { id: string }) => id) }
  }
  const { out, err, ids } = await run()
  expect(out).toMatch(/^without a fault 3 requests, exit 0; with faults 2 runs, /m)
  expect(err).toContain('2 runs with faults, 2 at a time')
  expect(ids).toHaveLength(2)
  expect(await run(' --quiet')).toMatchObject({ ids, err: '' })
})

test.concurrent('a client that fails without a fault is not compared with anything', async () => {
  const failing = writeTestClient(
    'failing',
    `await ask('/whoami'); console.log('key', process.env.WORK_AGENT_API_KEY); process.exit(4)`,
  )
  const { code, out, err } = await runCheckOn('--every-fault', ...failing)
  expect(err).toContain(
    'check: without a fault: exit 4, so there is nothing to compare with; it printed this:\nkey [redacted]\n',
  )
  expect(err).toContain('check: its requests and its whole output: --traces DIR keeps them\n')
  expect(out).toContain('The client ended with an error where nothing went wrong, so no fault was tried.')
  expect([code, out]).toEqual([1, expect.stringMatching(/^failed {2}MUST finishes-work /m)])
})
