/** The words of the fault grammar: reads a fault, and says what is wrong with a text that is none. */
import type { ErrorCode } from '#contract/errors.ts'
import { adviceOnUnknownWord } from '#contract/input/suggestion.ts'
import { keywordByAlias } from './aliases.ts'
import { type DelayFault, type Fault, faultRowByWord, faultRows } from './fault.ts'

/** All faults as users can write them, for error messages; those that need an argument with an example. */
export const faultExamples: readonly string[] = faultRows.flatMap(
  ({ keyword, example = keyword, alternative = [] }) => [example, alternative].flat(),
)

/** The code of each status; 409 is `busy`, which only a run returns. */
const statusCodes = {
  400: 'invalid_request',
  401: 'unauthorized',
  402: 'no_credits',
  404: 'not_found',
  409: 'busy',
  422: 'invalid_request',
  429: 'rate_limited',
  500: 'internal_error',
  503: 'unavailable',
} as const satisfies Readonly<Record<number, ErrorCode>>
/** The type of `errorCodeByStatus`. */
export type ErrorCodeByStatus = typeof statusCodes

/** The error code that each status means in a fault rule. */
export const errorCodeByStatus: Readonly<Record<string, string>> = statusCodes

/** All words with which a fault can begin, for suggestions. */
export const faultKeywords: readonly string[] = [
  ...faultRows.map(({ keyword }) => keyword),
  ...Object.keys(keywordByAlias),
  ...Object.keys(errorCodeByStatus),
]

/** The first word of a fault as it was written, the keyword that it means, and its arguments. */
function wordsOf(text: string, read = (name: string) => name) {
  const [first = '', ...args] = text
    .trim()
    .toLowerCase()
    .split(/[\s:]+/)
  const name = read(first.replaceAll('-', '_'))
  return { first, name, word: keywordByAlias[name] ?? name, args }
}

/** Parses a fault such as `rate_limited`, `402`, `delay 100ms..900ms`, `lost` or `dribble 2s`; undefined: invalid. */
export function parseFault(text: string): Fault | undefined {
  const { word, args } = wordsOf(text, (name) => name.replace(/^return_(?=\d{3}$)/, ''))
  const found = faultRowByWord.get(errorCodeByStatus[word] ?? word)
  if (found?.read) return found.read(args)
  return found && args.length === 0 ? ({ kind: found.keyword } as Fault) : undefined
}

/** Parses a delay such as `2s`, `100ms..900ms` or `lognormal 90ms 0.4`; undefined: invalid. */
export function parseDelay(text: string): DelayFault | undefined {
  const fault = parseFault(`delay ${text}`)
  return fault?.kind === 'delay' ? fault : undefined
}

/** The reason why a text is not a fault, with a suggestion, as text that completes "The mock …". */
export function faultTextProblem(text: string): string {
  const { first, name, word } = wordsOf(text)
  const takes = faultRowByWord.get(word)?.syntax
  if (takes !== undefined) return `takes ${takes}, not "${text.trim()}"`
  return faultKeywords.includes(word)
    ? `takes "${first}" without an argument, not "${text.trim()}"`
    : `does not know the fault "${text.trim()}"; ${adviceOnUnknownWord(name, faultKeywords, faultExamples)}`
}
