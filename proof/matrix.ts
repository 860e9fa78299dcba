/** The matrix: each defect must break exactly what it names, each variation nothing, alone or with others. */
import { type Variant, variants } from '#contract/route.ts'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { resultsWithOutcome } from '#contract-tests/harness/outcome.ts'
import type { Requirement } from '#contract-tests/harness/requirement.ts'
import { matchesPattern } from '#contract-tests/runner/selection.ts'
import { createRandom } from '#mocks/core/random.ts'
import type { Defect } from './defects/defect.ts'
import { defectIdsBreaking, defects } from './defects/index.ts'
import { drawDisturbance } from './legal-variations/disturbance.ts'
import { legalVariations } from './legal-variations/index.ts'
import type { Variation } from './legal-variations/variation.ts'
import { type SuiteTrial, tryMutations, tryMutationsOverHttp } from './trial.ts'

/**
 * The result of one trial of the proof: what was tried, and how the outcome differs from what was expected (empty: not
 * at all).
 */
export interface TrialResult {
  readonly name: string
  readonly objections: readonly string[]
}

/** The variants of the API in which a defect or legal variation is tried. */
export const variantsToTry = ({ variant }: Pick<Defect | Variation, 'variant'>): readonly Variant[] =>
  variant ? [variant] : variants

/** Runs the suite against a mock with a defect. Exactly the requirements that the defect names must be violated. */
export async function tryDefect(defect: Defect, variant: Variant): Promise<TrialResult> {
  const trial = await tryMutations([defect.mutate()], variant, { extended: 'on' })
  return found(`defect ${defect.id} (${variant})`, trial, defect.breaks)
}

/** Settings of the suite without a session and provider states, so that a run has only two keys and their credits. */
export const settingsWithKeysAlone = {
  sessionCookie: undefined,
  otherSessionCookie: undefined,
  statesUrl: undefined,
} as const

/**
 * Runs the suite against a mock with a legal variation: once with all inputs, once with no session and no provider
 * states. Only the SHOULD requirements that the variation names may be violated.
 */
export async function tryVariation(variation: Variation, variant: Variant): Promise<TrialResult> {
  const { id, wire, warns = [] } = variation
  const name = `variation ${id} (${variant})`
  if (wire) return accused(name, await tryMutationsOverHttp([variation.mutate()], variant, wire.path), warns)
  const shared = isShared(variation)
  const all = accused(name, await tryMutations([variation.mutate()], variant, { shared }), warns)
  const few = await tryMutations([variation.mutate()], variant, { ...settingsWithKeysAlone, shared })
  const { objections } = accused(name, few, seenOf(few, warns))
  return { name, objections: [...all.objections, ...objections.map((one) => `${one}, with two keys alone`)] }
}

/** Runs the suite against a mock with several legal variations at once. */
export async function tryVariationsTogether(
  together: readonly Variation[],
  variant: Variant,
): Promise<TrialResult> {
  const trial = await tryMutations(
    together.map((variation) => variation.mutate()),
    variant,
    { shared: together.some(isShared) },
  )
  const names = together.map(({ id }) => id).join(' + ')
  const warns = together.flatMap((one) => one.warns ?? [])
  return accused(`variations ${names} (${variant})`, trial, seenOf(trial, warns))
}

/** True if a variation is one of other clients in the organization, which an operator declares. */
const isShared = ({ group }: Variation): boolean => group === 'others'

/** Those of some requirements that a trial found broken. */
const seenOf = ({ red }: SuiteTrial, ids: readonly string[]) => ids.filter((id) => red.includes(id))

/**
 * The accusations against a legal service, including those that its provider states are at fault, unless others may be
 * the cause.
 */
function accused(name: string, trial: SuiteTrial, named: readonly string[]): TrialResult {
  const accusations = resultsWithOutcome(trial.run, 'not_exercised').filter(
    ({ providerFault }) => providerFault?.mayBeOthers === false,
  )
  const faults = accusations.map(({ requirement, reason }) => `${requirement.id}: ${reason}`)
  // A violation that others may have caused is never held against a service, but is no green either.
  const suspected = resultsWithOutcome(trial.run, 'suspected')
    .filter(({ others }) => !others)
    .map(
      ({ requirement, reason, expected, actual }) =>
        `suspects ${requirement.id}: expected ${expected}; got ${actual}; ${reason}`,
    )
  return found(name, { ...trial, faults: [...trial.faults, ...faults, ...suspected] }, named)
}

