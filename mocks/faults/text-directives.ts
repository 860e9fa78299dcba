/**
 * Text directives: `[[mock:…]]` in a text, for people who cannot set headers. In the text of a task they apply to
 * its runs or, with `create:`, to its creation; in a title, name or prompt they apply to that request.
 */

import { distance, probablyMeant } from '#contract/input/suggestion.ts'
import type { OperationId } from '#contract/operation.ts'
import { type Fault, parseFault, problemOfFault, problemOn, words } from './fault.ts'

/** Bounded and without inner brackets, so that matching takes linear time. */
const directive = /\[\[mock:([^\][]{1,300})\]\]/gi
/** A text in brackets, which may have been meant as a directive: `[[mok:fail]]`, `[mock:fail]]`. */
const bracketed = /\[{1,2}[^\][]{1,300}\]/g
/** Maximum number of directives in a text: what applied stands in a header of the answer. */
const mostDirectives = 100
/** So many texts in brackets are compared with a directive; somebody who writes more of them means none. */
const mostCompared = 1_000

/** Returns whether a text may contain a directive, or something that was meant as one. */
export function mayHaveDirective(text: string): boolean {
  return text.includes('[')
}

interface Directive {
  readonly written: string
  /** Whether it applies to the creation of the task. */
  readonly create: boolean
  readonly text: string
}

/** Returns at most one more than there may be. */
function directivesOf(text: string): Directive[] {
  return [...text.matchAll(directive).take(mostDirectives + 1)].map(([written, content = '']) => {
    const [, prefix, rest = ''] = /^(create:\s*)?(.*)$/i.exec(content.trim()) ?? []
    return { written, create: prefix !== undefined, text: rest }
  })
}

/** Returns the faults in a text, in order, without invalid ones. `about`: what they should apply to. */
export function directivesIn(text: string, about: 'request' | 'creation' | 'run'): Fault[] {
  return directivesOf(text)
    .filter(({ create }) => about === 'request' || (about === 'creation') === create)
    .flatMap((one) => parseFault(one.text) ?? [])
}

/** Returns why a directive in a new text cannot be followed, or looks misspelled, completing "The mock …". */
export function problemInText(operation: OperationId, text: string): string | undefined {
  const found = directivesOf(text)
  if (found.length > mostDirectives) return `takes at most ${mostDirectives} directives`
  for (const { written, create, text: word } of found) {
    const fault = parseFault(word)
    const target = operation === 'createTask' && !create ? 'runTask' : operation
    const problem = fault ? problemOn(target, fault) : (misspelledCreate(word) ?? problemOfFault(word))
    if (problem) return `${problem} (${written})`
  }
  return misspelled(text.replace(directive, ' '))
}

/** Returns the problem of a directive for a creation whose prefix is misspelled. */
function misspelledCreate(word: string): string | undefined {
  const at = word.indexOf(':')
  const prefix = word.slice(0, Math.max(0, at)).trim()
  if (prefix === '' || words.includes(prefix.toLowerCase()) || !probablyMeant(prefix, ['create']))
    return undefined
  return `does not know "${prefix}:"; did you mean [[mock:create:${word.slice(at + 1).trim()}]]?`
}

/** Returns the problem of a bracketed text that differs from a directive by a slip of the pen. */
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
        .replace(/^.{0,2}create\W*/i, '')
        .split(/[\s:\]]/)[0] ?? ''
    const meant = probablyMeant(word, words)
    if (slips === 0 || meant) return `does not know ${chunk}; did you mean [[mock:${meant ?? 'fail'}]]?`
  }
  return /\[\[mock:/i.test(rest)
    ? 'takes directives such as [[mock:fail]]; one in this text is incomplete'
    : undefined
}

const marker = '[[mock:'
const letters = [...new Set(marker)]
/** So many letters of a marker may differ. */
const mostSlips = 2

/** Whether enough letters of a marker stand at the beginning of a bracketed text, in any order. */
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
