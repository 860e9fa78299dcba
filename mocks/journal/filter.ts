/** Filters of the journal: the same fields in a query, in a body and in process. */
import { z } from 'zod'
import { fields, oneOf } from '#contract/input/checked.ts'
import { type OperationId, operationIds } from '#contract/operation.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { instant, type MomentInput, momentAdvice } from '../core/clock.ts'

const split = (text: string) => text.split(',').map((word) => word.trim())

/** One value, a list, or values separated by commas. */
const oneOrMore = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => [value].flat().flatMap(split))

const operations = oneOrMore.pipe(z.array(oneOf(operationIds)))

/** `404`, `4xx`, a number, or a list of them. */
const statuses = z
  .union([z.int(), z.string(), z.array(z.union([z.int(), z.string()]))])
  .transform((value) => [value].flat().flatMap((one) => split(String(one))))
  .refine(
    (list) => list.every((word) => /^([1-5]\d\d|[1-5]xx|0)$/.test(word)),
    'takes statuses such as 404 or 4xx; 0: no response',
  )

/** The number of a request, or a time. */
const since = z
  .union([z.int().min(0), z.string()])
  .transform((value, context): { number: number } | { at: number } => {
    if (/^\d+$/.test(String(value))) return { number: Number(value) }
    const at = instant(value)
    if (at !== undefined) return { at }
    context.addIssue({ code: 'custom', message: `${momentAdvice}, or the number of a request` })
    return z.NEVER
  })

const limit = z
  .union([z.int(), z.string().regex(/^\d+$/)])
  .transform(Number)
  .refine((n) => n >= 0, 'takes a whole number, 0 or more')

const truth = z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])

/** Schema of a filter; every field is optional. */
export const requestFilter = fields({
  operation: operations.optional().describe('Operation ids, such as `runTask`.'),
  method: oneOrMore.optional().describe('Methods, such as `POST`.'),
  path: z.string().optional().describe('The path; `*` matches any text.'),
  status: statuses.optional().describe('Statuses, such as `404` or `4xx`; `0`: no response was sent.'),
  error: oneOrMore.optional().describe('`error` codes of the response, such as `no_credits`.'),
  org_id: z.string().optional().describe('The organization, as `whoami` reports it.'),
  key_id: z.string().optional().describe('The key that was used, by its id.'),
  faulted: truth.optional().describe('Whether a fault applied to the request.'),
  body: z.string().optional().describe('Text that the body of the request contains.'),
  since: since.optional().describe('Only requests after this number, or from this mock time on.'),
  until: limit.optional().describe('Only requests up to this number.'),
  text: z
    .string()
    .optional()
    .describe('Text in address, bodies, ids, `error` or fault; upper and lower case are the same.'),
  limit: limit.optional().describe('The maximum number of requests; the newest are returned.'),
})

/** A filter as written by a caller. */
export type RequestFilter = Omit<z.input<typeof requestFilter>, 'operation' | 'since'> & {
  /** Operation ids, such as `runTask`. */
  readonly operation?: OperationId | readonly OperationId[] | `${OperationId},${string}` | undefined
  /** Only requests after this number, or from this mock time on. */
  readonly since?: MomentInput | undefined
}
/** A parsed filter. */
export type RequestMatch = z.output<typeof requestFilter>

type Test = (entry: JournalEntry) => boolean

/** Returns a function that tests entries against a filter; it ignores `limit`. */
export function matcherOf(match: RequestMatch): Test {
  const tests: Test[] = []
  const among = (list: readonly string[] | undefined, read: (entry: JournalEntry) => string | null) => {
    if (!list) return
    const wanted = new Set<string | null>(list.map((word) => word.toLowerCase()))
    tests.push((entry) => wanted.has(read(entry)?.toLowerCase() ?? null))
  }
  const { path, status, faulted, body, since, until, text } = match
  among(match.operation, ({ operation }) => operation)
  among(match.method, ({ method }) => method)
  among(match.error, ({ error }) => error)
  among(match.org_id === undefined ? undefined : [match.org_id], ({ org_id }) => org_id)
  among(match.key_id === undefined ? undefined : [match.key_id], ({ key_id }) => key_id)
  if (path !== undefined) {
    const matches = globOf(path)
    tests.push(({ url }) => matches(URL.parse(url)?.pathname ?? url))
  }
  if (status) {
    const wanted = new Set(status)
    tests.push(
      (entry) => wanted.has(String(entry.status)) || wanted.has(`${Math.floor(entry.status / 100)}xx`),
    )
  }
  if (faulted !== undefined) tests.push(({ reason }) => (reason !== null) === faulted)
  if (body !== undefined) tests.push((entry) => entry.body?.includes(body) ?? false)
  if (until !== undefined) tests.push((entry) => entry.number <= until)
  if (text !== undefined) tests.push(mentions(text.toLowerCase()))
  if (since) tests.push((entry) => ('number' in since ? entry.number > since.number : entry.at >= since.at))
  return (entry) => tests.every((test) => test(entry))
}

/** Returns a function that looks for a text in lower case. */
function mentions(text: string): Test {
  return ({ method, url, body, answer, id, org_id, error, reason }) =>
    [`${method} ${url}`, body, answer, id, org_id, error, reason].some((part) =>
      part?.toLowerCase().includes(text),
    )
}

/** Compiles a glob. Matches each part at its first position, in linear time whatever the number of stars. */
function globOf(glob: string): (text: string) => boolean {
  const [first = '', ...others] = glob.split('*')
  const last = others.pop()
  return (text) => {
    if (last === undefined) return text === first
    if (!text.startsWith(first)) return false
    let from = first.length
    for (const part of others) {
      const at = text.indexOf(part, from)
      if (at < 0) return false
      from = at + part.length
    }
    return text.length - last.length >= from && text.endsWith(last)
  }
}
