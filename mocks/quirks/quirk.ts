/**
 * One quirk: a behaviour that the specification allows and that a client may not expect; rewrites of answers, of which
 * most quirks are made; and the quirks of response formats.
 */
import type { z } from 'zod'
import { type OperationId, routeOf } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import { changeAtPath, type JsonObject } from '#traffic/exchange.ts'
import type { Failure } from '../core/failure.ts'
import type { Organization } from '../core/organization.ts'
import type { QuirkId } from '../core/quirk-id.ts'
import type { SeededRandom } from '../core/random.ts'
import type { ResponseParts } from '../handlers/respond.ts'
import type { HandlerCall } from '../handlers/views.ts'

/** The operations that answer in another variant than usual, each with that variant; `both`: the fields of both. */
export type VariantOverrides = Readonly<Organization['variants']>

/**
 * A function that wraps the `usual` handler of an operation. If it changes the call or the answer, the journal says
 * that the quirk applied.
 */
export type HandlerWrapper = (
  call: HandlerCall,
  usual: (call: HandlerCall) => object | Failure,
  random: SeededRandom,
) => object | Failure

/**
 * A quirk: behaviour that the specification allows and clients may not expect. The fields after `share` say how
 * behaviour changes; each may be left out.
 */
export interface Quirk {
  readonly id: QuirkId
  /** Behaviour of the service, in the present tense. */
  readonly title: string
  /**
   * The rule that allows it: an anchor of docs/specification.md, such as `#run-refund`, or an RFC, and what is open
   * there.
   */
  readonly allowed: string
  /** The group of quirks of which an organization gets at most one. */
  readonly group?: string
  /**
   * What the quirk is drawn for: an organization for ever (the default), each answer, each run, or the ids of one kind.
   */
  readonly scope?: 'answer' | 'run' | 'ids'
  /** The probability that strict-client mode draws it, 0 to 1; undefined if it applies only where it is named. */
  readonly share?: number

  readonly variants?: (usual: Variant) => VariantOverrides
  /** A fraction of a credit that is added to the initial balance. */
  readonly looseCredits?: number
  readonly newId?: (random: SeededRandom, kind: string) => string
  /** True if organizations get ids of this form too, since they can stand in a URL unescaped. */
  readonly plain?: boolean
  /**
   * Returns a stricter schema for request bodies, which calls `refused` if an otherwise valid body does not match it.
   */
  readonly bodyOf?: (schema: z.ZodObject, refused: () => void) => z.ZodObject
  /** Returns true if the service reads a body with this `Content-Type`; null if it has none. */
  readonly readsType?: (type: string | null) => boolean
  readonly handle?: Readonly<Partial<Record<OperationId, HandlerWrapper>>>
  readonly retryAfter?: 'date'
  /** True if errors have the statuses and messages of the other variant. */
  readonly otherErrors?: boolean
  /** Changes a response. `operation`: null for a path or method that is no operation. */
  readonly rewrite?: (
    parts: ResponseParts,
    context: { readonly operation: OperationId | null; readonly random: SeededRandom },
  ) => ResponseParts
  /** Writes a body as JSON. `text`: the body as it is usually written. */
  readonly serialize?: (text: string, body: object) => string
  readonly spell?: (name: string, random: SeededRandom) => string
}

/** A table of quirks by id. */
export type QuirkTable = Readonly<Record<string, Omit<Quirk, 'id'>>>

/** Converts a table of quirks to a list; the key of each row becomes its id. */
export const quirkListOf = (table: QuirkTable): readonly Quirk[] =>
  Object.entries(table).map(([id, quirk]) => ({ id: id as QuirkId, ...quirk }))

type Rewrite = NonNullable<Quirk['rewrite']>

/**
 * Creates a function that rewrites the bodies of success answers: of the given operations, or of all if none is given.
 */
export function createBodyRewrite(
  change: (body: object, random: SeededRandom) => unknown,
  ...operations: OperationId[]
): Rewrite {
  return (parts, { operation, random }) =>
    parts.status >= 300 || operation === null || (operations.length > 0 && !operations.includes(operation))
      ? parts
      : withBody(parts, change(parts.body, random) as object)
}

