/**
 * Strict-client mode, as letsencrypt/pebble has it for ACME: an organization with quirks that the specification
 * allows. They are drawn by the seed, the name of the organization, and the number of the answer among those of
 * the same operation: requests of other organizations change nothing. A seed that lists ids of quirks draws
 * none: exactly those apply, always.
 */
import type { z } from 'zod'
import { adviceOnUnknownWord, findClosestWord } from '#contract/input/suggestion.ts'
import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import { type ChangeHistory, type HistoricalRowReader, readCurrentRow } from '../core/changes.ts'
import type { Failure } from '../core/failure.ts'
import type { QuirkId } from '../core/quirk-id.ts'
import { createRandom, type SeededRandom } from '../core/random.ts'
import { type Answer, otherVariant, type ResponseParts, serializeAnswer } from '../handlers/respond.ts'
import type { HandlerCall } from '../handlers/views.ts'
import { errorQuirks, runQuirks, variantQuirks } from './behaviour.ts'
import { idQuirks, listQuirks, statusQuirks, timestampQuirks, valueQuirks } from './bodies.ts'
import { lateQuirks } from './late.ts'
import {
  drawQuirks,
  type HandlerWrapper,
  type Quirk,
  responseFormatQuirks,
  type VariantOverrides,
} from './quirk.ts'

/** All quirks, in the order in which they apply. Strict-client mode draws from them, and the proof tries each. */
export const quirkTable: readonly Quirk[] = [
  ...variantQuirks,
  ...runQuirks,
  ...statusQuirks,
  ...valueQuirks,
  ...timestampQuirks,
  ...listQuirks,
  ...errorQuirks,
  ...responseFormatQuirks,
  ...idQuirks,
  ...lateQuirks,
]

const known: ReadonlySet<string> = new Set(quirkTable.map(({ id }) => id))
const scopes = [undefined, 'answer', 'run', 'ids'] as const
const byScope = new Map(scopes.map((scope) => [scope, quirkTable.filter((quirk) => quirk.scope === scope)]))
const idForms = byScope.get('ids') ?? []
const plainForms = idForms.filter(({ plain }) => plain)

interface QuirkSettings {
  /** The seed, or ids of quirks with commas between them; undefined: no quirks. */
  readonly strictClient: string | undefined
  /** The seed of the mock, by which named quirks are drawn; unset: they are drawn without one. */
  readonly seed?: string
  readonly variant: Variant
}

/** The quirks of one organization in strict-client mode, or of answers to callers who are not authenticated. */
export type OrganizationQuirks = NonNullable<ReturnType<typeof createOrganizationQuirks>>
/**
 * Functions and settings by which the quirks of an organization change one answer: its body and status, the form of
 * `Retry-After`, the case of header names, and how JSON is written.
 */
export type AnswerQuirks = ReturnType<typeof responseQuirks>

