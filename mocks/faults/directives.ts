/**
 * Faults that one request asks for: by `Prefer` headers (RFC 7240), such as `code=402`, `error=busy`, `fault=reset`, `delay=2`,
 * `variant=second`; and, for people who cannot set headers, by `[[mock:…]]` in a text. In the text of a task those apply
 * to its runs or, with `create:`, to its creation; in a title, content, name or prompt they apply to that request.
 */
import { errorCodes } from '#contract/errors.ts'
import { adviceOnUnknownWord, distance, findClosestWord } from '#contract/input/suggestion.ts'
import type { OperationId } from '#contract/operation.ts'
import { type Variant, variants } from '#contract/route.ts'
import type { Fault } from './fault.ts'
import { faultOperationProblem } from './grammar.ts'
import { errorCodeByStatus, faultKeywords, faultTextProblem, parseFault } from './words.ts'

const names = ['code', 'error', 'fault', 'delay', 'variant'] as const

/**
 * Preferences that other standards define, which a server may ignore (RFC 7240 §2). `wait` is one of them beside
 * `respond-async`; alone it is another word for `delay`.
 */
const registered = /^(respond-async|return|handling|wait|depth-noroot|safe|odata\..*)$/

/** Maximum length of a header, characters, because a header of the answer repeats what was applied. */
const longest = 4_096

/** Parses the parts of a `Prefer` header that are meant for the mock, such as `code=402`; undefined: there are none. */
export function parsePreferHeader(header: string) {
  const found = {
    /** The requested variant, and its text; undefined if there is none. */
    variant: undefined as Variant | undefined,
    variantText: undefined as string | undefined,
    /** Each requested fault, with its original text, and the status that `code=` names; NaN: none. */
    faults: [] as { readonly fault: Fault; readonly text: string; readonly status: number }[],
    /** The first thing that the mock does not understand, completing "The mock …" with a suggestion. */
    problem: undefined as string | undefined,
  }
  if (header.length > longest) return { ...found, problem: `takes at most ${longest} characters` }
  const parts = partsOf(header)
  const isAsynchronous = parts.some((part) => part.toLowerCase() === 'respond-async')
  for (const part of parts) {
    const { name, value, text } = wordsOf(part)
    const word = name.toLowerCase()
    const known = names.find((one) => one === (word === 'wait' && !isAsynchronous ? 'delay' : word))
    if (known === undefined) found.problem ??= problemOfName(part, name)
    else if (known === 'variant') {
      const wanted = variants.find((one) => one === value?.toLowerCase())
      if (!wanted) found.problem ??= `does not know ${part}; ${adviceOnUnknownWord(value ?? '', variants)}`
      else if (!found.variant) [found.variant, found.variantText] = [wanted, text]
    } else {
      const fault = value === undefined ? undefined : faultOf(known, value)
      if (fault) found.faults.push({ fault, text, status: Number(known === 'code' ? value : undefined) })
      else found.problem ??= problemOfValue(known, part, value)
    }
  }
  const isEmpty = !found.variant && found.faults.length === 0 && found.problem === undefined
  return isEmpty ? undefined : found
}

