/** Histories as NDJSON: one event a line, without secrets. */
import { z } from 'zod'
import { problemOf } from '#contract/input/checked.ts'
import { excessOf, parsed } from '#traffic/json-bounds.ts'
import { arrangedEvent, type ModelEvent, requestEvent } from './event.ts'

/** What was possible before the event: for people, and not read again. */
const before = z.array(z.string()).optional()

const line = z.discriminatedUnion('kind', [requestEvent.extend({ before }), arrangedEvent.extend({ before })])

/**
 * A history as NDJSON. `redact`: replaces the secrets in a text. `words`: what was possible before events, by their
 * ids.
 */
export function writeHistory(
  history: readonly ModelEvent[],
  redact: (text: string) => string,
  words: ReadonlyMap<number, readonly string[]> = new Map(),
): string {
  const lines = history.map((event) =>
    JSON.stringify(redacted({ ...event, before: words.get(event.id) }, redact)),
  )
  return lines.map((one) => `${one}\n`).join('')
}

/** Longer texts are cut: no client sends them, and searching them for secrets would take minutes. */
const longestText = 200_000

const cut = (text: string) => (text.length > longestText ? `${text.slice(0, longestText)}…` : text)

/** A value with each of its texts, names of fields included, and without the values of fields that hold secrets. */
function redacted(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(cut(value))
  if (Array.isArray(value)) return value.map((one) => redacted(one, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [redact(cut(name)), redacted(one, redact)]),
  )
}

/** The events of a history. @throws Error that names the first line that is none. */
export function readHistory(text: string): ModelEvent[] {
  const lines = text.split('\n').filter((one) => one.trim() !== '')
  if (lines.length === 0) throw new Error('it holds no event')
  return lines.map((one, i) => {
    const excess = excessOf(one)
    if (excess !== undefined) throw new Error(`line ${i + 1} ${excess}`)
    const event = line.safeParse(parsed(one))
    if (event.success) {
      const { before: _, ...read } = event.data
      return read
    }
    throw new Error(`line ${i + 1} is no event of a history: ${problemOf(event.error.issues)}`)
  })
}
