/** The matrix: each defect must break exactly what it names, each variation nothing. */
import { type Variant, variants } from '#contract/route.ts'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { objections } from './compare.ts'
import type { Defect } from './defects/defect.ts'
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
  return found(`variation ${id} (${variant})`, trial, warns)
}

/** Tries several variations at once; one may prevent what another one breaks. */
export async function tryTogether(together: readonly Variation[], variant: Variant): Promise<TrialResult> {
  const trial = await tryMutations(
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