/** Splits at commas and semicolons outside quotes, in one pass. */
function partsOf(header: string): string[] {
  const parts = header.match(/(?:"[^"]*"?|[^",;])+/g) ?? []
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** A preference: its name and value, and how it is echoed. The value is undefined if it is missing or malformed. */
function wordsOf(part: string): { name: string; value: string | undefined; text: string } {
  const at = part.indexOf('=')
  if (at < 0) return { name: part, value: undefined, text: part }
  const name = part.slice(0, at).trim()
  const given = part.slice(at + 1).trim()
  const quoted = given.length > 1 && given.startsWith('"') && given.indexOf('"', 1) === given.length - 1
  const value = quoted ? given.slice(1, -1) : /^[^\s"]+$/.test(given) ? given : undefined
  return { name, value, text: `${name}=${given}` }
}

type FaultName = Exclude<(typeof names)[number], 'variant'>

function faultOf(name: FaultName, value: string): Fault | undefined {
  if (name === 'delay') return parseFault(`delay ${/^\d+(\.\d+)?$/.test(value) ? `${value}s` : value}`)
  const fault = parseFault(value)
  return name === 'fault' || fault?.kind === 'error' ? fault : undefined
}

function problemOfValue(name: FaultName, part: string, value: string | undefined): string {
  if (name === 'delay') return `takes delay=2 or delay=500ms, at most 10m, not ${part}`
  if (value === undefined) {
    const given = part
      .slice(part.indexOf('=') + 1)
      .replaceAll('"', '')
      .trim()
    return parseFault(given)
      ? `takes a fault of several words in quotes: ${name}="${given}"`
      : `takes ${name}=busy, or several words in quotes, such as fault="slow 5s", not ${part}`
  }
  if (name === 'fault') return faultTextProblem(value)
  if (parseFault(value)) return `takes an error as ${name}, not "${value}"; write fault="${value}"`
  const words = name === 'code' ? Object.keys(errorCodeByStatus) : [...errorCodes]
  return `does not know the error "${value}"; ${adviceOnUnknownWord(value, [...words, ...(name === 'code' ? errorCodes : [])], words)}`
}

/** The mock ignores what other standards define; anything else is taken for a misspelled preference. */
function problemOfName(part: string, name: string): string | undefined {
  const word = name.toLowerCase()
  if (registered.test(word) || word.includes('/')) return undefined
  return `does not know ${part}; ${adviceOnUnknownWord(/^[a-z-]*/i.exec(name)?.[0] || name, names)}`
}

/** A directive, of bounded length and without inner brackets, so that matching takes linear time. */
const directive = /\[\[mock:([^\][]{1,300})\]\]/gi
/** A text in brackets, which may have been meant as a directive: `[[mok:fail]]`, `[mock:fail]]`. */
const bracketed = /\[{1,2}[^\][]{1,300}\]/g
/** Maximum number of directives in a text, because a header of the answer repeats what was applied. */
const mostDirectives = 100
/** Maximum number of texts in brackets to compare with a directive; somebody who writes more of them means none. */
const mostCompared = 1_000

/** True if a text may contain a directive such as `[[mock:busy]]`, or a misspelled one. */
export function mayHaveDirective(text: string): boolean {
  return text.includes('[')
}

/**
 * Returns the directives in a text, at most one more than allowed. `create`: true if it is for the creation of the
 * task.
 */
function directivesOf(text: string) {
  return [...text.matchAll(directive).take(mostDirectives + 1)].map(([written, content = '']) => {
    const [, prefix, rest = ''] = /^(create:\s*)?(.*)$/i.exec(content.trim()) ?? []
    return { written, create: prefix !== undefined, text: rest }
  })
}

/**
 * The faults that the directives in a text ask for, in order, without invalid ones. `about`: the requests to which they
 * are to apply: the present one, or the creation or the run of the task that has the text.
 */
export function faultsInDirectives(text: string, about: 'request' | 'creation' | 'run'): Fault[] {
  return directivesOf(text)
    .filter(({ create }) => about === 'request' || (about === 'creation') === create)
    .flatMap((one) => parseFault(one.text) ?? [])
}

/**
 * The reason why a directive in a text cannot be followed or looks misspelled, as text that completes "The mock …";
 * undefined: there is no such directive.
 */
export function directiveProblemIn(operation: OperationId, text: string): string | undefined {
  const found = directivesOf(text)
  if (found.length > mostDirectives) return `takes at most ${mostDirectives} directives`
  for (const { written, create, text: word } of found) {
    const fault = parseFault(word)
    const target = operation === 'createTask' && !create ? 'runTask' : operation
    const problem = fault
      ? faultOperationProblem(target, fault)
      : (misspelledCreate(word) ?? faultTextProblem(word))
    if (problem) return `${problem} (${written})`
  }
  return misspelled(text.replace(directive, ' '))
}

function misspelledCreate(word: string): string | undefined {
  const at = word.indexOf(':')
  const prefix = word.slice(0, Math.max(0, at)).trim()
  if (prefix === '' || faultKeywords.includes(prefix.toLowerCase()) || !findClosestWord(prefix, ['create']))
    return undefined
  return `does not know "${prefix}:"; did you mean [[mock:create:${word.slice(at + 1).trim()}]]?`
}

/** Returns the problem of a bracketed text that looks like a misspelled directive. */
function misspelled(rest: string): string | undefined {
  let compared = 0
  for (const [chunk] of rest.matchAll(bracketed)) {
    if (!resemblesMarker(chunk)) continue
    if (++compared > mostCompared) break
    const { slips, end } = markerIn(chunk)
    if (slips > mostSlips) continue
    const word =
      chunk
        .slice(end)
        .replace(/^\W*(?:.{0,2}create\W*)?/i, '')
        .split(/[\s:\]]/)[0] ?? ''
    const meant = parseFault(word) ? word : findClosestWord(word, faultKeywords)
    if (slips === 0 || meant) return `does not know ${chunk}; did you mean [[mock:${meant ?? 'fail'}]]?`
  }
  return /\[\[mock:/i.test(rest)
    ? 'takes directives such as [[mock:fail]]; one in this text is incomplete'
    : undefined
}

const marker = '[[mock:'
const letters = [...new Set(marker)]
/** Letters of a marker that may differ. */
const mostSlips = 2

/** True if enough letters of a marker stand at the beginning of a bracketed text, in any order. */
function resemblesMarker(chunk: string): boolean {
  const beginning = chunk.slice(0, marker.length + mostSlips).toLowerCase()
  let missing = 0
  for (const letter of letters) if (!beginning.includes(letter)) missing++
  return missing <= mostSlips
}

/** Compares the beginning of a bracketed text with a marker: how many letters differ, and where it ends. */
function markerIn(chunk: string): { slips: number; end: number } {
  return [6, 7, 5, 8, 9]
    .map((end) => ({ slips: distance(chunk.slice(0, end).toLowerCase(), marker), end }))
    .reduce((best, one) => (one.slips < best.slips ? one : best))
}
