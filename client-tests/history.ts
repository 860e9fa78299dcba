/** The requests of one client, and the context that rules judge them in. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { minSearchedKeyLength } from '#traffic/redaction.ts'
import { isSameRequest, requestHeaderOf } from './entries.ts'
import { withoutGatewayRepeats } from './gateway.ts'
import type { RuleContext, RunFacts } from './rule.ts'

/** True for a status whose answers `check` sends with a delay, to see whether the client waits for them. */
export const isStatusDelayedByCheck = (status: number): boolean => [401, 402, 409, 429, 503].includes(status)

/** Facts about the organization whose client is judged: its id, keys, ledger and clock. */
export type JudgedOrganization = Pick<RuleContext, 'org_id' | 'secrets' | 'ledger' | 'now'>

/** The requests of one organization's client, in the order of the journal, with the context that rules need. */
export interface ClientHistory {
  readonly entries: readonly JournalEntry[]
  readonly context: RuleContext
}

/** Facts about a client that its requests do not show: how it ended, and how long its refusals were delayed. */
export type ClientFacts = Partial<Pick<RuleContext, 'end'>> & Pick<RunFacts, 'held'>

/**
 * Creates the history of an organization's client: its requests in the journal, and rejected requests that carry one of
 * its keys.
 */
export function clientHistoryOf(
  subject: JudgedOrganization,
  journal: readonly JournalEntry[],
  { end, held }: ClientFacts = {},
): ClientHistory {
  const { org_id, secrets, ledger, now } = subject
  const isOwn = (entry: JournalEntry) =>
    entry.org_id === org_id || (entry.org_id === null && secrets.some((key) => carries(entry, key)))
  const entries = withoutGatewayRepeats(journal.filter((entry) => isOwn(entry) && !isPreflight(entry)))
  const knew = knowledge(entries, held)
  return { entries, context: { org_id, secrets, ledger, now, end, run: undefined, knew } }
}

/** True if a browser sent a request by itself to ask whether a page may send another one. */
const isPreflight = (entry: JournalEntry): boolean =>
  entry.method === 'OPTIONS' && requestHeaderOf(entry, 'access-control-request-method') !== undefined

/** Creates the history of the requests that belong to no organization, since their credential is missing or invalid. */
export const unauthenticatedHistory = (
  entries: readonly JournalEntry[],
  now: number,
  known: ClientFacts = {},
) => clientHistoryOf({ org_id: null, secrets: [], ledger: [], now }, entries, known)

/** True if a request carries a key, in the right place or not. */
function carries(entry: JournalEntry, secret: string): boolean {
  const bearer = requestHeaderOf(entry, 'authorization')?.slice('bearer '.length).trim()
  return bearer === secret || (secret.length >= minSearchedKeyLength && entry.url.includes(secret))
}

/** Longest time that an answer takes to arrive, ms: a request within it may have been sent before the answer came. */
const delivery = 100

/**
 * The earliest time at which a client may have decided to send a request, ms since the epoch: a pipelined one is taken up
 * later, and the first one of a connection is decided on before the connection opens.
 */
const cameAt = ({ at, waited_ms, opened_ms = 0 }: JournalEntry) => at - (waited_ms ?? opened_ms)

/** When a client has an answer at the earliest, ms since the epoch; `held`: how long refusals are held back, ms. */
const answeredAt = ({ at, duration_ms, status }: JournalEntry, held: number) =>
  at + duration_ms + (isStatusDelayedByCheck(status) ? held : 0)

/** True if each request of a client came after the answer to the one before it; `held`: delay of refusals, ms. */
const areInTurn = (entries: readonly JournalEntry[], held: number): boolean =>
  entries.every((entry, i) => {
    const next = entries[i + 1]
    return !next || (next.waited_ms === undefined && cameAt(next) >= answeredAt(entry, held))
  })

/** True if a client sends all requests in turn on one connection, or each on a connection of its own. */
function usesOneConnection(entries: readonly JournalEntry[]): boolean {
  const isKept = entries.some(({ follows }) => follows !== null)
  return entries.every(({ id, wire }, i) => {
    const next = entries[i + 1]
    return !next || !isKept || next.follows === id || wire !== null
  })
}

/**
 * Returns the function that tells if a client had received an earlier answer when it sent a request. It had, if it
 * never sends two requests at once, if the answer came long before, or if both requests came on one connection while no
 * other was in use: with several, it may have waited for a free one.
 */
function knowledge(entries: readonly JournalEntry[], held = 0): RuleContext['knew'] {
  const isInTurn = held > 0 && areInTurn(entries, held)
  if (isInTurn && usesOneConnection(entries)) return (later, earlier) => later.number > earlier.number
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  /**
   * True if the connection of a later request was free while a refusal was held back: sent then, it would have come.
   */
  const cameWhereFree = (later: JournalEntry, refusal: JournalEntry): boolean => {
    for (let one = later; ; ) {
      const before = byId.get(one.follows ?? '')
      if (!before || before.number >= one.number) return false
      if (before.number <= refusal.number) return before === refusal || answeredAt(before, held) <= refusal.at
      one = before
    }
  }
  /** True if a later request followed an earlier one on the same connection. */
  const isBehind = (later: JournalEntry, earlier: JournalEntry): boolean => {
    let [before, { number }] = [later.follows, later]
    while (before !== null && before !== earlier.id) {
      const entry = byId.get(before)
      // Ids repeat after a state was restored.
      before = entry && entry.number < number && entry.number > earlier.number ? entry.follows : null
      number = entry?.number ?? number
    }
    return before === earlier.id
  }
  /** True if all requests around the time of one came on its connection; without `held`, those for its operation. */
  const isAlone = (entry: JournalEntry): boolean =>
    entries.every(
      (one) =>
        one === entry ||
        (held === 0 && one.operation !== entry.operation) ||
        Math.abs(one.at - entry.at) > delivery ||
        isBehind(one, entry) ||
        isBehind(entry, one),
    )
  return (later, earlier) => {
    if (later.number <= earlier.number) return false
    if (cameAt(later) > earlier.at + earlier.duration_ms + delivery) return true
    // Two parts of a client may ask for different things by turns.
    const isRepeat =
      isStatusDelayedByCheck(earlier.status) && earlier.method !== 'GET' && isSameRequest(later, earlier)
    if (isInTurn && isRepeat && cameWhereFree(later, earlier)) return true
    return isBehind(later, earlier) && isAlone(earlier)
  }
}

/** Fields that show when a request arrived; the journal has requests in the order of their answers. */
interface Arrived {
  /** Ends with the number of the request in its organization. */
  readonly id: string
  readonly org_id: string | null
  readonly wire: string | null
}

const numberOf = ({ id }: Arrived) => Number(id.slice(id.lastIndexOf('_') + 1))

/**
 * Sorts requests into the order in which the client finished with them: one that it abandoned comes before those that
 * it sent afterwards.
 */
export function inAnswerOrder<T extends Arrived>(requests: readonly T[]): readonly T[] {
  const abandoned = requests.filter(({ wire }) => wire === 'abandoned')
  if (abandoned.length === 0) return requests
  const ordered = [...requests]
  for (const late of abandoned) {
    const isLater = (one: T) => one.org_id === late.org_id && numberOf(one) > numberOf(late)
    const place = ordered.findIndex(isLater)
    if (place < 0) continue
    ordered.splice(ordered.indexOf(late), 1)
    ordered.splice(place, 0, late)
  }
  return ordered
}