/** Creates the quirks of the organization with a name; undefined: the mock is not in strict-client mode. */
export function createOrganizationQuirks({ strictClient, seed, variant }: QuirkSettings, name: string) {
  if (strictClient === undefined) return undefined
  const named = namedIn(strictClient)
  const drawnBy = named && seed !== undefined ? `${strictClient} ${seed}` : strictClient
  const random = (...what: string[]) => createRandom(drawnBy, 'strict-client', name, ...what)
  const counts = new Map<string, { used: number }>()
  /** A new random stream for each draw, even where the same is drawn again. */
  const next = (changes: ChangeHistory | undefined, ...what: string[]) => {
    const key = what.join('\u0000')
    const count = counts.get(key) ?? { used: 0 }
    counts.set(key, count)
    if (changes) changes.count('quirks', count)
    else count.used++
    return random(...what, String(count.used))
  }
  const choose = (scope: Quirk['scope'], stream: SeededRandom, from = byScope.get(scope) ?? []) =>
    named?.filter((quirk) => quirk.scope === scope) ?? drawQuirks(stream, from)
  const lasting = choose(undefined, random('organization'))
  // Forms of ids come with a rewrite, which leaves other ids as they are.
  const always = (named ?? [...idForms, ...lasting]).filter(changesAnswers)
  const forms = new Map<string, Quirk['newId']>()
  // Schemas are kept, since making one takes a hundred times as long as reading a body; `applied` is set at each use.
  const reader = { schemas: new Map<z.ZodObject, z.ZodObject>(), applied: new Set<QuirkId>() }
  return {
    variants: Object.assign({}, ...lasting.map((quirk) => quirk.variants?.(variant))) as VariantOverrides,
    /** The fraction of a credit, less than one, that is added to the initial balance. */
    looseCredits: lasting.reduce((sum, { looseCredits = 0 }) => sum + looseCredits, 0),
    /** Returns an id in the form that ids of this kind have in the organization. */
    newId(ids: SeededRandom, kind: string): string {
      if (!forms.has(kind)) {
        const [quirk] = choose('ids', random('ids', kind), kind === 'org' ? plainForms : idForms)
        forms.set(kind, quirk?.newId)
      }
      return forms.get(kind)?.(ids, kind) ?? ids.id(kind)
    },
    /**
     * Returns the schema of a body as quirks change it. The ids of quirks that refuse a body are added to `applied`.
     */
    bodyOf(schema: z.ZodObject, applied: Set<QuirkId>): z.ZodObject {
      reader.applied = applied
      const known = reader.schemas.get(schema)
      if (known) return known
      const changed = lasting.reduce(
        (before, { id, bodyOf }) => bodyOf?.(before, () => void reader.applied.add(id)) ?? before,
        schema,
      )
      reader.schemas.set(schema, changed)
      return changed
    },
    /**
     * True if a body of this `Content-Type` is read; null: there is no such header. The ids of quirks that refuse it
     * are added to `applied`.
     */
    readsType(type: string | null, applied: Set<QuirkId>): boolean {
      const refusing = lasting.filter(({ readsType }) => readsType?.(type) === false)
      for (const { id } of refusing) applied.add(id)
      return refusing.length === 0
    },
    /** Handles a call by the usual handler, or otherwise where a quirk says so; its id is added to `applied`. */
    handle(
      operation: OperationId,
      call: HandlerCall,
      usual: (call: HandlerCall) => object,
      applied: Set<QuirkId>,
    ) {
      const stream = startsRun(operation, call) ? next(call.org.changes, 'run', call.id) : undefined
      const active = stream ? [...lasting, ...choose('run', stream)] : lasting
      return active.reduce((inner: typeof usual, { id, handle }) => {
        const change = handle?.[operation]
        if (!change) return inner
        const noted = noting(change, stream ?? random('handle'), () => applied.add(id))
        return (given) => noted(given, inner)
      }, usual)(call)
    },
    /**
     * The quirks of the next answer of an operation; null: of a path or method that is no operation. The ids of quirks
     * that change the answer are added to `applied`. `changes`: those of its organization.
     */
    next(operation: OperationId | null, applied: Set<QuirkId>, changes?: ChangeHistory) {
      const stream = next(changes, operation ?? '')
      const active = named ? always : [...always, ...drawQuirks(stream, byScope.get('answer') ?? [])]
      return responseQuirks(active, variant, operation, stream, applied)
    },
    /** The number of draws of quirks for each operation or run. */
    dump(was: HistoricalRowReader = readCurrentRow): Readonly<Record<string, number>> {
      const drawn = [...counts].map(([what, count]) => [what, was(count)?.used ?? 0] as const)
      return Object.fromEntries(drawn.filter(([, used]) => used > 0))
    },
    restore(drawn: Readonly<Record<string, number>>): void {
      counts.clear()
      for (const [what, count] of Object.entries(drawn)) counts.set(what, { used: count })
    },
  }
}

const changesAnswers = ({ rewrite, serialize, spell, retryAfter, otherErrors }: Quirk) =>
  (rewrite ?? serialize ?? spell ?? retryAfter ?? otherErrors) !== undefined

/** Wraps a handler quirk: calls `applied` if it changed the outcome, or changed a call that had an effect. */
function noting(change: HandlerWrapper, random: SeededRandom, applied: () => void) {
  return (given: HandlerCall, inner: (call: HandlerCall) => object): object | Failure => {
    const { changes } = given.org
    const before = changes.position
    let passed: HandlerCall | undefined
    let usual: object | undefined
    const outcome = change(
      given,
      (call) => {
        passed = call
        usual = inner(call)
        return usual
      },
      random,
    )
    if (outcome !== usual || (passed !== given && changes.position > before)) applied()
    return outcome
  }
}

/** The quirks that a seed names; undefined: the seed names none, and is used to draw. */
function namedIn(seed: string): readonly Quirk[] | undefined {
  const ids = seed.split(',')
  return ids.every((id) => known.has(id)) ? quirkTable.filter(({ id }) => ids.includes(id)) : undefined
}

