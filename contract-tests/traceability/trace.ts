/** Which requirements a sentence leads to, and which sentences a requirement comes from. Pure. */
import type { Requirement } from '../harness/requirement.ts'
import { fits } from '../runner/selection.ts'
import { isDemand, type Part, type Sentence } from './sentence.ts'

export interface TracedSentence {
  /** Its place in the specification, from 1. */
  readonly number: number
  readonly sentence: Sentence
  /** Requirements that it leads to, in the order of the catalogue. */
  readonly requirements: readonly Requirement[]
  /** Patterns that fit no id of the catalogue. */
  readonly unknown: readonly string[]
}

/** Every sentence of a specification, numbered, with its requirements. */
export function trace(parts: readonly Part[], catalogue: readonly Requirement[]): TracedSentence[] {
  return parts
    .flatMap(({ sentences }) => sentences)
    .map((sentence, at) => {
      const patterns = isDemand(sentence) ? sentence.requirements : []
      return {
        number: at + 1,
        sentence,
        requirements: catalogue.filter(({ id }) => patterns.some((pattern) => fits(id, pattern))),
        unknown: patterns.filter((pattern) => !catalogue.some(({ id }) => fits(id, pattern))),
      }
    })
}

/** The sections that a requirement cites, one by one. */
export function sectionsOf({ section }: Pick<Requirement, 'section'>): string[] {
  return section.split(', ')
}

/** Whether a place in the specification is in a section: `§4` holds `§4 Tasks`, and `§3` holds `§3.2`. */
export function isIn(place: string, section: string): boolean {
  return place === section || place.startsWith(`${section} `) || place.startsWith(`${section}.`)
}
