/** Shared helpers of rules and updates: intervals, fields of answers, equality of texts. */
import { errorCodeOf, idAsText, valueAtPath } from '#traffic/exchange.ts'
import type { Answer, AnsweredRequest, OrderedMoment, RequestEvent } from './event.ts'
import type { EffectInterval, Fact } from './state.ts'

/** True if two texts are equal up to outer white space, which a service may trim (§2). */
export function isSameTrimmed(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' ? a.trim() === b.trim() : Object.is(a, b)
}

/**
 * The least length of a text, characters, at which two equal texts are taken to have one origin, and not to be equal by
 * chance.
 */
export const minDistinctiveLength = 12

/** Minimum number of distinct characters in a random id. */
export const minDistinctCharacters = 10

/** The least number of turns between letters and digits in a random id: a word with a date and a number has fewer. */
const minTurns = 4

/**
 * True if an id looks random, so that two organizations cannot share it by chance, as they may share the numbers of
 * counters.
 */
export function isRandomId(id: string): boolean {
  const turns = id.replace(/[^a-z\d]/gi, '').match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0
  return turns >= minTurns && new Set(id).size >= minDistinctCharacters
}

/** True for null, missing or blank fields. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

const maskCharacters = new Set('.…*•')

/** The visible prefix of a masked key, without the dots or stars behind it. */
export function visibleKeyPrefix(prefix: string): string {
  let end = prefix.length
  while (end > 0 && maskCharacters.has(prefix[end - 1] ?? '')) end--
  return prefix.slice(0, end)
}

/** The interval from a request to its answer, in which its effect occurs. */
export const effectInterval = ({
  id,
  sent,
  answer,
}: AnsweredRequest): EffectInterval & { readonly to: OrderedMoment } => ({
  eventId: id,
  from: sent,
  to: answer.received,
})

/** True if one interval ended before another began; by more than `consistency` ms, if given. */
export const hasEndedBefore = (
  first: Pick<EffectInterval, 'to'>,
  second: Pick<EffectInterval, 'from'>,
  consistency?: number,
): boolean => first.to !== null && isMomentEarlier(first.to, second.from, consistency)

/** True if one moment is earlier than another; by more than `consistency` ms, if given. */
export const isMomentEarlier = (first: OrderedMoment, second: OrderedMoment, consistency = 0): boolean =>
  first.seq < second.seq && (consistency === 0 || first.ms + consistency < second.ms)

/** True if an effect may have occurred after `after` began and before `before` ended. */
export const mayFallBetween = (
  effect: EffectInterval,
  after: EffectInterval,
  before: EffectInterval,
): boolean =>
  (effect.to === null || effect.to.seq > after.from.seq) &&
  (before.to === null || effect.from.seq < before.to.seq)

/**
 * The effect intervals (`EffectInterval`) of a resource once a request is answered: that of the request ends with the
 * answer, or is removed if the answer shows that it had no effect.
 */
export function settleEffectIntervals(
  intervals: readonly EffectInterval[],
  interval: EffectInterval,
  hadEffect: boolean | undefined,
): readonly EffectInterval[] {
  if (hadEffect === undefined) return intervals
  const isOpen = intervals.some(({ eventId }) => eventId === interval.eventId)
  if (hadEffect && !isOpen) return [...intervals, interval]
  return intervals.flatMap((one) => (one.eventId !== interval.eventId ? one : hadEffect ? interval : []))
}

/** An answer in a few words, such as `404 not_found`. */
export const statusAndCode = (answer: Answer): string =>
  `${answer.status} ${errorCodeOf(answer) ?? ''}`.trim()

/** The string at a path in a JSON value; undefined where there is none. */
export function stringAt(value: unknown, ...path: string[]): string | undefined {
  const text = valueAtPath(value, ...path)
  return typeof text === 'string' ? text : undefined
}

