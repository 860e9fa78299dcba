/** The rules of docs/specification.md, read from its text. Pure. */

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
