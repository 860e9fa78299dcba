/** What rules and learning have in common: intervals of time, readings of answers, and when texts count as the same. */
import { codeOf, field, idOf } from '#traffic/exchange.ts'
import type { Answer, Answered, Moment } from './event.ts'
import type { Fact, Interval } from './state.ts'

/** Whether two texts are the same but for white space at either end, which a service may trim (§2). */
export function isSameTrimmed(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' ? a.trim() === b.trim() : Object.is(a, b)
}

/** Shorter texts may be equal by chance. */
export const telling = 12

/** Whether a field holds nothing: null, missing, or white space. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

const masks = new Set('.…*•')

/** A prefix of a key without the dots or stars that stand for the rest of the key. */
export function withoutMask(prefix: string): string {
  let end = prefix.length
  while (end > 0 && masks.has(prefix[end - 1] ?? '')) end--
  return prefix.slice(0, end)
}

/** The time from the sending of a request to its answer. */
export const intervalOf = ({ id, sent, answer }: Answered): Interval & { readonly to: Moment } => ({
  by: id,
  from: sent,
  to: answer.received,
})

/** Whether one interval certainly ended before another began; with `consistency`, so long before that everything shows it. */
export const isBefore = (
  first: Pick<Interval, 'to'>,
  second: Pick<Interval, 'from'>,
  consistency?: number,
): boolean => first.to !== null && isPast(first.to, second.from, consistency)

/** The same of two moments. */
export const isPast = (first: Moment, second: Moment, consistency = 0): boolean =>
  first.place < second.place && (consistency === 0 || first.ms + consistency < second.ms)

/** Whether something may have had its effect after `after` began and before `before` ended. */
export const mayFall = (effect: Interval, after: Interval, before: Interval): boolean =>
  (effect.to === null || effect.to.place > after.from.place) &&
  (before.to === null || effect.from.place < before.to.place)

/**
 * Settles the interval of a request that was open since it was sent: with its end, or none if it was without effect. What it
 * is about may have become known only since then.
 */
export function settled(
  intervals: readonly Interval[],
  interval: Interval,
  hadEffect: boolean | undefined,
): readonly Interval[] {
  if (hadEffect === undefined) return intervals
  const isOpen = intervals.some(({ by }) => by === interval.by)
  if (hadEffect && !isOpen) return [...intervals, interval]
  return intervals.flatMap((one) => (one.by !== interval.by ? one : hadEffect ? interval : []))
}

/** `404 not_found`: an answer in a few words. */
export const brief = (answer: Answer): string => `${answer.status} ${codeOf(answer) ?? ''}`.trim()

/** A string of a JSON value; undefined where there is none. */
export function textAt(value: unknown, ...path: string[]): string | undefined {
  const text = field(value, ...path)
  return typeof text === 'string' ? text : undefined
}

/** A number of a JSON value; undefined where there is none. */
export function numberAt(value: unknown, ...path: string[]): number | undefined {
  const number = field(value, ...path)
  return typeof number === 'number' ? number : undefined
}

/** An item of a list. */
export interface Item {
  readonly id: string
  readonly item: unknown
}

/** Lists that were read before: several rules read each. */
const lists = new WeakMap<readonly unknown[], readonly Item[]>()

/** The items of a list with their ids; those without an id are left out. */
export function identified(value: unknown, name = 'items'): readonly Item[] {
  const list = field(value, name)
  if (!Array.isArray(list)) return []
  const known = lists.get(list)
  if (known) return known
  const items = list.flatMap((item): Item[] => {
    const id = idOf(field(item, 'id'))
    return id === undefined ? [] : [{ id, item }]
  })
  lists.set(list, items)
  return items
}

/** A fact, where there is a value. */
export const factOf = <T>(value: T | undefined, by: number): Fact<T> | undefined =>
  value === undefined ? undefined : { value, by }

/** What tells whether a request is one that was sent before. */
export const sameAs = ({ operation, resource, query, body }: Answered): string =>
  JSON.stringify([operation, resource, query, body])

/** Whether a request had its effect: accepted, refused without effect, or (undefined) nobody knows. */
export function hadEffect(answer: Answer): boolean | undefined {
  if (answer.status < 300 || (answer.status === 409 && codeOf(answer) === 'busy')) return true
  return answer.status < 500 || (answer.status === 503 && codeOf(answer) !== undefined) ? false : undefined
}

/** A value as it stands in a report; long ones are cut. */
export function show(value: unknown): string {
  const text = value === undefined ? 'none' : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}

/** Whether an answer says that a task of some status is finished; undefined: it says neither. */
export function statusIn({ operation, answer }: Answered): { status: string; finished: boolean } | undefined {
  const isRun = operation === 'runTask'
  const status = field(answer.json, ...(isRun ? [] : ['task']), 'status')
  const finished = field(answer.json, 'finished')
  // Of the answer to a run, RUN-IN-PROGRESS-UNFINISHED says it.
  if (!status || typeof finished !== 'boolean' || (isRun && status === 'in_progress')) return undefined
  return { status: String(status), finished }
}
