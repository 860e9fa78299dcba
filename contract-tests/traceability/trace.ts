/** Which requirements a rule leads to, and which rules a requirement comes from. Pure. */
import type { Requirement } from '../harness/requirement.ts'
import { fits } from '../runner/selection.ts'
import { mapping } from './mapping.ts'

export interface TracedRule {
  /** Of docs/specification.md. */
  readonly anchor: string
  /** Ids as the mapping gives them, in which `*` stands for any letters. */
  readonly patterns: readonly string[]
  /** Why no requirement follows from it. */
  readonly reason: string | undefined
  /** Requirements that it leads to, in the order of the catalogue. */
  readonly requirements: readonly Requirement[]
}

/** Every rule that is mapped, with its requirements. */
export function trace(catalogue: readonly Requirement[]): TracedRule[] {
  return Object.entries(mapping).map(([anchor, traced]) => {
    const patterns = typeof traced === 'string' ? traced.split(' ') : []
    return {
      anchor,
      patterns,
      reason: typeof traced === 'string' ? undefined : traced.reason,
      requirements: catalogue.filter(({ id }) => patterns.some((pattern) => fits(id, pattern))),
    }
  })
}

/** Anchors of the rules that a requirement comes from. */
export function anchorsOf(requirement: Requirement): string[] {
  return trace([requirement]).flatMap(({ anchor, requirements }) => (requirements.length > 0 ? [anchor] : []))
}

/** The sections that a requirement cites, one by one. */
export function sectionsOf({ section }: Pick<Requirement, 'section'>): string[] {
  return section.split(', ')
}

/** Whether a place in the specification is in a section: `§4` holds `§4 Tasks`, and `§3` holds `§3.2`. */
export function isIn(place: string, section: string): boolean {
  return place === section || place.startsWith(`${section} `) || place.startsWith(`${section}.`)
}
