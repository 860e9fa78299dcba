/**
 * Recordings of the mock, whole and cut at drawn places, in each scenario and with quirks: nothing of them is held
 * against the service, nor against the reference client; what a defect or a bad client does is.
 */
import { expect, test } from 'vitest'
import { isViolated } from '#client-tests/client-report.ts'
import { createJournalEntryConverter, judgeRecordedClients } from '#client-tests/recorded.ts'
import type { RequirementResult } from '#contract-tests/harness/outcome.ts'
import { settingsWithDefaults } from '#contract-tests/harness/terms.ts'
import { judgeRecordedHistory } from '#contract-tests/runner/history.ts'
import { RecordingInterpreter } from '#contract-tests/runner/recorded.ts'
import { createRandom } from '#mocks/core/random.ts'
import { decompress } from '#mocks/edges/recording/decompress.ts'
import { createRecordingJudge, type RecordingJudgement } from '#mocks/edges/recording/judgement.ts'
import type { ScenarioId } from '#mocks/scenarios/index.ts'
import { isExhaustiveTestRun, sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import { readHarExchanges } from '#traffic/recording.ts'
import { referenceClientWithFlaw } from './bad-clients/bad-client.ts'
import { badClients } from './bad-clients/index.ts'
import type { Defect } from './defects/defect.ts'
import { defects, mutationsOfDefects } from './defects/index.ts'
import { harDialects, rewriteHarInDialect } from './dialects.ts'
import { legalVariations } from './legal-variations/index.ts'
import type { Mutation } from './mutations/mutation.ts'
import {
  clientWithoutRunRequests,
  type HarRecording,
  quickScenarios,
  recordClientOnNewMock,
  recordingDifferences,
} from './recording.ts'

const settings = settingsWithDefaults({ apiKey: '' })

/** Outcome of each requirement by the entries from one number to another. */
function resultsIn({ log }: HarRecording, from = 0, to = log.entries.length): readonly RequirementResult[] {
  const entries = readHarExchanges({ log: { ...log, entries: log.entries.slice(from, to) } }, { decompress })
  const seen = new RecordingInterpreter().read(entries)
  const exchanges = seen.flatMap(({ exchange }) => exchange ?? [])
  const history = seen.map(({ event }) => event)
  return judgeRecordedHistory(history, 'http://mock.test', settings, exchanges).results
}

/** Requirements that the service broke in them. */
function brokenIn(...part: Parameters<typeof resultsIn>): string[] {
  return resultsIn(...part).flatMap(({ outcome, requirement, actual }) =>
    outcome === 'failed' ? `${requirement.id}: ${actual}` : [],
  )
}

const rulesIn = (har: HarRecording) =>
  judgeRecordedClients(readHarExchanges(har, { decompress }).map(createJournalEntryConverter()), false).rules

const brokenRules = (har: HarRecording) =>
  rulesIn(har).flatMap(({ id, outcome }) => (outcome === 'failed' ? id : []))

const seeds = Array.from({ length: isExhaustiveTestRun ? 5 : 1 }, (_, i) => `quirks-${i}`)
const cuts = isExhaustiveTestRun ? 20 : 3

/**
 * The violations that a scenario's fault shows whoever meets it: it refuses a valid request, or answers with a page and
 * 500.
 */
const heldOf: Readonly<Record<string, RegExp>> = {
  'rejected-task': /^ACCEPTS-createTask: 4/,
  'gateway-500': /^(?:ANSWER-NO-500: |ANSWER-JSON: 500|RUN-ACCEPTED: 500)/,
}

/** Requires that nothing is broken but what the fault of a scenario breaks. */
const expectHeld = (id: string, broken: readonly string[]) =>
  expect(broken.filter((one) => !heldOf[id]?.test(one))).toEqual([])

test.each(quickScenarios)('in $id nothing is held against the mock or the reference client', async ({
  id,
}) => {
  const random = createRandom('cuts', id)
  for (const strictClient of [undefined, ...seeds]) {
    const har = await recordClientOnNewMock({
      scenario: id,
      ...(strictClient !== undefined && { strictClient }),
    })
    expect(brokenRules(har)).toEqual([])
    for (let i = 0; i < cuts; i++) {
      const places = [random.fraction(), random.fraction()].map((one) =>
        Math.floor(one * har.log.entries.length),
      )
      const broken = brokenIn(har, Math.min(...places), Math.max(...places))
      expectHeld(id, broken)
    }
    const broken = brokenIn(har)
    expectHeld(id, broken)
    expect(broken.length > 0).toBe(id in heldOf)
  }
  // The longest has tens of thousands of requests.
}, 300_000)

const short = quickScenarios.filter(({ id }) => id !== 'five-thousand-tasks')

test.each(sampleUnlessExhaustive(short, 3))('in $id nothing is held against them in any dialect', async ({
  id,
}) => {
  for (const strictClient of [undefined, ...seeds]) {
    const har = await recordClientOnNewMock({
      scenario: id,
      ...(strictClient !== undefined && { strictClient }),
    })
    for (const [name, dialect] of Object.entries(harDialects)) {
      const given = rewriteHarInDialect(har, dialect)
      expect([name, brokenRules(given)]).toEqual([name, []])
      expectHeld(id, brokenIn(given))
    }
  }
}, 300_000)

test('what a service breaks is named in every dialect', async () => {
  const defect = mutationsOfDefects('shape-createTask-task-status-number')
  const har = await recordClientOnNewMock(
    { scenario: 'run-fails-and-refunds' },
    referenceClientWithFlaw(),
    defect,
  )
  const plain = brokenIn(har)
  expect(plain).not.toEqual([])
  for (const [name, dialect] of Object.entries(harDialects))
    expect([name, brokenIn(rewriteHarInDialect(har, dialect))]).toEqual([name, plain])
})

/** Rules about how a client ended, which a recording does not tell. */
const untold = new Set(['finishes-work', 'ends-in-time', 'keeps-key-secret'])

const inProcess = legalVariations.filter(({ wire }) => !wire)

test.each(sampleUnlessExhaustive(inProcess, 24))('the variation $id is not held against the service', async ({
  mutate,
  variant,
}) => {
  const har = await recordClientOnNewMock(
    { variant: variant ?? 'first', fault: 'runTask=ok,fail' },
    referenceClientWithFlaw(),
    [mutate()],
  )
  expect(brokenIn(har)).toEqual([])
})

test('a third of the bad clients and more are named by their recordings alone', async () => {
  const told = sampleUnlessExhaustive(badClients, 3).filter(({ breaks }) => !untold.has(breaks))
  let found = 0
  for (const { flaw, hidesErrors, scenario, breaks } of told) {
    const har = await recordClientOnNewMock({ scenario }, referenceClientWithFlaw(flaw, hidesErrors))
    if (rulesIn(har).some((one) => one.id === breaks && isViolated(one))) found++
  }
  expect(found).toBeGreaterThan(told.length / 3)
})

/** Defects that a recording shows, but does not prove, and why. */
const untellable = [
  // A session names no organization, a recorder may replace every key by the same text, and ids of deleted keys may be given again.
  /^(accepts-(createKey|deleteKey|listKeys)|key-(id-counts|of-another|same-id|undead)|auth-unstable-organization)/,
  // Lists and balances may show a change late.
  /^(late-|cache-(balance|unread)|credits-(stale-in|of-last)-list|doc-(all-without-unfiled|folder-list-kept))/,
  // Nothing says which runs failed, so that each credit may be given back.
  /^(credits-(no-refund|refund-|run-free)|busy-(free|end-restores)|run-twice-replayed-in)/,
  // Nothing says how long a run takes; others may run a task, too.
  /(never-finished|^run-fourth-never-ends|^run-twice-(free|replayed)|^cache-finished|^cache-getTask|^busy-dropped|^run-ended-on-one-replica)$/,
  // A document that was there before may have any summary.
  /^doc-summary-overwritten$/,
  // What others read and are told of is not seen, few things get an id, and any service may be down.
  /^(isolation-(list-notifications|notified|unread)|busy-bad|doc-id-wraps|task-id-wraps|unavailable-for-no-reason)/,
  // No answer is lost in these recordings, so that nothing is sent again; no client reads notifications before there are some;
  // and a server in front may demand a length that a client left out.
  /^(path-(resends-|demands-length$)|list-null-listNotifications$)/,
  // Its balances have fractions, which is what differs; nobody runs out of whole credits.
  /^no-credits-half-suffices$/,
  // Extended routes may be absent; others may read notifications, and runs that nobody watches add some while a list is read.
  /^(extended-missing-|notification-(born-read|read-uncounted|page-counted|id-repeated|counted-twice|list-of-the-oldest-100))/,
]

/** Clients that do all kinds of work, and the mocks that they meet. */
const work = [
  [referenceClientWithFlaw(), { fault: 'runTask=ok,fail' }],
  [referenceClientWithFlaw(), {}],
  [clientWithoutRunRequests, { credits: 3 }],
] as const

/** The recordings of a mock without a defect, by variant and work. */
const usuals = new Map<string, HarRecording>()

/** Judgements of recordings of clients, compared with those of a mock without a defect. */
async function told({ variant = 'first', mutate }: Pick<Defect, 'variant' | 'mutate'>) {
  const [differs, broken]: [string[], string[]] = [[], []]
  for (const [i, [client, options]] of work.entries()) {
    const usual =
      usuals.get(`${variant} ${i}`) ?? (await recordClientOnNewMock({ variant, ...options }, client))
    usuals.set(`${variant} ${i}`, usual)
    const har = await recordClientOnNewMock({ variant, ...options }, client, [mutate()])
    differs.push(...recordingDifferences(readHarExchanges(usual), readHarExchanges(har)))
    broken.push(...resultsIn(har).flatMap((one) => (isTold(one) ? one.requirement.id : [])))
  }
  return { isShown: differs.length > 0, broken }
}

const isTold = (result: RequirementResult) => ['failed', 'suspected', 'warned'].includes(result.outcome)

test('nothing is held against a mock without a defect, not even if nobody else uses it', async () => {
  expect(await told({ mutate: () => ({}) })).toEqual({ isShown: false, broken: [] })
})

const tellable = defects.filter(({ id }) => !untellable.some((one) => one.test(id)))

test.each(
  sampleUnlessExhaustive(tellable, 66),
)('the service with $id is named by the recordings of clients that differ', async (defect) => {
  const { isShown, broken } = await told(defect)
  if (isShown) expect(broken).not.toEqual([])
})

const outcomesOf = ({ service, client, broken }: RecordingJudgement) => ({
  requirements: service?.requirements.map(({ id, outcome }) => `${id} ${outcome}`),
  broken: broken?.map(({ requirement, evidence }) => [requirement.id, evidence.at(-1)?.number]),
  rules: client?.rules.map(({ id, outcome }) => `${id} ${outcome}`),
  counts: [service?.requests, service?.answers, service?.disturbances.dropped, client?.parts],
})

test.each<[string, readonly Mutation[], ScenarioId]>([
  ['a healthy service and a patient client', [], 'rate-limited-burst'],
  ['a wrong service', mutationsOfDefects('shape-createTask-task-status-number'), 'run-fails-and-refunds'],
])('%s: request by request the judgement is that of the whole', async (_, mutations, scenario) => {
  const har = await recordClientOnNewMock({ scenario }, referenceClientWithFlaw(), mutations)
  const entries = readHarExchanges(har)
  const terms = { source: 'http://mock.test', settings, strict: false, side: 'both' } as const
  const [whole, parts] = [createRecordingJudge(terms), createRecordingJudge(terms)]
  whole.take(entries)
  whole.judge()
  for (const [i, entry] of entries.entries()) {
    parts.take([entry])
    parts.judge(entries[i + 1]?.at)
  }
  expect(outcomesOf(parts.sides())).toEqual(outcomesOf(whole.sides()))
})