const withBody = (parts: ResponseParts, body: object): ResponseParts =>
  body === parts.body ? parts : { ...parts, body }

/**
 * Creates a function that rewrites the field at a path, such as `items.*.status`, in success answers: of the given
 * operations, or of all if none is given.
 */
export function createFieldRewrite(
  path: string,
  change: (value: unknown, parent: JsonObject) => unknown,
  ...operations: OperationId[]
): Rewrite {
  const names = path.split('.')
  return createBodyRewrite((body) => changeAtPath(body, names, change), ...operations)
}

/** Creates a function that rewrites every object in an answer, the innermost objects first. */
export function createObjectRewrite(change: (fields: JsonObject, random: SeededRandom) => object): Rewrite {
  return (parts, { random }) =>
    withBody(parts, mapObjects(parts.body, (fields) => change(fields, random)) as object)
}

/** Combines several rewrites into one; each gets the result of the one before. */
export function composeRewrites(...rewrites: readonly Rewrite[]): Rewrite {
  return (parts, context) => rewrites.reduce((before, rewrite) => rewrite(before, context), parts)
}

/** Fields with objects that clients gave, which come back unchanged. */
const given = new Set(['spec', 'strategy'])

/**
 * Changes every object in a value, the innermost first; unchanged parts are not copied. `change` must leave nested
 * objects where they are.
 */
export function mapObjects(value: unknown, change: (fields: JsonObject) => object): unknown {
  if (typeof value !== 'object' || value === null) return value
  const parent = value as JsonObject
  let inner: Record<string, unknown> | undefined
  for (const name in parent) {
    const one = parent[name]
    if (typeof one !== 'object' || one === null || given.has(name)) continue
    const changed = mapObjects(one, change)
    if (changed === one) continue
    inner ??= {}
    inner[name] = changed
  }
  const outer = Array.isArray(value) ? value : change(parent)
  if (!inner) return outer
  return Object.assign(outer !== value ? outer : Array.isArray(value) ? [...value] : { ...value }, inner)
}

/** Picks one of the entries of a list at random, each with the same probability. */
export function pickRandom<const L extends readonly [unknown, ...unknown[]]>(
  random: SeededRandom,
  list: L,
): L[number] {
  return list[random.below(list.length)]
}

