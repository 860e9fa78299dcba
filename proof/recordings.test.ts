/**
 * Recordings of the mock, whole and cut at drawn places, in each scenario and with quirks: nothing of them is held
 * against the service, nor against the reference client; what a defect or a bad client does is.
 */
import { expect, test } from 'vitest'
import { judgementOf, type Sides } from '#cli/judge/judgement.ts'
import { isBroken } from '#client-tests/client-report.ts'
import { journaling, judgeClients } from '#client-tests/recorded.ts'
import type { RequirementResult } from '#contract-tests/harness/outcome.ts'
import { settingsWith } from '#contract-tests/harness/terms.ts'
import { judgeHistory } from '#contract-tests/runner/history.ts'
import { RecordedHistory } from '#contract-tests/runner/recorded.ts'
import { createRandom } from '#mocks/core/random.ts'
import type { ScenarioId } from '#mocks/scenarios/index.ts'
import { isWhole, sample } from '#mocks/testing/sample.ts'
import { isInconclusive } from '#reporting/report.ts'
import { entriesOf } from '#traffic/recording.ts'
import { clientWith } from './bad-clients/bad-client.ts'
import { badClients } from './bad-clients/index.ts'
import type { Defect } from './defects/defect.ts'
import { defects, mutationsOf } from './defects/index.ts'
import { variations } from './legal-variations/index.ts'
import type { Mutation } from './mutations/mutation.ts'
import { differences, everything, type Har, quickScenarios, recorded } from './recording.ts'

const settings = settingsWith({ apiKey: '' })

/** What the entries from one number to another say of each requirement. */
function resultsIn({ log }: Har, from = 0, to = log.entries.length): readonly RequirementResult[] {
  const entries = entriesOf({ log: { ...log, entries: log.entries.slice(from, to) } })
  const seen = new RecordedHistory().read(entries)
  const exchanges = seen.flatMap(({ exchange }) => exchange ?? [])
  const history = seen.map(({ event }) => event)
  return judgeHistory(history, 'http://mock.test', settings, exchanges).results
}

/** What the service broke in them. */
function brokenIn(...part: Parameters<typeof resultsIn>): string[] {
  return resultsIn(...part).flatMap(({ outcome, requirement, actual }) =>
    outcome === 'failed' ? `${requirement.id}: ${actual}` : [],
  )
}

const rulesIn = (har: Har) => judgeClients(entriesOf(har).map(journaling()), false).rules

const brokenRules = (har: Har) => rulesIn(har).flatMap(({ id, outcome }) => (outcome === 'failed' ? id : []))

const seeds = Array.from({ length: isWhole ? 5 : 1 }, (_, i) => `quirks-${i}`)
const cuts = isWhole ? 20 : 3

test.each(quickScenarios)('in $id nothing is held against the mock or the reference client', async ({
  id,
}) => {
  const random = createRandom('cuts', id)
  // Its fault refuses what is valid.
  const held = id === 'rejected-task' ? [expect.stringMatching(/^ACCEPTS-createTask: 4/)] : []
  for (const strictClient of [undefined, ...seeds]) {
    const har = await recorded({ scenario: id, ...(strictClient !== undefined && { strictClient }) })
    expect(brokenRules(har)).toEqual([])
    for (let i = 0; i < cuts; i++) {
      const places = [random.fraction(), random.fraction()].map((one) =>
        Math.floor(one * har.log.entries.length),
      )
      const broken = brokenIn(har, Math.min(...places), Math.max(...places))
      expect(broken).toEqual(broken.length > 0 ? held : [])
    }
    expect(brokenIn(har)).toEqual(held)
  }
  // The longest has tens of thousands of requests.
}, 300_000)

/** Rules about how a client ended, which a recording does not tell. */
const untold = new Set(['finishes-work', 'ends-in-time', 'keeps-key-secret'])

const inProcess = variations.filter(({ wire }) => !wire)

test.each(sample(inProcess, 24))('the variation $id is not held against the service', async ({
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
    if (rulesIn(har).some((one) => one.id === breaks && isBroken(one))) found++
  }
  expect(found / told.length).toBeGreaterThan(0.4)
})

