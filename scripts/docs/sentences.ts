/** Reads the rules of docs/specification.md. */

/** A rule: its section, such as `§3.2`, and what it says. */
export interface Sentence {
  readonly section: string
  readonly sentence: string
}

const rule = /^- <a id="([^"]+)"><\/a>\*\*(§[^*]+)\*\* (.*)$/gm

/** Returns the rules with these anchors. @throws Error for an anchor that the page does not have. */
export function sentencesOf(page: string, anchors: readonly string[]): Record<string, Sentence> {
  const rules = new Map(
    [...page.matchAll(rule)].map(([, anchor = '', section = '', sentence = '']) => [
      anchor,
      { section, sentence },
    ]),
  )
  return Object.fromEntries(
    anchors.map((anchor) => {
      const found = rules.get(anchor)
      if (!found) throw new Error(`docs/specification.md has no rule "${anchor}".`)
      return [anchor, found]
    }),
  )
}
