/** Compares what went red with what was named. Pure. */
import type { Requirement } from '#contract-tests/harness/requirement.ts'
import { fits } from '#contract-tests/runner/selection.ts'
import type { Trial } from './trial.ts'

/** The ids of the catalogue that patterns stand for, and the patterns that stand for none. */
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

/** What is wrong with a trial whose red requirements were named before; empty: nothing. */
export function objections(
  { red, faults }: Trial,
  named: readonly string[],
  catalogue: readonly Requirement[],
): string[] {
  const { ids, unknown } = expand(named, catalogue)
  return [
    ...faults,
    ...unknown.map((pattern) => `names ${pattern}, which the catalogue does not have`),
    ...[...ids].filter((id) => !red.includes(id)).map((id) => `does not turn ${id} red`),
    ...red.filter((id) => !ids.has(id)).map((id) => `turns ${id} red, which it does not name`),
  ]
}
