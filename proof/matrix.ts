/** The matrix: each defect must break exactly what it names, each variation nothing, alone or with others. */
import { type Variant, variants } from '#contract/route.ts'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { resultsOf } from '#contract-tests/harness/outcome.ts'
import type { Requirement } from '#contract-tests/harness/requirement.ts'
import { isProviderFault } from '#contract-tests/runner/results.ts'
import { fits } from '#contract-tests/runner/selection.ts'
import { createRandom } from '#mocks/core/random.ts'
import type { Defect } from './defects/defect.ts'
import { defects } from './defects/index.ts'
import { variations } from './legal-variations/index.ts'
import type { Variation } from './legal-variations/variation.ts'
import { type Trial, tryMutations, tryOverHttp } from './trial.ts'

/** The result of one trial: how it differs from what was expected; empty: it is proven. */
export interface TrialResult {
  readonly name: string
  readonly objections: readonly string[]
}

/** The variants in which a defect or variation is tried. */
export function variantsOf({ variant }: Pick<Defect | Variation, 'variant'>): readonly Variant[] {
  return variant ? [variant] : variants
}

/** Tries a defect: it must break exactly the requirements that it names. */
export async function tryDefect(defect: Defect, variant: Variant): Promise<TrialResult> {
  const trial = await tryMutations([defect.mutate()], variant, { extended: 'on' })
  return found(`defect ${defect.id} (${variant})`, trial, defect.breaks)
}

/** Tries a variation: it may break nothing but the SHOULD requirements that it names. */
export async function tryVariation(variation: Variation, variant: Variant): Promise<TrialResult> {
  const { id, wire, warns = [] } = variation
  const trial = wire
    ? await tryOverHttp([variation.mutate()], variant, wire.path)
    : await tryMutations([variation.mutate()], variant)
  return accused(`variation ${id} (${variant})`, trial, warns)
}

/** Tries several variations at once; one may prevent what another one breaks. */
export async function tryTogether(together: readonly Variation[], variant: Variant): Promise<TrialResult> {
  const trial = await tryMutations(
    together.map((variation) => variation.mutate()),
    variant,
  )
  const names = together.map(({ id }) => id).join(' + ')
  const seen = together.flatMap(({ warns = [] }) => warns).filter((id) => trial.red.includes(id))
  return accused(`variations ${names} (${variant})`, trial, seen)
}

/** Of a legal service: nor may its provider states be called at fault, unless the reason leaves it open. */
function accused(name: string, trial: Trial, named: readonly string[]): TrialResult {
  const accusations = resultsOf(trial.run, 'not_exercised').filter(isProviderFault)
  const faults = accusations
    .map(({ requirement, reason }) => `${requirement.id}: ${reason}`)
    .filter((fault) => !fault.includes('unless somebody else'))
  return found(name, { ...trial, faults: [...trial.faults, ...faults] }, named)
}

function found(name: string, trial: Trial, named: readonly string[]): TrialResult {
  return { name, objections: objections(trial, named, catalogue) }
}

/** The ids of the catalogue that match patterns, and the patterns that match none. */
export function expand(
  patterns: readonly string[],
  catalogue: readonly Requirement[],
): { ids: ReadonlySet<string>; unknown: string[] } {
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
  catalogue: readonly Requirement[],
): string[] {
  const { ids, unknown } = expand(named, catalogue)
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

/** The seeds that the proof draws combinations of variations from. */
export const seeds: readonly string[] = Array.from({ length: 150 }, (_, i) => String(i))

/** The defects that name each requirement, in the order of the catalogue. */
export function coverageOf(
  catalogue: readonly Requirement[],
  defects: readonly Defect[],
): { readonly requirement: Requirement; readonly defects: readonly Defect[] }[] {
  const named = defects.map((defect) => ({ defect, ids: expand(defect.breaks, catalogue).ids }))
  return catalogue.map((requirement) => ({
    requirement,
    defects: named.filter(({ ids }) => ids.has(requirement.id)).map(({ defect }) => defect),
  }))
}

/** The ids of the requirements of a level that no defect breaks. */
export function unproven(
  catalogue: readonly Requirement[],
  defects: readonly Defect[],
  level: Requirement['level'],
): string[] {
  return coverageOf(catalogue, defects)
    .filter((row) => row.requirement.level === level && row.defects.length === 0)
    .map(({ requirement }) => requirement.id)
}

/** One trial, not yet run. */
interface PlannedTrial {
  readonly group: 'defects' | 'variations' | 'combinations'
  run(): Promise<TrialResult>
}

export const trials: readonly PlannedTrial[] = [
  ...defects.flatMap((defect) =>
    variantsOf(defect).map((variant) => ({
      group: 'defects' as const,
      run: () => tryDefect(defect, variant),
    })),
  ),
  ...variations.flatMap((one) =>
    variantsOf(one).map((variant) => ({
      group: 'variations' as const,
      run: () => tryVariation(one, variant),
    })),
  ),
  ...seeds.flatMap((seed) =>
    variants.map((variant) => ({
      group: 'combinations' as const,
      run: () => tryTogether(drawVariations(variations, seed), variant),
    })),
  ),
]
