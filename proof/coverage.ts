/** Finds the defects that break each requirement. Pure. */

import type { Requirement } from '#contract-tests/harness/requirement.ts'
import { expand } from './compare.ts'
import type { Defect } from './defects/defect.ts'

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