/** The number at a path in a JSON value; undefined where there is none. */
export function numberAt(value: unknown, ...path: string[]): number | undefined {
  const number = valueAtPath(value, ...path)
  return typeof number === 'number' ? number : undefined
}

/** An item of a list in an answer, with its id. */
export interface ListItem {
  readonly id: string
  readonly item: unknown
}

/** Cache of items, since several rules read each list. */
const lists = new WeakMap<readonly unknown[], readonly ListItem[]>()

/** The items of a list with their ids; those without an id are left out. */
export function itemsWithIds(value: unknown, name = 'items'): readonly ListItem[] {
  const list = valueAtPath(value, name)
  if (!Array.isArray(list)) return []
  const known = lists.get(list)
  if (known) return known
  const items = list.flatMap((item): ListItem[] => {
    const id = idAsText(valueAtPath(item, 'id'))
    return id === undefined ? [] : [{ id, item }]
  })
  lists.set(list, items)
  return items
}

/** A text that identifies a list: its operation and query. */
export const listIdentity = ({ operation, query }: Pick<RequestEvent, 'operation' | 'query'>): string =>
  JSON.stringify([operation, query])

/** True if each item of a list has an id. */
export const showsAllIds = (value: unknown, name = 'items'): boolean =>
  itemsWithIds(value, name).length === valueAtPath(value, name, 'length')

/** True if a test holds for one of many values. The values are not copied, since there may be thousands. */
export function hasValueWhere<T>(values: Iterable<T>, test: (value: T) => boolean): boolean {
  for (const value of values) if (test(value)) return true
  return false
}

/** A value with the id of the event that showed it, as a `Fact`; undefined without a value. */
export const factIfDefined = <T>(value: T | undefined, eventId: number): Fact<T> | undefined =>
  value === undefined ? undefined : { value, eventId }

/** A text that is equal for requests with the same operation, id, query and body. */
export const requestSignature = ({ operation, resource, query, body }: AnsweredRequest): string =>
  JSON.stringify([operation, resource, query, body])

/** True if a request took effect, also one answered 409 `busy`; false if not; undefined if unknown. */
export function tookEffect(answer: Answer): boolean | undefined {
  if (answer.status < 300 || (answer.status === 409 && errorCodeOf(answer) === 'busy')) return true
  return answer.status < 500 || (answer.status === 503 && errorCodeOf(answer) !== undefined)
    ? false
    : undefined
}

/** A value as JSON for a report, cut at 200 characters. */
export function quotedJson(value: unknown): string {
  const text = value === undefined ? 'none' : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}

/** Characters of long texts that are quoted before and after the place where they begin to differ. */
const [quotedBefore, quotedAfter] = [40, 80]

/**
 * The text that was sent and the one that was shown, quoted as `expected` and `actual`; if both begin alike, the place
 * where they differ.
 */
export function quoteExpectedAndActual(sent: string, shown: unknown): { expected: string; actual: string } {
  const [expected, actual] = [quotedJson(sent), quotedJson(shown)]
  if (typeof shown !== 'string' || expected !== actual) return { expected, actual }
  const [a, b] = [sent.trim(), shown.trim()]
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  const around = (text: string) =>
    `${text.length} characters, from character ${at + 1} on ${quotedJson(text.slice(at, at + quotedAfter))}, after ${quotedJson(text.slice(Math.max(0, at - quotedBefore), at))}`
  return { expected: around(a), actual: around(b) }
}

/** The status and `finished` of a task in an answer; undefined unless both are shown. */
export function taskProgressIn({
  operation,
  answer,
}: AnsweredRequest): { status: string; finished: boolean } | undefined {
  const isRun = operation === 'runTask'
  const status = valueAtPath(answer.json, ...(isRun ? [] : ['task']), 'status')
  const finished = valueAtPath(answer.json, 'finished')
  // RUN-IN-PROGRESS-UNFINISHED covers answers to runs.
  if (!status || typeof finished !== 'boolean' || (isRun && status === 'in_progress')) return undefined
  return { status: String(status), finished }
}