const found = (name: string, trial: SuiteTrial, named: readonly string[]): TrialResult => ({
  name,
  objections: unexpectedOutcomes(trial, named),
})

/** Finds the requirement ids that patterns match, and the patterns that match none (`unknown`). */
export function idsMatchingPatterns(patterns: readonly string[]): {
  ids: ReadonlySet<string>
  unknown: string[]
} {
  const ids = new Set<string>()
  const unknown = patterns.filter((pattern) => {
    const fitting = catalogue.filter(({ id }) => matchesPattern(id, pattern))
    for (const { id } of fitting) ids.add(id)
    return fitting.length === 0
  })
  return { ids, unknown }
}

/**
 * Compares the outcome of a trial with the requirements that it was expected to violate; returns the differences in
 * words, the errors of the trial itself, and patterns that fit no requirement.
 */
export function unexpectedOutcomes(
  { red, faults }: Pick<SuiteTrial, 'red' | 'faults'>,
  named: readonly string[],
): string[] {
  const { ids, unknown } = idsMatchingPatterns(named)
  return [
    ...faults,
    ...unknown.map((pattern) => `names ${pattern}, which is not in the catalogue`),
    ...[...ids].filter((id) => !red.includes(id)).map((id) => `does not break ${id}`),
    ...red.filter((id) => !ids.has(id)).map((id) => `breaks ${id}, which it does not name`),
  ]
}

const fewest = 3
const most = 8

/**
 * Draws random legal variations, at most one of each group, and returns them in the order of the table. Every variation
 * is drawn by some seed.
 */
export function drawVariations(all: readonly Variation[], seed: string): Variation[] {
  const random = createRandom(`variations\u0000${seed}`)
  const wanted = fewest + (random.word() % (most - fewest + 1))
  const candidates = all.filter(({ wire }) => !wire)
  const drawn = new Set(candidates.slice(Number(seed) % candidates.length).slice(0, 1))
  for (let tries = 0; drawn.size < wanted && tries < 100; tries++) {
    const one = candidates[random.word() % candidates.length]
    const taken = [...drawn].some(({ group }) => group !== undefined && group === one?.group)
    if (one && !taken) drawn.add(one)
  }
  return candidates.filter((one) => drawn.has(one))
}

/**
 * Draws the legal variations of one combined trial, and a disturbance of one of its requests. The seed decides both, so
 * that a failed trial can be repeated.
 */
export const drawVariationsAndDisturbance = (seed: string, variant: Variant): readonly Variation[] => [
  ...drawVariations(legalVariations, seed),
  drawDisturbance(`${seed} ${variant}`),
]

/** The seeds from which the proof draws combinations of legal variations. */
export const combinationSeeds: readonly string[] = Array.from({ length: 175 }, (_, i) => String(i))

/** The ids of the requirements of a level that no defect violates, which are therefore unproven. */
export const requirementsWithoutDefect = (level: Requirement['level']): string[] =>
  catalogue.filter((one) => one.level === level && defectIdsBreaking(one.id).length === 0).map(({ id }) => id)

/** One trial, not yet run. */
interface PlannedTrial {
  readonly group: 'defects' | 'variations' | 'combinations'
  /** The id of what is tried; the seed of a combination. */
  readonly id: string
  run(): Promise<TrialResult>
}

const planned = <Row>(
  group: PlannedTrial['group'],
  rows: readonly Row[],
  idOf: (row: Row) => string,
  variantsOf: (row: Row) => readonly Variant[],
  attempt: (row: Row, variant: Variant) => Promise<TrialResult>,
): PlannedTrial[] =>
  rows.flatMap((row) =>
    variantsOf(row).map((variant) => ({ group, id: idOf(row), run: () => attempt(row, variant) })),
  )

/** All trials of the proof: defects, legal variations and combinations of variations, in each variant of the API. */
export const proofTrials: readonly PlannedTrial[] = [
  ...planned('defects', defects, ({ id }) => id, variantsToTry, tryDefect),
  ...planned('variations', legalVariations, ({ id }) => id, variantsToTry, tryVariation),
  ...planned(
    'combinations',
    combinationSeeds,
    String,
    () => variants,
    (seed, variant) => tryVariationsTogether(drawVariationsAndDisturbance(seed, variant), variant),
  ),
]
