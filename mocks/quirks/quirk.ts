/** One quirk: a behaviour that the specification allows and that a client may not expect; what most are made of, rewrites of answers; and the quirks of formats. */
import type { z } from 'zod'
import { type OperationId, routeOf } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import { changeAt, type Fields, isFields } from '#traffic/exchange.ts'
import type { Failure } from '../core/failure.ts'
import type { Organization } from '../core/organization.ts'
import type { SeededRandom } from '../core/random.ts'
import type { ResponseParts } from '../handlers/respond.ts'
import type { Call } from '../handlers/views.ts'

/** The variant of operations that have two; `both`: with the fields of both. */
export type Variants = Readonly<Organization['variants']>

/** Does what `usual` does with the same call; another call or answer tells that the quirk applied. */
export type HandleQuirk = (
  call: Call,
  usual: (call: Call) => object | Failure,
  random: SeededRandom,
) => object | Failure

/** A row of the table of quirks. All parts after `share` say how behaviour changes; each may be left out. */
export interface Quirk {
  readonly id: string
  /** What the service does, in the present tense. */
  readonly title: string
  /** What allows it: an anchor of docs/specification.md, such as `#run-refund`, or an RFC, and what is open there. */
  readonly allowed: string
  /** Quirks of the same group exclude each other. */
  readonly group?: string
  /** What has the quirk: an organization for ever (the default), one answer, one run, or the ids of one kind. */
  readonly scope?: 'answer' | 'run' | 'ids'
  /** How often strict-client mode draws it, 0 to 1; undefined: only where it is named. */
  readonly share?: number

  readonly variants?: (usual: Variant) => Variants
  /** Credits beside those that can be spent, less than one. */
  readonly looseCredits?: number
  readonly newId?: (random: SeededRandom, kind: string) => string
  /** Ids of this form are for organizations too: they can stand in a URL as they are. */
  readonly plain?: boolean
  /** What a body must look like; calls `refused` if one that is otherwise valid does not. */
  readonly bodyOf?: (schema: z.ZodObject, refused: () => void) => z.ZodObject
  /** Whether a body of this `Content-Type` is read; null: it has none. */
  readonly readsType?: (type: string | null) => boolean
  readonly handle?: Readonly<Partial<Record<OperationId, HandleQuirk>>>
  readonly retryAfter?: 'date'
  /** Whether errors follow the table of the other variant. */
  readonly otherErrors?: boolean
  /** `operation`: null for an answer of a path or method that is no operation. */
  readonly rewrite?: (
    parts: ResponseParts,
    context: { readonly operation: OperationId | null; readonly random: SeededRandom },
  ) => ResponseParts
  readonly serialize?: (body: object) => string
  readonly spell?: (name: string, random: SeededRandom) => string
}

/** Quirks by id and title, such as `plan-object: plan is an object.` */
export type QuirkTable = Readonly<Record<string, Omit<Quirk, 'id' | 'title'>>>

export function quirksIn(table: QuirkTable): readonly Quirk[] {
  return Object.entries(table).map(([name, quirk]) => {
    const [id = '', title = ''] = name.split(/: (.*)/s)
    return { id, title, ...quirk }
  })
}

type Rewrite = NonNullable<Quirk['rewrite']>

/** Rewrites the bodies of successes of operations, or of all where none is named. */
export function rewriteBody(
  change: (body: object, random: SeededRandom) => unknown,
  ...operations: OperationId[]
): Rewrite {
  return (parts, { operation, random }) =>
    parts.status >= 300 || operation === null || (operations.length > 0 && !operations.includes(operation))
      ? parts
      : { ...parts, body: change(parts.body, random) as object }
}

/** Rewrites one place, such as `items.*.status`, in successes of operations. */
export function rewriteField(
  path: string,
  change: (value: unknown, parent: Fields) => unknown,
  ...operations: OperationId[]
): Rewrite {
  return rewriteBody((body) => changeAt(body, path.split('.'), change), ...operations)
}

export function rewriteObjects(change: (fields: Fields, random: SeededRandom) => object): Rewrite {
  return (parts, { random }) => {
    const body = changeObjects(parts.body, (fields) => change(fields, random)) as object
    return body === parts.body ? parts : { ...parts, body }
  }
}

export function inOrder(...rewrites: readonly Rewrite[]): Rewrite {
  return (parts, context) => rewrites.reduce((before, rewrite) => rewrite(before, context), parts)
}

/** What clients gave as objects: it comes back unchanged. */
const given = new Set(['spec', 'strategy'])

/** A value with every object in it changed, from the inside out. What stays the same is not copied. */
export function changeObjects(value: unknown, change: (fields: Fields) => object): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => changeObjects(item, change))
    return items.every((item, at) => item === value[at]) ? value : items
  }
  if (!isFields(value)) return value
  let fields = value
  for (const [name, one] of Object.entries(value)) {
    const changed = given.has(name) ? one : changeObjects(one, change)
    if (changed !== one) fields = { ...fields, [name]: changed }
  }
  return change(fields)
}

export function pick<const L extends readonly [unknown, ...unknown[]]>(
  random: SeededRandom,
  list: L,
): L[number] {
  return list[Math.floor(random.fraction() * list.length)]
}

