/** The rules of the specification, which requirements each leads to, and back. Pure. */
import type { Requirement } from '../harness/requirement.ts'
import { fits } from '../runner/selection.ts'
import { mapping } from './mapping.ts'

/** One rule: a list item that begins with an anchor. */
export interface Rule {
  readonly anchor: string
  /** Where it stands, such as `§3.2` or `§4 Tasks`. */
  readonly section: string
  /** Markdown, without what is left open. */
  readonly text: string
  /** The heading of its numbered part, such as `§7 Error answers`. */
  readonly part: string
}

/** All rules of the page, in its order. */
export function readRules(page: string): Rule[] {
  let part = ''
  return page.split('\n').flatMap((line) => {
    part = /^## (.+)$/.exec(line)?.[1] ?? part
    const [, anchor, section, text] = /^- <a id="([a-z0-9-]+)"><\/a>\*\*(§[^*]+)\*\* (.+)$/.exec(line) ?? []
    return anchor && section && text ? [{ anchor, section, text, part }] : []
  })
}

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
