/** Histories as NDJSON: one event a line, without secrets. */
import { z } from 'zod'
import { tryParse } from '#contract/input/checked.ts'
import { jsonBoundsProblem, parseJson } from '#traffic/json-bounds.ts'
import { type ModelEvent, type OrderedMoment, providerStateEventSchema, requestEventSchema } from './event.ts'

/** The model's knowledge before the event, for people; not read again. */
const before = z.array(z.string()).optional()

const historyLine = z.discriminatedUnion('kind', [
  requestEventSchema.extend({ before }),
  providerStateEventSchema.extend({ before }),
])

/**
 * A history as NDJSON, one event a line. `redact` replaces secrets in texts; `words` describe the state before each
 * event, by its id.
 */
export function historyToNdjson(
  history: readonly ModelEvent[],
  redact: (text: string) => string,
  words: ReadonlyMap<number, readonly string[]> = new Map(),
): string {
  const lines = history.map((event) =>
    JSON.stringify(redacted({ ...storedEvent(event), before: words.get(event.id) }, redact)),
  )
  return lines.map((one) => `${one}\n`).join('')
}

/** An event with its moments as files hold them. */
function storedEvent(event: ModelEvent) {
  const stored = ({ seq, ms }: OrderedMoment) => ({ place: seq, ms })
  if (event.kind === 'arranged')
    return { ...event, sent: stored(event.sent), received: stored(event.received) }
  const answer = event.answer && { ...event.answer, received: stored(event.answer.received) }
  return { ...event, sent: stored(event.sent), answer }
}

/** Longer texts are cut: redacting them would take minutes. */
const maxTextLength = 200_000

const cut = (text: string) => (text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text)

/** Redacts all texts and field names of a value. */
function redacted(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(cut(value))
  if (Array.isArray(value)) return value.map((one) => redacted(one, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [redact(cut(name)), redacted(one, redact)]),
  )
}

/** The history in an NDJSON text. @throws Error that names the first invalid line. */
export function historyFromNdjson(text: string): ModelEvent[] {
  const lines = text.split('\n').filter((one) => one.trim() !== '')
  if (lines.length === 0) throw new Error('it holds no event')
  return lines.map((one, i) => {
    const excess = jsonBoundsProblem(one)
    if (excess !== undefined) throw new Error(`line ${i + 1} ${excess}`)
    const json = parseJson(one)
    if (json === undefined) throw new Error(`line ${i + 1} is not JSON`)
    const { data, problem } = tryParse(historyLine, json)
    if (problem !== undefined) throw new Error(`line ${i + 1} is no event of a history: ${problem}`)
    const { before: _, ...event } = data
    return event
  })
}