export function shuffled<T>(random: SeededRandom, list: readonly T[]): T[] {
  return list
    .map((value) => ({ value, place: random.word() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
}

/** Draws quirks by their shares, at most one of each group. */
export function drawQuirks(random: SeededRandom, quirks: readonly Quirk[]): Quirk[] {
  const lots = new Map<string, number>()
  return quirks.filter(({ id, group = id, share = 0 }) => {
    const lot = lots.get(group) ?? random.fraction()
    lots.set(group, lot - share)
    return lot >= 0 && lot < share
  })
}

const names = ['_links', 'etag', 'labels', 'owner', 'meta', '$schema', 'x-trace', '__v', ''] as const

const values = [
  null,
  false,
  0,
  -1.5e-7,
  'n/a',
  [],
  {},
  [null, [1]],
  { href: '/', rel: ['self'] },
  'é\u2028"\\',
  9_007_199_254_740_991,
] as const

const headers = [
  ['etag', 'W/"1"'],
  ['cache-control', 'no-store, max-age=0'],
  ['vary', 'accept, authorization'],
  ['x-request-id', '7f3c'],
  ['x-ratelimit-remaining', '1'],
  ['link', '</api/cli/tasks>; rel="related"'],
  ['server', 'another'],
  ['set-cookie', 'trace=1; Path=/'],
] as const

const mediaType = (id: string, value: string): QuirkTable => ({
  [`content-type-${id}: Content-Type is ${value}.`]: {
    allowed: '#json-only: parameters of application/json are free.',
    group: 'content type',
    scope: 'answer',
    share: 0.2,
    rewrite: (parts) => ({ ...parts, headers: { ...parts.headers, 'content-type': value } }),
  },
})

const json = (id: string, title: string, serialize: (body: object) => string): QuirkTable => ({
  [`json-${id}: ${title}`]: {
    allowed: 'RFC 8259 §2, §7: white space and escapes are free.',
    group: 'JSON',
    scope: 'answer',
    share: 0.2,
    serialize,
  },
})

const escaped = (text: string) =>
  text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const spellings = [
  (name: string) => name.toUpperCase(),
  (name: string) =>
    name.replace(/(^|-)(\w)/g, (_, dash: string, letter: string) => dash + letter.toUpperCase()),
  (name: string) => name.replace(/\w/g, (letter, at: number) => (at % 2 ? letter : letter.toUpperCase())),
] as const

export const responseFormats = quirksIn({
  'created-201: Creations are answered 201, other changes 202.': {
    allowed: '#success-status: any 2xx is a success.',
    scope: 'answer',
    share: 0.5,
    rewrite(parts, { operation }) {
      if (parts.status !== 200 || operation === null || routeOf(operation).method === 'GET') return parts
      return { ...parts, status: /^create|^generate/.test(operation) ? 201 : 202 }
    },
  },
  'extra-fields: Objects have fields beyond those that are documented.': {
    allowed: '#2-data: objects may carry further fields.',
    scope: 'answer',
    share: 1,
    rewrite: rewriteObjects((fields, random) => {
      const extra = () => (random.fraction() < 0.7 ? { [pick(random, names)]: pick(random, values) } : {})
      return { ...extra(), ...fields, ...without(fields, extra()) }
    }),
  },
  'field-order: Fields come in another order.': {
    allowed: 'RFC 8259 §4: an object is an unordered collection.',
    scope: 'answer',
    share: 0.8,
    rewrite: rewriteObjects((fields, random) => Object.fromEntries(shuffled(random, Object.entries(fields)))),
  },
  ...mediaType('charset', 'application/json; charset=utf-8'),
  ...mediaType('tight', 'application/json;charset=UTF-8'),
  ...mediaType('capital', 'Application/JSON'),
  ...mediaType('quoted', 'application/json; Charset="utf-8"'),
  'headers: Answers have further headers.': {
    allowed: '#not-required: headers may be added (RFC 9110 §5.1).',
    scope: 'answer',
    share: 0.5,
    rewrite: (parts, { random }) => ({
      ...parts,
      headers: { ...parts.headers, ...Object.fromEntries([pick(random, headers), pick(random, headers)]) },
    }),
  },
  ...json('indented', 'JSON is written over several lines.', (body) => JSON.stringify(body, null, 2)),
  ...json('padded', 'White space surrounds the JSON.', (body) => `\r\n\t ${JSON.stringify(body)}\n`),
  ...json('ascii', 'JSON escapes all characters beyond ASCII.', (body) => escaped(JSON.stringify(body))),
  ...json('slashes', 'JSON escapes slashes.', (body) => JSON.stringify(body).replaceAll('/', '\\/')),
  'limit-dates: Retry-After is an HTTP date.': {
    allowed: '#rate-limit: Retry-After has two forms.',
    group: 'limit',
    scope: 'answer',
    share: 0.5,
    retryAfter: 'date',
  },
  'header-names: Names of headers are in other cases.': {
    allowed: 'RFC 9110 §5.1: field names are case-insensitive.',
    scope: 'answer',
    share: 0.7,
    spell: (name, random) => pick(random, spellings)(name),
  },
})

/** The further fields that an object does not have yet. */
function without(fields: object, extra: object): object {
  return Object.fromEntries(Object.entries(extra).filter(([name]) => !Object.hasOwn(fields, name)))
}
