/** Searches a text for many secrets at once (Aho and Corasick), in time linear in the text whatever it contains. */

/** Length from which a secret is found inside words too, characters: a shorter one may occur there by chance. */
const telling = 4
/** Mark of a place where a text was cut. */
const cut = '…'.charCodeAt(0)
/** Most secrets for which a text is first searched one by one, since most texts contain none. */
const few = 16

/** A node of the automaton: a prefix of some secrets. Most have one successor, which needs no map. */
class Node {
  /** Number of its characters. */
  readonly length: number
  /** The secret that the prefix is as a whole; otherwise the first secret that begins with it. */
  needle: string
  /** The longest whole secret that it ends with, itself included. */
  whole: Node | undefined
  /** The longest suffix of the prefix that is a prefix of a secret too; undefined for the empty prefix. */
  fallback: Node | undefined
  #first: { readonly code: number; readonly node: Node } | undefined
  #others: Map<number, Node> | undefined

  constructor(length: number, needle: string) {
    this.length = length
    this.needle = needle
  }

  /** Returns the prefix that is one character longer. */
  after(code: number): Node | undefined {
    return this.#first?.code === code ? this.#first.node : this.#others?.get(code)
  }

  add(code: number, node: Node): void {
    if (!this.#first) this.#first = { code, node }
    else {
      this.#others ??= new Map()
      this.#others.set(code, node)
    }
  }

  /** The prefixes that are one character longer. */
  *successors(): Iterable<readonly [code: number, node: Node]> {
    if (this.#first) yield [this.#first.code, this.#first.node]
    if (this.#others) yield* this.#others
  }
}

/** A part of a text, from `start` to before `end`, that is a secret, or the beginning of one that was cut by `…`. */
export interface SecretMatch {
  readonly start: number
  readonly end: number
  /** The secret that was found. */
  readonly needle: string
}

/**
 * Creates a function that finds all of the given secrets in a text. Of secrets that end at the same place, it returns
 * the longest. `secrets`: none of them empty.
 */
export function createSecretSearch(secrets: readonly string[]) {
  let root: Node | undefined
  /** True if a secret may be in a text, whole or cut. */
  const mayBeIn = (text: string) =>
    secrets.length > few || secrets.some((needle) => text.includes(needle.slice(0, telling)))
  return (text: string): SecretMatch[] => {
    if (!mayBeIn(text)) return []
    root ??= automatonOf(secrets)
    const found: SecretMatch[] = []
    let at = root
    for (let end = 0; end < text.length; end++) {
      const code = text.charCodeAt(end)
      if (code === cut && at.length >= telling) found.push({ start: end - at.length, end, needle: at.needle })
      at = stepFrom(at, code, root)
      for (let node = at.whole; node; node = node.fallback?.whole) {
        const start = end + 1 - node.length
        if (node.length < telling && !isWord(text, start, end + 1)) continue
        found.push({ start, end: end + 1, needle: node.needle })
        break
      }
    }
    return found
  }
}

function automatonOf(secrets: readonly string[]): Node {
  const root = new Node(0, '')
  const nodes = [root]
  for (const needle of secrets) {
    let at = root
    for (let i = 0; i < needle.length; i++) {
      const code = needle.charCodeAt(i)
      let next = at.after(code)
      if (!next) {
        next = new Node(i + 1, needle)
        at.add(code, next)
      }
      at = next
    }
    at.whole = at
    at.needle = needle
  }
  for (const node of nodes)
    for (const [code, next] of node.successors()) {
      next.fallback = node.fallback ? stepFrom(node.fallback, code, root) : root
      next.whole ??= next.fallback.whole
      nodes.push(next)
    }
  return root
}

/** Returns the longest prefix of a secret that the text ends with after one more character. */
function stepFrom(node: Node, code: number, root: Node): Node {
  for (let at: Node | undefined = node; at; at = at.fallback) {
    const next = at.after(code)
    if (next) return next
  }
  return root
}

const isWord = (text: string, from: number, to: number) =>
  !/\w/.test((text[from - 1] ?? '') + (text[to] ?? ''))
