/** The matrix: each defect must be caught by what it names, each variation by nothing. */
import { type Variant, variants } from '#contract/route.ts'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { objections } from './compare.ts'
import type { Defect } from './defects/defect.ts'
import type { Variation } from './legal-variations/variation.ts'
import { type Trial, tryAlterations, tryOverHttp } from './trial.ts'

/** Something that was tried, with all that is wrong with the outcome; empty: it is proven. */
export interface TrialResult {
  readonly name: string
  readonly objections: readonly string[]
}

/** The variants in which something is tried. */
export function variantsOf({ variant }: Pick<Defect | Variation, 'variant'>): readonly Variant[] {
  return variant ? [variant] : variants
}

/** Tries a defect: exactly what it names must turn red. */
export async function tryDefect(defect: Defect, variant: Variant): Promise<TrialResult> {
  const trial = await tryAlterations([defect.mutate()], variant, { extended: 'on' })
  return found(`defect ${defect.id} (${variant})`, trial, defect.breaks)
}

/** Tries a variation: nothing may turn red but the SHOULD findings that it names. */
export async function tryVariation(variation: Variation, variant: Variant): Promise<TrialResult> {
  const { id, wire, warns = [] } = variation
  const trial = wire
    ? await tryOverHttp([variation.mutate()], variant, wire.path)
    : await tryAlterations([variation.mutate()], variant)
  return found(`variation ${id} (${variant})`, trial, warns)
}

/** Tries several variations at once; a finding that one of them brings may be hidden by another. */
export async function tryTogether(together: readonly Variation[], variant: Variant): Promise<TrialResult> {
  const trial = await tryAlterations(
    together.map((variation) => variation.mutate()),
    variant,
  )
  const names = together.map(({ id }) => id).join(' + ')
  const seen = together.flatMap(({ warns = [] }) => warns).filter((id) => trial.red.includes(id))
  return found(`variations ${names} (${variant})`, trial, seen)
}

function found(name: string, trial: Trial, named: readonly string[]): TrialResult {
  return { name, objections: objections(trial, named, catalogue) }
}
