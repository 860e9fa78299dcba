/** What the request of a check has that a usual one has not: ids, queries and bodies, with their lengths. Pure. */
import type { OperationId } from '#contract/operation.ts'
import { requestedId, sentId } from '#traffic/odd-input.ts'

/** The run id of the run whose requests are described. */
export const describedRun = 'run'

/** What makes the texts of that run unique. */
const mark = new RegExp(String.raw` \(${describedRun}-\d+\)`, 'g')

/** Most characters shown of one id or body. */
const longest = 100

/** Descriptions, such as `id %ff`; `answered`: everything that the service has answered before. */
export function unusualIn(
  operation: OperationId,
  url: string,
  body: string | undefined,
  answered: string,
): string[] {
  const id = sentId(operation, url)
  const { search } = new URL(url)
  return [
    ...(id === undefined || isIn(answered, requestedId({ operation, url })) ? [] : [`id ${shown(id)}`]),
    ...(search === '' ? [] : [`query ${shown(search.slice(1).replaceAll(/%20\(.*?\)/g, ''))}`]),
    ...(body === undefined || isUsual(body) ? [] : [`body ${shown(body.replaceAll(mark, ''))}`]),
  ]
}

function isIn(answered: string, id: string | undefined): boolean {
  return id !== undefined && (answered.includes(`"${id}"`) || answered.includes(`:${id},`))
}

/** Whether a body has short and simple texts only. */
function isUsual(body: string): boolean {
  try {
    const value = JSON.parse(body)
    const texts = Object.values(typeof value === 'string' ? {} : value)
    return !Array.isArray(value) && texts.length > 0 && texts.every((one) => isPlain(one))
  } catch {
    return false
  }
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' && /^[\w ]{1,60}$/.test(value.replaceAll(mark, ''))
}

/** A text in which what no terminal shows is written out, and of a long one its beginning and its length. */
function shown(text: string): string {
  const readable = text
    .slice(0, longest)
    .replaceAll(/[\udc80-\udcff]/gu, (one) => `\\x${(one.charCodeAt(0) - 0xdc00).toString(16)}`)
    .replaceAll(/\p{Cc}|\p{Cf}/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (text.length <= longest) return readable === '' ? '(empty)' : readable
  return `${readable.toWellFormed()}… (${text.length.toLocaleString('en')} characters)`
}