/** Shuffles the items of a list into a random order. */
export function shuffle<T>(random: SeededRandom, list: readonly T[]): T[] {
  return list
    .map((value) => ({ value, place: random.word() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
}

/** Draws quirks at random, each with the probability `share`, and at most one of each group. */
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

/** The chance of a further field before the fields of an object, and of one after them, 0 to 1. */
const furtherField = 0.7

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
  [`content-type-${id}`]: {
    title: `Content-Type is ${value}.`,
    allowed: '#json-only: parameters of application/json are free.',
    group: 'content type',
    scope: 'answer',
    share: 0.2,
    rewrite: (parts) => ({ ...parts, headers: { ...parts.headers, 'content-type': value } }),
  },
})

const json = (id: string, title: string, serialize: NonNullable<Quirk['serialize']>): QuirkTable => ({
  [`json-${id}`]: {
    title,
    allowed: 'RFC 8259 §2, §7: white space and escapes are free.',
    group: 'JSON',
    scope: 'answer',
    share: 0.2,
    serialize,
  },
})

const escaped = (text: string) =>
  text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Spells each header name once, since there are few. */
function spelledOnce(spell: (name: string) => string) {
  const known = new Map<string, string>()
  return (name: string): string => {
    const spelled = known.get(name) ?? spell(name)
    known.set(name, spelled)
    return spelled
  }
}

const spellings = [
  spelledOnce((name) => name.toUpperCase()),
  spelledOnce((name) =>
    name.replace(/(^|-)(\w)/g, (_, dash: string, letter: string) => dash + letter.toUpperCase()),
  ),
  spelledOnce((name) =>
    name.replace(/\w/g, (letter, at: number) => (at % 2 ? letter : letter.toUpperCase())),
  ),
] as const

/** Age of answers by their `Last-Modified`, ms: caches keep them for a tenth of that, longer than any client waits. */
const unchangedFor = 100 * 24 * 3_600_000

/** Quirks (legal but unusual behaviours) of statuses, headers and how JSON is written. */
export const responseFormatQuirks = quirkListOf({
  'created-201': {
    title: 'Creations are answered 201, other changes 202.',
    allowed: '#success-status: any 2xx is a success.',
    scope: 'answer',
    share: 0.5,
    rewrite(parts, { operation }) {
      if (parts.status !== 200 || operation === null || routeOf(operation).method === 'GET') return parts
      return { ...parts, status: /^create|^generate/.test(operation) ? 201 : 202 }
    },
  },
  'extra-fields': {
    title: 'Objects have fields beyond those that are documented.',
    allowed: '#2-data: objects may carry further fields.',
    scope: 'answer',
    share: 1,
    rewrite: createObjectRewrite((fields, random) => {
      const all: Record<string, unknown> = Object.create(null)
      if (random.fraction() < furtherField) all[pickRandom(random, names)] = pickRandom(random, values)
      Object.assign(all, fields)
      if (random.fraction() >= furtherField) return all
      const name = pickRandom(random, names)
      const value = pickRandom(random, values)
      if (!Object.hasOwn(fields, name)) all[name] = value
      return all
    }),
  },
  'field-order': {
    title: 'Fields come in another order.',
    allowed: 'RFC 8259 §4: an object is an unordered collection.',
    scope: 'answer',
    share: 0.8,
    rewrite: createObjectRewrite((fields, random) => {
      const all: Record<string, unknown> = Object.create(null)
      for (const name of shuffle(random, Object.keys(fields))) all[name] = fields[name]
      return all
    }),
  },
  ...mediaType('charset', 'application/json; charset=utf-8'),
  ...mediaType('tight', 'application/json;charset=UTF-8'),
  ...mediaType('capital', 'Application/JSON'),
  ...mediaType('quoted', 'application/json; Charset="utf-8"'),
  headers: {
    title: 'Answers have further headers.',
    allowed: '#not-required: headers may be added (RFC 9110 §5.1).',
    scope: 'answer',
    share: 0.5,
    rewrite: (parts, { random }) => ({
      ...parts,
      headers: {
        ...parts.headers,
        ...Object.fromEntries([pickRandom(random, headers), pickRandom(random, headers)]),
      },
    }),
  },
  ...json('indented', 'JSON is written over several lines.', (_, body) => JSON.stringify(body, null, 2)),
  ...json('padded', 'White space surrounds the JSON.', (text) => `\r\n\t ${text}\n`),
  ...json('ascii', 'JSON escapes all characters beyond ASCII.', escaped),
  ...json('slashes', 'JSON escapes slashes.', (text) => text.replaceAll('/', '\\/')),
  'limit-dates': {
    title: 'Retry-After is an HTTP date.',
    allowed: '#rate-limit: Retry-After has two forms.',
    group: 'limit',
    scope: 'answer',
    share: 0.5,
    retryAfter: 'date',
  },
  'header-names': {
    title: 'Names of headers are in other cases.',
    allowed: 'RFC 9110 §5.1: field names are case-insensitive.',
    scope: 'answer',
    share: 0.7,
    spell: (name, random) => pickRandom(random, spellings)(name),
  },
  'last-modified': {
    title: 'What is read has a Last-Modified, long ago, and no Cache-Control.',
    allowed:
      'RFC 9110 §8.8.2, RFC 9111 §4.2.2: a validator is free, and without Cache-Control a cache may guess.',
    rewrite(parts, { operation }) {
      if (parts.status !== 200 || operation === null || routeOf(operation).method !== 'GET') return parts
      const modified = Date.parse(parts.headers.date ?? '') - unchangedFor
      return { ...parts, headers: { ...parts.headers, 'last-modified': new Date(modified).toUTCString() } }
    },
  },
})
