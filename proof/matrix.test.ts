/** The matrix in samples, and what its verdicts rest on; `npm run proof` tries all of it. */
import { expect, test } from 'vitest'
import { type Variant, variants } from '#contract/route.ts'
import { resultsWithOutcome } from '#contract-tests/harness/outcome.ts'
import { settingsWithDefaults } from '#contract-tests/harness/terms.ts'
import { runSuite } from '#contract-tests/runner/run.ts'
import { answerAlterations } from '#contract-tests/strength/violations.ts'
import { createEmbeddedMock } from '#contract-tests/targets/in-process.ts'
import { createRandom } from '#mocks/core/random.ts'
import type { Precondition } from '#mocks/pipeline/service.ts'
import { shuffle } from '#mocks/quirks/quirk.ts'
import { isExhaustiveTestRun, sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import { defects } from './defects/index.ts'
import { drawDisturbance } from './legal-variations/disturbance.ts'
import { legalVariations } from './legal-variations/index.ts'
import { othersRerunFinishedTasks } from './legal-variations/surroundings.ts'
import {
  combinationSeeds,
  drawVariationsAndDisturbance,
  settingsWithKeysAlone,
  tryVariation,
  tryVariationsTogether,
  unexpectedOutcomes,
  variantsToTry,
} from './matrix.ts'
import { answerMutants, tryAnswerAlteration, tryMutant } from './mutants.ts'
import { createMutatedMock, type Mutation } from './mutations/mutation.ts'
import { tryMutations } from './trial.ts'

// The sample of defects is in curl-lines.test.ts.
const share = <T>(rows: readonly T[], every: number) => rows.filter((_, i) => i % every === 0)
const variantFor = (i: number, row: Parameters<typeof variantsToTry>[0]) => {
  const fitting = variantsToTry(row)
  return fitting[i % fitting.length] ?? 'first'
}

test.each(
  variants,
)('the mock without a defect meets every requirement, and all are exercised (%s)', async (variant) => {
  const { run, red, faults } = await tryMutations([], variant, { extended: 'on' })
  expect({ red, faults }).toEqual({ red: [], faults: [] })
  expect(resultsWithOutcome(run, 'not_exercised').map(({ requirement }) => requirement.id)).toEqual([])
})

/** The mutation of a variation, if there is one of that id. */
const mutationsOf = (id: string) => legalVariations.filter((one) => one.id === id).map((one) => one.mutate())

test.each([
  'extended-absent',
  'long-texts-refused-422-200',
  'runs-begin-late',
])('%s leaves nothing unexercised', async (id) => {
  const { run } = await tryMutations(mutationsOf(id), 'first')
  expect(resultsWithOutcome(run, 'not_exercised').map(({ requirement }) => requirement.id)).toEqual([])
})

test.each(
  share(legalVariations, 60).map((one, i) => [one.id, one, variantFor(i, one)] as const),
)('the variation %s breaks nothing', async (_, variation, variant) => {
  expect((await tryVariation(variation, variant)).objections).toEqual([])
})

test.each([
  'notification-read-all',
  'notification-read-by-listing',
  'notification-read-uncounted',
  'free-readNotification',
  'free-range',
  'busy-finished-early',
])('%s shows without provider states, also in the notifications that runs bring', async (id) => {
  const defect = defects.filter((one) => one.id === id)
  const { run, red } = await tryMutations(
    defect.map((one) => one.mutate()),
    'first',
    settingsWithKeysAlone,
  )
  expect(red).toEqual(defect.flatMap(({ breaks }) => breaks))
  expect(run.credits.spent).toBeLessThanOrEqual(20)
})

test('a whoami that costs a credit uses up those of a repetition without provider states, and is suspected', async () => {
  const charged = defects.filter(({ id }) => id === 'free-whoami').map((one) => one.mutate())
  const { suspected, faults } = await tryMutations(charged, 'first', settingsWithKeysAlone)
  expect({ isSuspected: suspected.includes('FREE-whoami'), faults }).toEqual({
    isSuspected: true,
    faults: [],
  })
})

test.each(
  defects.filter(({ id }) => id.endsWith('-elsewhere')),
)('$id shows in the second organization', async ({ breaks, mutate }) => {
  expect((await tryMutations([mutate()], 'first')).red).toEqual(breaks)
})

test('a refused marking shows where every notification was read before', async () => {
  const allRead: Mutation = {
    onOrganization({ notifications }) {
      for (const one of notifications.all()) notifications.markRead(one)
    },
  }
  const marks = defects.filter(({ id }) => id === 'unauthorized-marks').map((one) => one.mutate())
  expect((await tryMutations([allRead, ...marks], 'first')).red).toEqual(['AUTH-REFUSED-MARKING'])
})

test('credits that a service adds once they are used up accuse nobody', async () => {
  const recharge: Precondition = ({ principal: { org }, entry }) => {
    if (org.ledger.balance < 1) org.ledger.topUp(5, entry.at)
    return undefined
  }
  const recharging: Mutation = {
    onOrganization: ({ ledger }) => ledger.topUp(1 - ledger.balance, 0),
    rules: (rules) => ({ ...rules, preconditions: [...rules.preconditions, recharge] }),
  }
  const { red, faults } = await tryMutations([recharging], 'first', settingsWithKeysAlone)
  expect({ red, faults }).toEqual({ red: [], faults: [] })
})

test.each(
  share(combinationSeeds, 200),
)('variations drawn together, and a disturbance, break nothing (seed %s)', async (seed) => {
  expect(
    (await tryVariationsTogether(drawVariationsAndDisturbance(seed, 'first'), 'first')).objections,
  ).toEqual([])
})

test.each<[what: string, variant: Variant, ids: readonly string[], disturbance?: string]>([
  ['marks of others in a list of unread ones', 'second', ['notifications-unread-only', 'not-quiet-marks']],
  ['refunds and balances late', 'first', ['runs-short', 'refund-later', 'late-everything'], '372 first'],
  ['the newest of a late list', 'first', ['lists-newest-only', 'late-lists']],
  ['an end of a run in a short list', 'second', ['lists-capped', 'limit-low-dates'], '321 second'],
])('%s break nothing', async (_, variant, ids, disturbance) => {
  const legal = legalVariations.filter(({ id }) => ids.includes(id))
  expect(legal).toHaveLength(ids.length)
  const disturbed = disturbance === undefined ? [] : [drawDisturbance(`20261129 ${disturbance}`)]
  expect((await tryVariationsTogether([...legal, ...disturbed], variant)).objections).toEqual([])
})

test('a trial has the same outcome each time', async () => {
  const [defect] = defects
  const look = async () => {
    const { run } = await tryMutations(defect ? [defect.mutate()] : [], 'first')
    return run.results.map(({ requirement, outcome, actual }) => [requirement.id, outcome, actual])
  }
  expect(await look()).toEqual(await look())
})

test.each<[string, red: string[], named: string[], objections: string[], faults?: string[]]>([
  ['breaks what was named', ['KEY-WORKS'], ['KEY-WORKS'], []],
  ['breaks nothing', [], ['KEY-WORKS'], ['does not break KEY-WORKS']],
  ['breaks more', ['KEY-WORKS', 'KEY-NAME'], ['KEY-WORKS'], ['breaks KEY-NAME, which it does not name']],
  ['fits a pattern', ['RUN-OK'], ['RUN-OK*'], []],
  ['fits one of two patterns', ['KEY-PREFIX'], ['KEY-PREF*', 'KEY-WO*'], ['does not break KEY-WORKS']],
  ['names no id', [], ['NO-SUCH-ID'], ['names NO-SUCH-ID, which is not in the catalogue']],
  [
    'meets an error in the suite or the mock, and is void',
    ['KEY-WORKS'],
    ['KEY-WORKS'],
    ['a bug'],
    ['a bug'],
  ],
])('a trial that %s: of %j and %j the objections are %j', (_, red, named, expected, faults = []) => {
  expect(unexpectedOutcomes({ red, faults }, named)).toEqual(expected)
})

/**
 * The requirements that defects break where checks run one after the other, if not the same as side by side, by the ids
 * of the defects.
 */
const oneByOne: Readonly<Record<string, readonly string[]>> = {
  // Lists may then be older than they may be late.
  'credits-of-last-list': ['CREDITS-IN-LIST'],
  // Failed runs of all organizations are counted: which check meets the one that counts follows from the order of both.
  'credits-refund-alternates': ['CREDITS-REFUND-EACH'],
  'list-late': ['TASK-LISTED'],
  // Each fourth or seventh run is then another one.
  'run-fourth-never-ends': ['BUSY-STARTS'],
  'run-seventh-forgotten': ['BUSY-STARTS'],
  // Valid creations of checks are then never beside each other, but only those that are sent at once for a long list.
  'locked-beside': ['DOC-FIELDS-ACCEPTED'],
  // Nothing is compared in the organization of the caller at that time.
  'credits-refused-foreign-run': [],
  // No run ends between the lists of the repetition, so that both stay suspected.
  'notification-of-failure-born-read': [],
  'notification-of-failure-read-by-listing': [],
  'notification-of-run-born-read': [],
}

test('each exception of checks one after the other is a defect, and names something else', () => {
  const others = defects.filter(({ id, breaks }) => oneByOne[id] && oneByOne[id].join() !== breaks.join())
  expect(others.map(({ id }) => id).sort()).toEqual(Object.keys(oneByOne).sort())
})

test.each(
  sampleUnlessExhaustive(defects, 800).map((defect) => [defect.id, defect] as const),
)('the defect %s breaks exactly what it names with --concurrency 1', async (id, defect) => {
  const variant = variantsToTry(defect)[0] ?? 'first'
  const trial = await tryMutations([defect.mutate()], variant, { extended: 'on', concurrency: 1 })
  expect(unexpectedOutcomes(trial, oneByOne[id] ?? defect.breaks)).toEqual([])
})

/** The longest time of a verdict, ms. */
const longest = 60_000

const others = [
  ['not-quiet', mutationsOf('not-quiet'), 60],
  ['not-quiet-runs', mutationsOf('not-quiet-runs'), 60],
  ['tasks run again', [othersRerunFinishedTasks()], 20],
] as const

test.each(
  sampleUnlessExhaustive(others, 2),
)('%s by somebody else: a verdict within a minute', async (_, mutations, latency) => {
  expect(mutations).toHaveLength(1)
  const options = { runDuration: '150ms', now: Date.UTC(2026, 2, 2, 9) } as const
  const { target, access } = createEmbeddedMock(options, (given) => createMutatedMock(mutations, given))
  const started = target.now()
  const run = await runSuite({
    target: {
      ...target,
      async transport(url, outgoing) {
        await target.sleep(latency)
        return target.transport(url, outgoing)
      },
    },
    settings: settingsWithDefaults({
      ...access,
      extended: 'on',
      maxCredits: 20,
      shared: true,
      runId: 'others',
    }),
  })
  expect(resultsWithOutcome(run, 'failed', 'warned')).toEqual([])
  expect(target.now() - started).toBeLessThan(longest)
})

test('each mutant has an id of its own, and each operation is mutated', () => {
  expect(new Set(answerMutants.map(({ id }) => id)).size).toBe(answerMutants.length)
  expect(new Set(answerMutants.map(({ id }) => id.split(' ')[0])).size).toBe(21)
})

test.each([
  'createTask task.text swapped',
  'getTask request dropped',
  'listTasks request cached',
  'listTasks items.*.description constant',
  'getWallet request doubled',
])('%s is judged as it was classified', async (id) => {
  const mutant = answerMutants.find((one) => one.id === id)
  expect(mutant && (await tryMutant(mutant)).objection).toBeUndefined()
  expect(mutant?.is).not.toBe('arguable')
})

const drawn = shuffle(createRandom('strength', 'violations'), answerAlterations).slice(
  0,
  isExhaustiveTestRun ? 50 : 3,
)

test(`of ${drawn.length} violations drawn at random, nine in ten are noticed offline as by a run`, async () => {
  const different: string[] = []
  for (const violation of drawn) {
    const { offline, online } = await tryAnswerAlteration(violation)
    if (offline !== online) different.push(violation.id)
  }
  expect(different.length, different.join(', ')).toBeLessThanOrEqual(drawn.length / 10)
}, 300_000)
