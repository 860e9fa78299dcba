/** The matrix: each defect must break exactly what it names, each variation nothing, alone or with others. */
import { type Variant, variants } from '#contract/route.ts'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { resultsOf } from '#contract-tests/harness/outcome.ts'
import type { Requirement } from '#contract-tests/harness/requirement.ts'
import { isProviderFault } from '#contract-tests/runner/results.ts'
import { fits } from '#contract-tests/runner/selection.ts'
import { createRandom } from '#mocks/core/random.ts'
import type { Defect } from './defects/defect.ts'
import { brokenBy, defects } from './defects/index.ts'
import { drawDisturbance } from './legal-variations/disturbance.ts'
import { variations } from './legal-variations/index.ts'
import type { Variation } from './legal-variations/variation.ts'
import { type Trial, tryMutations, tryOverHttp } from './trial.ts'

/** The result of one trial: how it differs from what was expected; empty: it is proven. */
export interface TrialResult {
  readonly name: string
  readonly objections: readonly string[]
}

/** The variants in which a defect or variation is tried. */
export const variantsOf = ({ variant }: Pick<Defect | Variation, 'variant'>): readonly Variant[] =>
  variant ? [variant] : variants

/** Tries a defect: it must break exactly the requirements that it names. */
export async function tryDefect(defect: Defect, variant: Variant): Promise<TrialResult> {
  const trial = await tryMutations([defect.mutate()], variant, { extended: 'on' })
  return found(`defect ${defect.id} (${variant})`, trial, defect.breaks)
}

/** Settings of a run that is given two keys and credits: no session, no provider state. */
export const keysAlone = {
  sessionCookie: undefined,
  otherSessionCookie: undefined,
  statesUrl: undefined,
} as const

/**
 * Tries a variation, with everything that the suite can be given and with two keys alone: it may break nothing but the
 * SHOULD requirements that it names.
 */
export async function tryVariation(variation: Variation, variant: Variant): Promise<TrialResult> {
  const { id, wire, warns = [] } = variation
  const name = `variation ${id} (${variant})`
  if (wire) return accused(name, await tryOverHttp([variation.mutate()], variant, wire.path), warns)
  const all = accused(name, await tryMutations([variation.mutate()], variant), warns)
  const few = await tryMutations([variation.mutate()], variant, keysAlone)
  const { objections } = accused(name, few, seenOf(few, warns))
  return { name, objections: [...all.objections, ...objections.map((one) => `${one}, with two keys alone`)] }
}

/** Tries several variations at once; one may prevent what another one breaks. */
export async function tryTogether(together: readonly Variation[], variant: Variant): Promise<TrialResult> {
  const trial = await tryMutations(
    together.map((variation) => variation.mutate()),
    variant,
  )
  const names = together.map(({ id }) => id).join(' + ')
  const warns = together.flatMap((one) => one.warns ?? [])
  return accused(`variations ${names} (${variant})`, trial, seenOf(trial, warns))
}

/** Those of some requirements that a trial breaks. */
const seenOf = ({ red }: Trial, ids: readonly string[]) => ids.filter((id) => red.includes(id))

/** Of a legal service: nor may its provider states be called at fault, unless the reason leaves it open. */
function accused(name: string, trial: Trial, named: readonly string[]): TrialResult {
  const accusations = resultsOf(trial.run, 'not_exercised').filter(isProviderFault)
  const faults = accusations
    .map(({ requirement, reason }) => `${requirement.id}: ${reason}`)
    .filter((fault) => !fault.includes('unless somebody else'))
  return found(name, { ...trial, faults: [...trial.faults, ...faults] }, named)
}

const found = (name: string, trial: Trial, named: readonly string[]): TrialResult => ({
  name,
  objections: objections(trial, named),
})

/** The ids of the catalogue that match patterns, and the patterns that match none. */
export function expand(patterns: readonly string[]): { ids: ReadonlySet<string>; unknown: string[] } {
  const ids = new Set<string>()
  const unknown = patterns.filter((pattern) => {
    const fitting = catalogue.filter(({ id }) => fits(id, pattern))
    for (const { id } of fitting) ids.add(id)
    return fitting.length === 0
  })
  return { ids, unknown }
}

/** How a trial differs from the requirements it was expected to break; empty: not at all. */
export function objections(
  { red, faults }: Pick<Trial, 'red' | 'faults'>,
  named: readonly string[],
): string[] {
  const { ids, unknown } = expand(named)
  return [
    ...faults,
    ...unknown.map((pattern) => `names ${pattern}, which is not in the catalogue`),
    ...[...ids].filter((id) => !red.includes(id)).map((id) => `does not break ${id}`),
    ...red.filter((id) => !ids.has(id)).map((id) => `breaks ${id}, which it does not name`),
  ]
}

const fewest = 3
const most = 8

/** Several variations, at most one of each group, in the order of the table; each is drawn by some seed. */
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

/** Several variations, and a disturbance of one request. */
export const drawCombination = (seed: string, variant: Variant): readonly Variation[] => [
  ...drawVariations(variations, seed),
  drawDisturbance(`${seed} ${variant}`),
]

/** The seeds that the proof draws combinations of variations from. */
export const seeds: readonly string[] = Array.from({ length: 150 }, (_, i) => String(i))

/** The ids of the requirements of a level that no defect breaks. */
export const unproven = (level: Requirement['level']): string[] =>
  catalogue.filter((one) => one.level === level && brokenBy(one.id).length === 0).map(({ id }) => id)

/** One trial, not yet run. */
interface PlannedTrial {
  readonly group: 'defects' | 'variations' | 'combinations'
  run(): Promise<TrialResult>
}

const planned = <Row>(
  group: PlannedTrial['group'],
  rows: readonly Row[],
  variantsOf: (row: Row) => readonly Variant[],
  attempt: (row: Row, variant: Variant) => Promise<TrialResult>,
): PlannedTrial[] =>
  rows.flatMap((row) => variantsOf(row).map((variant) => ({ group, run: () => attempt(row, variant) })))

export const trials: readonly PlannedTrial[] = [
  ...planned('defects', defects, variantsOf, tryDefect),
  ...planned('variations', variations, variantsOf, tryVariation),
  ...planned(
    'combinations',
    seeds,
    () => variants,
    (seed, variant) => tryTogether(drawCombination(seed, variant), variant),
  ),
]
