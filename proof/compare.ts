/** Compares the requirements that a trial broke with those that were expected. Pure. */
import type { Requirement } from '#contract-tests/harness/requirement.ts'
import { fits } from '#contract-tests/runner/selection.ts'
import type { Trial } from './trial.ts'

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
