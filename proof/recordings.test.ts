/**
 * Recordings of the mock, whole and cut at drawn places, in each scenario and with quirks: nothing of them is held
 * against the service, nor against the reference client; what a defect or a bad client does is.
 */
import { expect, test } from 'vitest'
import { Judgement, type Sides } from '#cli/judge/judgement.ts'
import { isBroken } from '#client-tests/client-report.ts'
import { judgeRecordedClients } from '#client-tests/recorded.ts'
import { settingsWith } from '#contract-tests/harness/terms.ts'
import { judgeHistory } from '#contract-tests/runner/history.ts'
import { exchangesOfRecording, historyOfRecording } from '#contract-tests/runner/recorded.ts'
import { createRandom } from '#mocks/core/random.ts'
import { type ScenarioId, scenarios } from '#mocks/scenarios/index.ts'
import { isWhole, sample } from '#mocks/testing/sample.ts'
import { readRecording } from '#traffic/recording.ts'
import { clientWith } from './bad-clients/bad-client.ts'
import { badClients } from './bad-clients/index.ts'
import { defects } from './defects/index.ts'
import { variations } from './legal-variations/index.ts'
import type { Mutation } from './mutations/mutation.ts'
import { type Har, recorded } from './recording.ts'

const settings = settingsWith({ apiKey: '' })

/** What the service broke in the entries from one number to another. */
function brokenIn({ log }: Har, from = 0, to = log.entries.length): string[] {
  const cut = { log: { ...log, entries: log.entries.slice(from, to) } }
  const entries = readRecording(JSON.stringify(cut))?.entries ?? []
  const exchanges = exchangesOfRecording(entries)
  const { results } = judgeHistory(historyOfRecording(entries), 'http://mock.test', settings, exchanges)
  return results.flatMap(({ outcome, requirement, actual }) =>
    outcome === 'failed' ? `${requirement.id}: ${actual}` : [],
  )
}

const brokenRules = (har: Har) =>
  judgeRecordedClients(readRecording(JSON.stringify(har))?.entries ?? [], false).rules.flatMap(
    ({ id, outcome }) => (outcome === 'failed' ? id : []),
  )

const seeds = Array.from({ length: isWhole ? 5 : 1 }, (_, i) => `quirks-${i}`)
const cuts = isWhole ? 20 : 3

test.each(scenarios)('in $id nothing is held against the mock or the reference client', async ({ id }) => {
  const random = createRandom('cuts', id)
  // Its fault refuses what is valid.
  const held = id === 'rejected-task' ? [expect.stringMatching(/^ACCEPTS-createTask: 4/)] : []
  // Quirks change nothing in how many tasks there are.
  const many = id === 'five-thousand-tasks'
  for (const strictClient of [undefined, ...(many && !isWhole ? [] : seeds)]) {
    const har = await recorded({ scenario: id, ...(strictClient !== undefined && { strictClient }) })
    expect(brokenRules(har)).toEqual([])
    for (let i = 0; i < (many ? 1 : cuts); i++) {
      const places = [random.fraction(), random.fraction()].map((one) =>
        Math.floor(one * har.log.entries.length),
      )
      const broken = brokenIn(har, Math.min(...places), Math.max(...places))
      expect(broken).toEqual(broken.length > 0 ? held : [])
    }
    expect(brokenIn(har)).toEqual(held)
  }
})

/** Rules about how a client ended, which a recording does not tell. */
const untold = new Set(['finishes-work', 'ends-in-time', 'keeps-key-secret'])

const inProcess = variations.filter(({ wire }) => !wire)

test.each(sample(inProcess, 8))('the variation $id is not held against the service', async ({
  mutate,
  variant,
}) => {
  const har = await recorded({ variant: variant ?? 'first', fault: 'runTask=ok,fail' }, clientWith(), [
    mutate(),
  ])
  expect(brokenIn(har)).toEqual([])
})

test('most bad clients are named by their recordings alone', async () => {
  const told = sample(badClients, 3).filter(({ breaks }) => !untold.has(breaks))
  let found = 0
  for (const { flaw, hidesErrors, scenario, breaks } of told) {
    const har = await recorded({ scenario }, clientWith(flaw, hidesErrors))
    const { rules } = judgeRecordedClients(readRecording(JSON.stringify(har))?.entries ?? [], false)
    if (rules.some((one) => one.id === breaks && isBroken(one))) found++
  }
  expect(found / told.length).toBeGreaterThan(0.4)
})

const shapes = defects.filter(({ breaks }) =>
  breaks.some((id) => /^SHAPE-(createTask|runTask|getTask)$/.test(id)),
)

test.each(sample(shapes, 4))('the service with $id is named by the recording of a client', async (defect) => {
  const { variant = 'first', mutate, breaks } = defect
  const broken = brokenIn(await recorded({ variant }, clientWith(), [mutate()]))
  expect(broken.map((text) => text.split(':')[0])).toEqual(expect.arrayContaining(breaks.slice(0, 1)))
})

const outcomesOf = ({ service, client, broken }: Sides) => ({
  requirements: service?.requirements.map(({ id, outcome }) => `${id} ${outcome}`),
  broken: broken?.map(({ requirement, evidence }) => [requirement.id, evidence.at(-1)?.number]),
  rules: client?.rules.map(({ id, outcome }) => `${id} ${outcome}`),
  counts: [service?.requests, service?.answers, service?.disturbances.dropped, client?.parts],
})

test.each<[string, readonly Mutation[], ScenarioId]>([
  ['a healthy service and a patient client', [], 'rate-limited-burst'],
  ['a wrong service', sample(shapes, 1).map(({ mutate }) => mutate()), 'run-fails-and-refunds'],
])('%s: request by request the judgement is that of the whole', async (_, mutations, scenario) => {
  const har = await recorded({ scenario }, clientWith(), mutations)
  const entries = readRecording(JSON.stringify(har))?.entries ?? []
  const terms = { source: 'http://mock.test', settings, strict: false, side: 'both' } as const
  const [whole, parts] = [new Judgement(terms), new Judgement(terms)]
  whole.add(entries)
  for (const [i, entry] of entries.entries()) parts.add([entry], entries[i + 1]?.at)
  expect(outcomesOf(parts.sides())).toEqual(outcomesOf(whole.sides()))
})
