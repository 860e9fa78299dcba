/** Tries a mechanical mutant: what is forbidden must be found, what is legal must not. */
import { tryMutations } from '../trial.ts'
import type { Mutant } from './index.ts'

interface MutantResult {
  readonly mutant: Mutant
  /** The requirements that it breaks; of one that may die, the first. */
  readonly red: readonly string[]
  /** What is wrong with that; undefined: nothing. */
  readonly objection: string | undefined
}

export async function tryMutant(mutant: Mutant): Promise<MutantResult> {
  const first = mutant.is !== 'legal'
  const { red, faults } = await tryMutations([mutant.mutate()], mutant.variant, { extended: 'on' }, { first })
  const objection =
    faults.length > 0
      ? `errors: ${faults[0]}`
      : mutant.is === 'forbidden' && red.length === 0
        ? `it lives: ${mutant.because}`
        : mutant.is === 'legal' && red.length > 0
          ? `it is legal and breaks ${red.join(', ')}: ${mutant.because}`
          : undefined
  return { mutant, red, objection }
}
