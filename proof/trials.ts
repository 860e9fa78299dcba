/** Every trial of the whole matrix, in order. */
import { variants } from '#contract/route.ts'
import { defects } from './defects/index.ts'
import { drawVariations } from './draw.ts'
import { variations } from './legal-variations/index.ts'
import { type TrialResult, tryDefect, tryTogether, tryVariation, variantsOf } from './matrix.ts'
import { seeds } from './seeds.ts'

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