/** Why a recording does not tell some defects, although it differs. */
const untellable = [
  // A session names no organization, a recorder may replace every key by the same text, and others may delete keys.
  /^(accepts-(createKey|deleteKey|listKeys)|key-|auth-unstable-organization)/,
  // Lists and balances may show a change late.
  /^(late-|cache-balance|credits-(stale-in|of-last)-list|doc-folder-empty|doc-all-without-unfiled)/,
  // Nothing says which runs failed, so that each credit may be given back.
  /^(credits-(no-refund|refund-|run-free)|busy-(free|end-restores))/,
  // Nothing says how long a run takes, or whether `ok` is how it ended; others may run a task, too.
  /(never-finished|^run-fourth-never-ends|^run-twice-free|^cache-finished|^cache-getTask|^run-not-ok|^busy-dropped)$/,
  // The folder of a document may have to exist, one that was there before may have any summary, and others may give the same title.
  /^doc-(title-taken|summary-overwritten|created-twice)$/,
  // Two organizations may have the same ids, an id may be of something unseen, and any service may be down.
  /^(isolation-|doc-unknown-empty|run-unknown-invalid|busy-bad|doc-id-wraps|task-id-wraps|unavailable-for-no-reason)/,
  // Extended routes may be absent; others may read notifications.
  /^(extended-missing-|leftover-createTask|notification-(born-read|read-uncounted|page-counted|id-repeated))/,
]

/** Clients that do all kinds of work, and the mocks that they meet. */
const work = [
  [clientWith(), { fault: 'runTask=ok,fail' }],
  [clientWith(), {}],
  [everything, { credits: 3 }],
] as const

/** The recordings of a mock without a defect, by variant and work. */
const usuals = new Map<string, Har>()

/** What the recordings of clients come to: how they differ from those of a mock without a defect, and what is told. */
async function told({ variant = 'first', mutate }: Pick<Defect, 'variant' | 'mutate'>) {
  const [differs, broken]: [string[], string[]] = [[], []]
  for (const [i, [client, options]] of work.entries()) {
    const usual = usuals.get(`${variant} ${i}`) ?? (await recorded({ variant, ...options }, client))
    usuals.set(`${variant} ${i}`, usual)
    const har = await recorded({ variant, ...options }, client, [mutate()])
    differs.push(...differences(entriesOf(usual), entriesOf(har)))
    broken.push(...resultsIn(har).flatMap((one) => (isTold(one) ? one.requirement.id : [])))
  }
  return { isShown: differs.length > 0, broken }
}

const isTold = (result: RequirementResult) =>
  result.outcome === 'failed' || result.outcome === 'warned' || isInconclusive(result)

test('nothing is held against a mock without a defect, not even if nobody else uses it', async () => {
  expect(await told({ mutate: () => ({}) })).toEqual({ isShown: false, broken: [] })
})

test.each(
  sample(defects, 66),
)('the service with $id is named by the recordings of clients, if they can tell', async (defect) => {
  const { isShown, broken } = await told(defect)
  if (isShown && !untellable.some((one) => one.test(defect.id))) expect(broken).not.toEqual([])
})

const outcomesOf = ({ service, client, broken }: Sides) => ({
  requirements: service?.requirements.map(({ id, outcome }) => `${id} ${outcome}`),
  broken: broken?.map(({ requirement, evidence }) => [requirement.id, evidence.at(-1)?.number]),
  rules: client?.rules.map(({ id, outcome }) => `${id} ${outcome}`),
  counts: [service?.requests, service?.answers, service?.disturbances.dropped, client?.parts],
})

test.each<[string, readonly Mutation[], ScenarioId]>([
  ['a healthy service and a patient client', [], 'rate-limited-burst'],
  ['a wrong service', mutationsOf('shape-createTask-task-status-number'), 'run-fails-and-refunds'],
])('%s: request by request the judgement is that of the whole', async (_, mutations, scenario) => {
  const har = await recorded({ scenario }, clientWith(), mutations)
  const entries = entriesOf(har)
  const terms = { source: 'http://mock.test', settings, strict: false, side: 'both' } as const
  const [whole, parts] = [judgementOf(terms), judgementOf(terms)]
  whole.take(entries)
  whole.judge()
  for (const [i, entry] of entries.entries()) {
    parts.take([entry])
    parts.judge(entries[i + 1]?.at)
  }
  expect(outcomesOf(parts.sides())).toEqual(outcomesOf(whole.sides()))
})
