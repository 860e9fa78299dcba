/** Takes secrets out of everything that leaves the suite, in whatever form they come back. */
import { layersOf, readingsOf, wholly } from './readings.ts'

/** A secret and the name that is shown in its place. */
export interface Secret {
  readonly value: string
  readonly name: string
}

/** Replaces what must not be told. */
export type Redact = (text: string) => string

/** Shorter texts are no secrets that could be told from ordinary words. */
const shortest = 4

/** Builds the function that replaces each secret by its name: whole in any form, or cut off by `…`. */
export function redactor(secrets: readonly Secret[]): Redact {
  const names = new Map<string, string>()
  for (const { value, name } of secrets) {
    const read = layersOf(wholly(value), 1).map(({ text }) => text)
    for (const needle of [...read, ...read.map(bytewise)].map(lowered))
      if (needle.length >= shortest && !names.has(needle)) names.set(needle, name)
  }
  const known = new Map<string, string>()
  return (text) => {
    const safe = known.get(text) ?? replaced(text, findingsIn(text, names))
    known.set(text, safe)
    return safe
  }
}

/** A letter for each byte: as a text is read that was percent-encoded or coded as bytes. */
const bytewise = (text: string) => Buffer.from(text).toString('latin1')

/** A stretch of a text that tells a secret. */
interface Finding {
  readonly from: number
  readonly to: number
  readonly name: string
}

function findingsIn(text: string, names: ReadonlyMap<string, string>): Finding[] {
  return readingsOf(text).flatMap(({ text: read, from, to }) => {
    const haystack = lowered(read)
    const place = (start: number, end: number, name: string): Finding => ({
      from: from[start] ?? 0,
      to: to[end - 1] ?? 0,
      name,
    })
    const findings: Finding[] = []
    for (const [needle, name] of names) {
      for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + 1))
        findings.push(place(at, at + needle.length, name))
      for (let end = haystack.indexOf('…'); end >= 0; end = haystack.indexOf('…', end + 1)) {
        const length = lengthOfBeginning(haystack, end, needle)
        if (length > 0) findings.push(place(end - length, end, name))
      }
    }
    return findings
  })
}

/** How much of a secret stands before the place where a text was cut; 0: too little to tell. */
function lengthOfBeginning(text: string, end: number, needle: string): number {
  for (let length = Math.min(needle.length - 1, end); length >= shortest; length--)
    if (text.endsWith(needle.slice(0, length), end)) return length
  return 0
}

/** The text with each stretch replaced; of those that overlap the first, and the longest of these, gives its name. */
function replaced(text: string, findings: readonly Finding[]): string {
  const parts: string[] = []
  let at = 0
  for (const { from, to, name } of findings.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (from >= at) parts.push(text.slice(at, from), name)
    at = Math.max(at, to)
  }
  return parts.join('') + text.slice(at)
}

/** Without what forms differ in, letter for letter: case, and the plus that may be a space. */
function lowered(text: string): string {
  return text.replace(/\p{Lu}|\+/gu, (letter) => {
    const lower = letter === '+' ? ' ' : letter.toLowerCase()
    return lower.length === letter.length ? lower : letter
  })
}
