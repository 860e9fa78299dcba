/** Shards on several machines give the verdict of one run; and a history that of the run that wrote it. */
import { expect, test } from 'vitest'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import type { ConformanceReport } from '#contract-tests/report/report.ts'
import { isWhole } from '#mocks/testing/sample.ts'
import { sharedFolder } from '../testing/folder.ts'
import { startService, verify } from './testing/service.ts'

const { file, write, ...shared } = sharedFolder()
const read = (name: string): ConformanceReport => shared.json(name)
const reportTo = (name: string) => `--report json=${file(name)}`
const merge = (flags: string) => verify(`--merge ${flags}`)

/** What the shards try: in the gate one requirement of each operation in either, since groups are not divided. */
const selection = (id: string) => isWhole || /^(?:FREE|AUTH-MISSING)-/.test(id)

test('two shards, merged, exercise every requirement that is selected and pass', async () => {
  // Runs that a busy machine cannot outpace: CREDITS-RESERVED looks at one under way.
  const { mock, url, env: given } = await startService({ runDuration: isWhole ? '600ms' : '20ms' })
  const env = { ...given, WORK_AGENT_OTHER_SESSION_COOKIE: mock.credentials().otherSessionCookie }
  const only = isWhole ? '' : '--only FREE-*,AUTH-MISSING-*'
  const flags = `${url} --max-credits 20 --extended on --quiet ${only}`
  for (const part of [1, 2])
    expect((await verify(`${flags} --shard ${part}/2 ${reportTo(`${part}.json`)}`, env)).code).toBe(0)
  const [one, two] = [file('1.json'), file('2.json')]
  const { code, out } = await merge(`${one} ${two} --require-complete ${reportTo('all.json')}`)
  expect(out).toContain('PASSED')
  expect(code).toBe(0)
  const [first, second, all] = [read('1.json'), read('2.json'), read('all.json')]
  expect(all.totals).toMatchObject({ failed: 0, not_exercised: 0 })
  expect(all.requirements.map(({ id }) => id)).toEqual(catalogue.map(({ id }) => id).filter(selection))
  expect(first.totals.passed).toBeLessThan(all.totals.passed)
  expect(all.requests).toBe(first.requests + second.requests)

  const failed = first.requirements.map((one, i) =>
    i === 0 ? { ...one, outcome: 'failed', expected: 'a', actual: 'b' } : one,
  )
  const red = write('red.json', { ...first, requirements: failed, outcome: 'failed' })
  expect((await merge(`${red},${two}`)).code).toBe(1)
  const again = write('again.json', { ...first, run_id: 'another' })
  for (const [files, problem] of [
    [`${one} --require-complete`, 'the shard 2/2 is missing'],
    [`${one} ${again} ${two}`, 'the shard 1/2 is given twice'],
    [`${one} ${one}`, `the report of the run ${first.run_id} is given twice`],
  ] as const)
    expect(await merge(files)).toMatchObject({ code: 2, err: expect.stringContaining(problem) })
})

test('a shard can be complete, and what is known not to be exercised stays known when shards are joined', async () => {
  const { url, env } = await startService()
  const unexercised = [{ id: 'ISOLATION-LIST-TASKS', reason: 'One organization only.' }]
  const known = `--expected-failures ${write('known.json', { unexercised })}`
  const only = '--only ISOLATION-LIST-TASKS,AUTH-MISSING-whoami,FREE-whoami --require-complete --quiet'
  const alone = { ...env, WORK_AGENT_OTHER_API_KEY: '' }
  const run = async (part: number, more = '') =>
    (await verify(`${url} ${only} --shard ${part}/2 ${reportTo(`known-${part}.json`)} ${more}`, alone)).code
  expect([await run(1), await run(2)].sort()).toEqual([0, 3])
  const files = `${file('known-1.json')} ${file('known-2.json')} --require-complete`
  expect((await merge(files)).code).toBe(3)
  expect((await merge(`${files} ${known}`)).code).toBe(0)
  expect([await run(1, known), await run(2, known)]).toEqual([0, 0])
  expect((await merge(files)).code).toBe(0)
})

test('reports of different --only are joined in the order of the catalogue', async () => {
  const { url, env } = await startService()
  const wanted = ['ACCEPTS-whoami', 'AUTH-MISSING-whoami']
  for (const only of wanted) {
    const flags = `--only ${only} --require-complete --quiet ${reportTo(`${only}.json`)}`
    expect((await verify(`${url} ${flags}`, env)).code).toBe(0)
  }
  const files = wanted.map((only) => file(`${only}.json`)).join(' ')
  const { code } = await merge(`${files} --require-complete ${reportTo('joined.json')}`)
  const joined = read('joined.json')
  expect(joined.requirements.map(({ id }) => id)).toEqual(
    catalogue.flatMap(({ id }) => (wanted.includes(id) ? [id] : [])),
  )
  expect(joined.not_selected).toEqual([{ flag: '--only', count: catalogue.length - 2 }])
  expect(code).toBe(0)

  const searched = { ...joined, not_selected: [{ flag: '--explore-only', count: 5 }] }
  expect((await merge(`${write('searched.json', searched)} --require-complete`)).code).toBe(3)
})

test('a report of an older version, without what was not selected, is joined too', async () => {
  const older = [1, 2].map((part) => {
    const { not_selected, took_along, known_gaps, answers, shard, ...older } = read(`${part}.json`)
    return write(`older-${part}.json`, older)
  })
  expect((await merge(`${older.join(' ')} ${reportTo('joined.json')}`)).code).toBe(0)
  expect(read('joined.json')).toMatchObject({ not_selected: [], took_along: [] })
})

const history = file('history.ndjson')

test('a history is judged again without traffic: it passes what passed, and shows no secret', async () => {
  expect((await verify(`--only TASK-*,KEY-* --history ${history} --quiet`)).code).toBe(0)
  const { code, out } = await verify(`--judge ${history} --verbose`)
  expect(out).toContain('PASSED')
  expect(out).toContain('TASK-ANSWER-TEXT')
  expect(code).toBe(0)
  expect(shared.read('history.ndjson')).not.toMatch(/wak_(?:live|test)_|work_agent_session/)
})

test('a history fails for what contradicts itself, with the events that show it', async () => {
  const [line = ''] = shared
    .read('history.ndjson')
    .split('\n')
    .filter((one) => one.includes('"createTask"') && one.includes('"status":200'))
  const text: string = JSON.parse(line).body.text
  const damaged = line.replace(JSON.stringify({ text }), JSON.stringify({ text: `${text}!` }))
  const { code, out } = await verify(`--judge ${write('damaged.ndjson', `${damaged}\n`)}`)
  expect(out).toContain('TASK-ANSWER-TEXT')
  expect(out).toContain('createTask')
  expect(code).toBe(1)
})