/** The problem with a strict-client seed that was probably meant as a list of quirk ids; undefined: there is none. */
export function quirkSeedProblem(seed: string): string | undefined {
  const ids = seed.split(',')
  const wrong = ids.filter((id) => !known.has(id))
  const meant =
    wrong.length < ids.length || wrong.some((id) => id.length > 4 && findClosestWord(id, [...known]))
  const [first] = wrong
  if (first === undefined) return problemOfGroups(ids)
  if (!meant) return undefined
  return `takes a seed, or ids of quirks: there is no "${first}"; ${adviceOnUnknownWord(first, [...known])}`
}

/** The problem with ids of quirks that exclude each other: only one of them would have an effect. */
function problemOfGroups(ids: readonly string[]): string | undefined {
  const groups = quirkTable.filter(({ id, group }) => group !== undefined && ids.includes(id))
  const [one, other] = groups.filter(({ group }, _, all) => all.filter((it) => it.group === group).length > 1)
  return one && other && `takes one of ${one.id} and ${other.id}, which exclude each other`
}

/** True if a call starts a run of which no fault sets the outcome or length. */
function startsRun(operation: OperationId, { org, id, runOverrides }: HandlerCall): boolean {
  const task = operation === 'runTask' && !runOverrides ? org.tasks.get(id) : undefined
  return task !== undefined && (task.run?.ended ?? true)
}

/** The answer of an operation as quirks change it; null: that of a path or method that is no operation. */
function responseQuirks(
  active: readonly Quirk[],
  variant: Variant,
  operation: OperationId | null,
  random: SeededRandom,
  applied: Set<QuirkId>,
) {
  const other = otherVariant(variant)
  let [speller, writer, dates, errors]: (Quirk | undefined)[] = []
  for (const quirk of active) {
    if (quirk.spell) speller ??= quirk
    if (quirk.serialize) writer ??= quirk
    if (quirk.retryAfter) dates ??= quirk
    if (quirk.otherErrors) errors ??= quirk
  }
  return {
    /** The form of `Retry-After`; undefined: the usual one. */
    retryAfter: dates?.retryAfter,
    /** The variant whose error table gives errors their status; undefined: the usual one. */
    errorTable: errors && other,
    rewrite(parts: ResponseParts): ResponseParts {
      if (errors && parts.status >= 400) applied.add(errors.id)
      if (dates && parts.status === 429) applied.add(dates.id)
      return active.reduce((before, quirk) => {
        const after = quirk.rewrite?.(before, { operation, random }) ?? before
        if (after !== before && !isSameAnswer(before, after)) applied.add(quirk.id)
        return after
      }, parts)
    },
    serialize(parts: ResponseParts): Answer {
      const usual = serializeAnswer(parts)
      if (!writer?.serialize) return usual
      const text = writer.serialize(usual.text, parts.body)
      if (text !== usual.text) applied.add(writer.id)
      return { ...usual, text }
    },
    spell(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
      if (!speller?.spell) return headers
      applied.add(speller.id)
      const spelled: Record<string, string> = {}
      for (const name in headers) spelled[speller.spell(name, random)] = headers[name] ?? ''
      return spelled
    },
  }
}

const isSameAnswer = (one: ResponseParts, other: ResponseParts): boolean =>
  one.status === other.status && isSame(one.headers, other.headers) && isSame(one.body, other.body)

/** True if two values are the same JSON, in the same order. Most parts of a rewritten answer are identical objects. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const [names, others] = [Object.keys(one), Object.keys(other)]
  return (
    names.length === others.length &&
    Array.isArray(one) === Array.isArray(other) &&
    names.every((name, at) => name === others[at] && isSame(Reflect.get(one, name), Reflect.get(other, name)))
  )
}

/** Ids of the quirks that fit into one answer: the last of each group, and none that changes more than one answer. */
const fitting = [
  ...new Map(
    [...valueQuirks.filter(({ looseCredits }) => looseCredits === undefined), ...quirkTable]
      .filter((quirk) => quirk.scope === 'answer' || valueQuirks.includes(quirk))
      .map(({ id, group = id }) => [group, id]),
  ).values(),
]

/**
 * Creates an organization's quirks in which every quirk that fits into a single answer is active. `variant`: the
 * variant of the mock.
 */
export function createAllCompatibleAnswerQuirks(variant: Variant): OrganizationQuirks | undefined {
  return createOrganizationQuirks({ strictClient: fitting.join(','), variant }, 'every quirk')
}
