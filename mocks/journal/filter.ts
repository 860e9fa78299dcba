/** Which requests of the journal are meant: the same words over HTTP, in a query or a body, and in process. */
import { z } from 'zod'
import { operationIds } from '#contract/operation.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'

const words = (text: string) => text.split(',').map((word) => word.trim())

/** One value, several, or several with commas between them. */
const oneOrMore = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => [value].flat().flatMap(words))

const known = new Set<string>(operationIds)

const operations = oneOrMore.refine(
  (list) => list.every((word) => known.has(word)),
  `takes operations: ${operationIds.join(', ')}`,
)

/** `404`, `4xx`, a number, or several of them. */
const statuses = z
  .union([z.int(), z.string(), z.array(z.union([z.int(), z.string()]))])
  .transform((value) => [value].flat().flatMap((one) => words(String(one))))
  .refine(
    (list) => list.every((word) => /^([1-5]\d\d|[1-5]xx|0)$/.test(word)),
    'takes statuses such as 404 or 4xx; 0: no answer',
  )

/** The number of a request, or a moment. */
const since = z
  .union([z.int().min(0), z.string()])
  .transform((value, context): { number: number } | { at: number } => {
    if (/^\d+$/.test(String(value))) return { number: Number(value) }
    const at = Date.parse(String(value))
    if (!Number.isNaN(at)) return { at }
    context.addIssue({
      code: 'custom',
      message: 'takes the number of a request, or an ISO 8601 moment',
    })
    return z.NEVER
  })

const limit = z
  .union([z.int(), z.string().regex(/^\d+$/)])
  .transform(Number)
  .refine((n) => n >= 0, 'takes a whole number, 0 or more')

const truth = z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])

/** A filter as it is written; every part may be left out. */
export const requestFilter = z.strictObject({
  operation: operations.optional().describe('Operation ids, such as `runTask`.'),
  method: oneOrMore.optional().describe('Methods, such as `POST`.'),
  path: z.string().optional().describe('The path, in which `*` stands for anything.'),
  status: statuses.optional().describe('Statuses, such as `404` or `4xx`; `0`: no answer was sent.'),
  error: oneOrMore.optional().describe('`error` codes of the answer, such as `no_credits`.'),
  org_id: z.string().optional().describe('The organization, as `whoami` reports it.'),
  key_id: z.string().optional().describe('The key that was used, by its id in the list of keys.'),
  faulted: truth.optional().describe('Whether a fault was at work.'),
  body: z.string().optional().describe('A text that the body of the request contains.'),
  since: since.optional().describe('After the request of this number, or from this moment of mock time on.'),
  limit: limit.optional().describe('At most so many: the newest.'),
})

/** Which requests are meant. */
export type RequestFilter = z.input<typeof requestFilter>
/** The same, read. */
export type RequestMatch = z.output<typeof requestFilter>

type Test = (entry: JournalEntry) => boolean

/** Whether an entry is meant; `limit` has no say in it. */
export function matcherOf(match: RequestMatch): Test {
  const tests: Test[] = []
  const among = (list: readonly string[] | undefined, read: (entry: JournalEntry) => string | null) => {
    if (!list) return
    const wanted = new Set<string | null>(list.map((word) => word.toLowerCase()))
    tests.push((entry) => wanted.has(read(entry)?.toLowerCase() ?? null))
  }
  const { path, status, faulted, body, since } = match
  among(match.operation, ({ operation }) => operation)
  among(match.method, ({ method }) => method)
  among(match.error, ({ error }) => error)
  among(match.org_id === undefined ? undefined : [match.org_id], ({ org_id }) => org_id)
  among(match.key_id === undefined ? undefined : [match.key_id], ({ key_id }) => key_id)
  if (path !== undefined) {
    const fits = globOf(path)
    tests.push(({ url }) => fits(URL.parse(url)?.pathname ?? url))
  }
  if (status) {
    const wanted = new Set(status)
    tests.push(
      (entry) => wanted.has(String(entry.status)) || wanted.has(`${Math.floor(entry.status / 100)}xx`),
    )
  }
  if (faulted !== undefined) tests.push(({ reason }) => (reason !== null) === faulted)
  if (body !== undefined) tests.push((entry) => entry.body?.includes(body) ?? false)
  if (since) tests.push((entry) => ('number' in since ? entry.number > since.number : entry.at >= since.at))
  return (entry) => tests.every((test) => test(entry))
}

/** Part after part, each at its first place: in time that grows with the text, however many stars there are. */
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
