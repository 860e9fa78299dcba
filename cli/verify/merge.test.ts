/** Shards on several machines give the verdict of one run. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import type { ConformanceReport } from '#contract-tests/report/report.ts'
import { isWhole } from '#mocks/testing/sample.ts'
import { startService, verify } from './testing/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'merge-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string) => join(folder, name)
const read = (name: string) => JSON.parse(readFileSync(file(name), 'utf8')) as ConformanceReport

/** What the shards try: in the gate, one requirement of each operation, and those on the credits of a run. */
const selection = (id: string) => isWhole || /^(?:ACCEPTS|RUN)-/.test(id)

test('two shards, merged, exercise every requirement that is selected and pass', async () => {
  // Runs that a busy machine cannot outpace: CREDITS-RESERVED looks at one under way.
  const { mock, url, env: given } = await startService({ runDuration: '600ms' })
  const env = { ...given, WORK_AGENT_OTHER_SESSION_COOKIE: mock.credentials().otherSessionCookie }
  const only = isWhole ? [] : ['--only', 'ACCEPTS-*,RUN-*']
  const argv = [url, '--max-credits', '20', '--extended', 'on', '--quiet', ...only]
  for (const part of ['1', '2'])
    expect(
      (await verify([...argv, '--shard', `${part}/2`, '--report', `json=${file(`${part}.json`)}`], env)).code,
    ).toBe(0)
  const merging = ['--merge', file('1.json'), file('2.json'), '--require-complete']
  const { code, out } = await verify([...merging, '--report', `json=${file('all.json')}`])
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
  writeFileSync(file('red.json'), JSON.stringify({ ...first, requirements: failed, outcome: 'failed' }))
  expect((await verify(['--merge', `${file('red.json')},${file('2.json')}`])).code).toBe(1)
  const incomplete = await verify(['--merge', file('1.json'), '--require-complete'])
  expect(incomplete).toMatchObject({ code: 2, err: expect.stringContaining('the shard 2/2 is missing') })
  const again = { ...first, run_id: 'another' }
  writeFileSync(file('again.json'), JSON.stringify(again))
  const doubled = await verify(['--merge', file('1.json'), file('again.json'), file('2.json')])
  expect(doubled).toMatchObject({ code: 2, err: expect.stringContaining('the shard 1/2 is given twice') })
  const twice = await verify(['--merge', file('1.json'), file('1.json')])
  expect(twice).toMatchObject({
    code: 2,
    err: expect.stringContaining(`the report of the run ${first.run_id} is given twice`),
  })
})

test('a shard can be complete, and what is known not to be exercised stays known when shards are joined', async () => {
  const { url, env } = await startService()
  const unexercised = [{ id: 'ISOLATION-LIST-TASKS', reason: 'One organization only.' }]
  writeFileSync(file('known.json'), JSON.stringify({ unexercised }))
  const only = [
    '--only',
    'ISOLATION-LIST-TASKS,AUTH-MISSING-whoami,ACCEPTS-whoami',
    '--require-complete',
    '--quiet',
  ]
  const known = ['--expected-failures', file('known.json')]
  const alone = { ...env, WORK_AGENT_OTHER_API_KEY: '' }
  const run = async (part: number, more: readonly string[]) => {
    const report = ['--report', `json=${file(`known-${part}.json`)}`]
    return (await verify([url, ...only, '--shard', `${part}/2`, ...report, ...more], alone)).code
  }
  expect([await run(1, []), await run(2, [])].sort()).toEqual([0, 3])
  const files = ['--merge', file('known-1.json'), file('known-2.json'), '--require-complete']
  expect((await verify(files)).code).toBe(3)
  expect((await verify([...files, ...known])).code).toBe(0)
  expect([await run(1, known), await run(2, known)]).toEqual([0, 0])
  expect((await verify(files)).code).toBe(0)
})

test('reports of different --only are joined in the order of the catalogue', async () => {
  const { url, env } = await startService()
  for (const only of ['ACCEPTS-whoami', 'AUTH-MISSING-whoami']) {
    const report = `json=${file(`${only}.json`)}`
    const { code } = await verify(
      [url, '--only', only, '--require-complete', '--quiet', '--report', report],
      env,
    )
    expect(code).toBe(0)
  }
  const files = [file('ACCEPTS-whoami.json'), file('AUTH-MISSING-whoami.json')]
  const { code } = await verify([
    '--merge',
    ...files,
    '--require-complete',
    '--report',
    `json=${file('joined.json')}`,
  ])
  const joined = read('joined.json')
  const wanted = ['ACCEPTS-whoami', 'AUTH-MISSING-whoami']
  expect(joined.requirements.map(({ id }) => id)).toEqual(
    catalogue.flatMap(({ id }) => (wanted.includes(id) ? [id] : [])),
  )
  expect(joined.not_selected).toEqual([{ flag: '--only', count: catalogue.length - 2 }])
  expect(code).toBe(0)

  const searched = { ...joined, not_selected: [{ flag: '--explore-only', count: 5 }] }
  writeFileSync(file('searched.json'), JSON.stringify(searched))
  expect((await verify(['--merge', file('searched.json'), '--require-complete'])).code).toBe(3)
})

test.each(['0/2', '3/2', '1', 'a/b'])('--shard %s is a usage error', async (shard) => {
  const { code, err } = await verify(['--shard', shard])
  expect([code, err]).toEqual([2, expect.stringContaining(`--shard takes i/n, such as 1/3; not "${shard}"`)])
})

test('a file that is no report is a usage error', async () => {
  writeFileSync(file('other.json'), '{}')
  const { code, err } = await verify(['--merge', file('other.json')])
  expect([code, err]).toEqual([2, expect.stringContaining('is no JSON report of verify')])
  writeFileSync(file('deep.json'), '['.repeat(100_000))
  const deep = await verify(['--merge', file('deep.json')])
  expect([deep.code, deep.err]).toEqual([
    2,
    expect.stringMatching(/^[^\n]+it is nested deeper than 500 levels\n$/),
  ])
})

test('a report of an older version, without what was not selected, is joined too', async () => {
  for (const part of ['1', '2']) {
    const { not_selected, took_along, known_gaps, answers, shard, ...older } = read(`${part}.json`)
    writeFileSync(file(`older-${part}.json`), JSON.stringify(older))
  }
  const older = [file('older-1.json'), file('older-2.json')]
  const argv = ['--merge', ...older, '--report', `json=${file('joined.json')}`]
  expect((await verify(argv)).code).toBe(0)
  expect(read('joined.json')).toMatchObject({ not_selected: [], took_along: [] })
})
