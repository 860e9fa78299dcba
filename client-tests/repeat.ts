/**
 * The way in which a request was repeated: how soon, on which connection, with which bytes, and whether by an HTTP
 * library itself.
 */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import {
  formatMsAsSeconds,
  hasReadableAnswer,
  isBodyTruncated,
  requestHeaderOf,
  requestPathOf,
} from './entries.ts'
import { retryingLibraryOf } from './libraries.ts'
import type { RuleContext } from './rule.ts'

/** A repeat sooner than this, ms, is made by an HTTP library or a loop without a pause. */
const tooSoonForPrograms = 50

/** When the answer to a request arrived, or was lost, ms since the epoch. */
const endOf = ({ at, duration_ms }: JournalEntry) => at + duration_ms

/** The bytes of a request in HTTP/1.1; undefined: the journal keeps the beginning alone. */
function bytesOf(entry: JournalEntry): string | undefined {
  const { method, headers, body } = entry
  if (body !== null && isBodyTruncated(body)) return undefined
  const lines = headers.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`))
  return `${method} ${requestPathOf(entry)} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}

/** The names of headers whose values are not the same. */
function changedHeaders(first: JournalEntry, second: JournalEntry): string[] {
  const names = new Set(
    [first, second].flatMap(({ headers }) =>
      headers.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase()),
    ),
  )
  return [...names].filter((name) => requestHeaderOf(first, name) !== requestHeaderOf(second, name))
}

function sizeText(first: JournalEntry, second: JournalEntry): string | undefined {
  const [before, now] = [bytesOf(first), bytesOf(second)]
  if (before === undefined || now === undefined) return undefined
  if (before === now) return `the same ${new TextEncoder().encode(now).length} bytes`
  const changed = changedHeaders(first, second)
  return changed.length > 0 ? `the same but for ${changed.join(', ')}` : undefined
}

/** The connection of a repeat; undefined if it is not known, as in recordings. */
function connectionText(first: JournalEntry, second: JournalEntry, { run }: RuleContext): string | undefined {
  if (run === undefined && first.follows === null && second.follows === null) return undefined
  if (second.follows === first.id) return 'on the same connection'
  return second.follows === null ? 'on a new connection' : 'on another connection'
}

/**
 * Who repeated a request: a library known to do so; or, if the repeat came too soon for a program, a loop or a library.
 */
function authorText(first: JournalEntry, second: JournalEntry): string | undefined {
  const library = retryingLibraryOf(second, first)
  const agent = requestHeaderOf(second, 'user-agent')
  if (library) {
    const { name, when, stop } = library
    return `${name} repeats by itself${when ? ` ${when}` : ''}${stop ? `; ${stop} stops that` : ''}`
  }
  const isAtOnce = second.at - endOf(first) < tooSoonForPrograms && second.follows !== first.id
  if (!isAtOnce || isOpen(first, second)) return agent === undefined ? undefined : `sent by ${agent}`
  return `a loop without a pause or the HTTP library${agent === undefined ? '' : ` (${agent})`} repeated it, or both were sent at once`
}

/** True if the first request was still open when it was repeated: not answered, and its connection not lost. */
const isOpen = (first: JournalEntry, second: JournalEntry): boolean =>
  first.wire === 'abandoned' || first.wire === 'hang' || second.at < endOf(first)

/** When a request was repeated, and what had come of it by then. */
function momentText(first: JournalEntry, second: JournalEntry): string {
  const { wire, status } = first
  if (wire === 'abandoned') return 'after the client gave up waiting'
  if (wire === 'hang')
    return `${formatMsAsSeconds(second.at - first.at)} after the first, which was never answered`
  if (second.at < endOf(first)) return 'while the first was open'
  const end = wire !== null || status === 0 ? 'its answer was lost' : `it was answered ${status}`
  return `${formatMsAsSeconds(second.at - endOf(first))} after ${end}`
}

/**
 * Describes how a request was repeated, in the past tense, without a subject. `hasLooked`: the client had checked
 * whether the request took effect.
 */
export function repeatedRequestText(
  first: JournalEntry,
  second: JournalEntry,
  context: RuleContext,
  hasLooked = false,
): string {
  const blindly = hasLooked
    ? 'looked, and repeated a paid request that had taken effect'
    : 'repeated a paid request without checking whether it took effect'
  const what = `${hasReadableAnswer(first) ? 'repeated a paid request' : blindly}, ${momentText(first, second)}`
  const facts = [connectionText(first, second, context), sizeText(first, second)]
  const author = authorText(first, second)
  const told = facts.filter((text) => text !== undefined).join(', ')
  return [told === '' ? what : `${what}, ${told}`, author].filter((text) => text !== undefined).join(': ')
}
