/** The judge gives each requirement one verdict, whatever happens on the way. */
import { expect, test } from 'vitest'
import { totalsOf } from '#reporting/outcome.ts'
import { catalogue } from '../catalogue/index.ts'
import { NotApplicable, NotExercised, Violation } from '../client/finding.ts'
import { observation, type Probe, probe } from '../harness/requirement.ts'
import { settingsWith } from '../harness/settings.ts'
import { embeddedMock } from '../targets/in-process.ts'
import { fakeTarget, json, lost } from '../testing/fake-target.ts'
import { middleware } from '../testing/middleware.ts'
import { judge } from './run.ts'

const settings = settingsWith({ apiKey: 'key' })
const ids = catalogue.map(({ id }) => id)

/** What comes of one check. */
async function verdictOf(
  check: Probe['check'],
  traits: Partial<Probe> = {},
  level: 'MUST' | 'SHOULD' = 'MUST',
) {
  const requirement = probe('ONE', level, '§1', null, 'It is so.', check, traits)
  const run = await judge({ target: fakeTarget(() => json(200)), settings, requirements: [requirement] })
  return run.verdicts[0]
}

test('every id of the catalogue has one verdict, in its order, also where all but one is left out', async () => {
  const { target, access } = embeddedMock()
  const run = await judge({ target, settings: settingsWith({ ...access, only: ['AUTH-MISSING-whoami'] }) })
  expect(run.verdicts.map(({ requirement }) => requirement.id)).toEqual(ids)
  expect(totalsOf(run.verdicts)).toMatchObject({ passed: 1, not_exercised: ids.length - 1 })
})

test('what a check throws decides: a violation, a gap, an absence, or a fault of the suite', async () => {
  const violation = () => Promise.reject(new Violation('a', 'b'))
  expect(await verdictOf(async () => undefined)).toMatchObject({ outcome: 'passed' })
  expect(await verdictOf(async () => 'as seen')).toMatchObject({ outcome: 'passed', reason: 'as seen' })
  expect(await verdictOf(violation)).toMatchObject({ outcome: 'failed', expected: 'a', actual: 'b' })
  expect(await verdictOf(violation, {}, 'SHOULD')).toMatchObject({ outcome: 'warned' })
  expect(await verdictOf(() => Promise.reject(new NotExercised('why', '--flag')))).toMatchObject({
    outcome: 'not_exercised',
    reason: 'why',
    supply: '--flag',
  })
  expect(await verdictOf(() => Promise.reject(new NotApplicable('none')))).toMatchObject({
    outcome: 'not_applicable',
  })
  expect(await verdictOf(() => Promise.reject(new TypeError('oops')))).toMatchObject({
    outcome: 'harness_error',
    reason: 'fault of the suite: oops',
  })
})

test('where others may interfere, a violation counts when it is seen twice', async () => {
  let times = 0
  const once = async () => {
    if (times++ === 0) throw new Violation('a', 'b')
  }
  expect(await verdictOf(once, { quiet: true })).toMatchObject({
    outcome: 'passed',
    reason: expect.stringContaining('not quiet'),
  })
  const always = () => Promise.reject(new Violation('a', 'b'))
  expect(await verdictOf(always, { quiet: true })).toMatchObject({ outcome: 'failed' })
})

test('a service that dies leaves the rest not exercised, and is not asked on', async () => {
  const { target, access } = embeddedMock()
  let answered = 0
  let asked = 0
  const dying = middleware(target, async (_, next) => {
    asked++
    if (answered >= 100) throw lost()
    answered++
    return next()
  })
  const run = await judge({ target: dying, settings: settingsWith({ ...access, maxCredits: 20 }) })
  const totals = totalsOf(run.verdicts)
  expect(run.unreachable).toBe('http://embedded-mock.invalid does not answer: ECONNRESET')
  expect(run.verdicts).toHaveLength(ids.length)
  expect(totals).toMatchObject({ failed: 0, warned: 0, harness_error: 0 })
  expect(totals.passed).toBeGreaterThan(0)
  const before = asked
  await new Promise((resolve) => setImmediate(resolve))
  expect(asked).toBe(before)
})

test('an interrupted run asks nothing more and says so', async () => {
  const { target, access } = embeddedMock()
  const controller = new AbortController()
  const paths: string[] = []
  const counting = middleware(target, (request, next) => {
    paths.push(`${request.method} ${request.path}`)
    if (paths.length === 50) controller.abort()
    return next()
  })
  const run = await judge({
    target: counting,
    settings: settingsWith({ ...access, maxCredits: 20, concurrency: 1 }),
    signal: controller.signal,
  })
  expect(run.verdicts).toHaveLength(ids.length)
  expect(run.verdicts.filter(({ reason }) => reason === 'the run was interrupted').length).toBeGreaterThan(
    100,
  )
  expect(paths.slice(50).filter((path) => !path.includes('/api/cli/keys'))).toEqual([])
})

test('progress is told of each verdict once, and of waits that the service asks for', async () => {
  const { target, access } = embeddedMock({ rateLimit: '5/10s' })
  const told: string[] = []
  const waits: number[] = []
  await judge({
    target,
    settings: settingsWith({ ...access, only: ['AUTH-*'] }),
    progress: ({ requirement }, done, of) => {
      told.push(requirement.id)
      expect([done, of]).toEqual([told.length, ids.length])
    },
    onWait: (ms) => waits.push(ms),
  })
  expect(told.toSorted()).toEqual(ids.toSorted())
  expect(Math.max(...waits)).toBeGreaterThan(1_000)
})

test('observations see the traffic of the whole run', async () => {
  const seen: number[] = []
  const requirements = [
    observation('SEEN', 'MUST', '§1', null, 'It was seen.', ({ exchanges }) => {
      seen.push(exchanges.length)
    }),
    probe('ASK', 'MUST', '§1', 'whoami', 'It answers.', async (t) => void (await t.call('whoami'))),
  ]
  await judge({ target: fakeTarget(() => json(200)), settings, requirements })
  expect(seen).toEqual([1])
})
