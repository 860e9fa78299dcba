/** Reads answers and spans: what the rules and what is learned have in common. */
import { field, idOf } from '#traffic/exchange.ts'
import type { Answered, Moment } from './event.ts'
import type { Span } from './state.ts'

/** The time that a request took, from its sending to its answer. */
export const spanOf = ({ id, sent, answer }: Answered): Span & { readonly to: Moment } => ({
  by: id,
  from: sent,
  to: answer.received,
})

/** Whether one span certainly ended before another began, at least `lag` ms before. */
export const isBefore = (first: Pick<Span, 'to'>, second: Pick<Span, 'from'>, lag = 0): boolean =>
  first.to !== null && first.to.place < second.from.place && (lag === 0 || first.to.ms + lag < second.from.ms)

/** Whether something may have had its effect after one span began and before another ended. */
export const mayFall = (effect: Span, after: Span, before: Span): boolean =>
  (effect.to === null || effect.to.place > after.from.place) &&
  (before.to === null || effect.from.place < before.to.place)

/** A string of a JSON value; undefined where there is none. */
export function textAt(value: unknown, ...path: string[]): string | undefined {
  const text = field(value, ...path)
  return typeof text === 'string' ? text : undefined
}

/** The items of a list with their ids; those without an id are left out. */
export function identified(
  value: unknown,
  name = 'items',
): { readonly id: string; readonly item: unknown }[] {
  const list = field(value, name)
  if (!Array.isArray(list)) return []
  return list.flatMap((item) => {
    const id = idOf(field(item, 'id'))
    return id === undefined ? [] : [{ id, item }]
  })
}
