/** Codes of errors in answers. */
import { field } from '#traffic/exchange.ts'
import type { Answer } from './event.ts'

/** The `error` code of an answer; undefined where there is none. */
export function codeOf({ json }: Answer): string | undefined {
  const code = field(json, 'error')
  return typeof code === 'string' ? code : undefined
}

/** `404 not_found`: an answer in a few words. */
export const brief = (answer: Answer): string => `${answer.status} ${codeOf(answer) ?? ''}`.trim()
