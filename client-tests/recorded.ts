/** A recording as the journal of a service, by which its clients are judged. */
import { valueAtPath } from '#traffic/exchange.ts'
import { type JournalEntry, numberEntriesInOrder } from '#traffic/journal-entry.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import type { RecordedExchange } from '#traffic/recording.ts'
import type { ClientReport } from './client-report.ts'
import { costsCredit, isSuccess } from './entries.ts'
import type { LedgerEntry } from './rule.ts'
import { judgeTraffic } from './traffic.ts'

/**
 * Creates a function that converts a recorded request to a journal entry, and identifies its client as far as the
 * recording tells.
 */
export function createJournalEntryConverter(): (one: RecordedExchange) => JournalEntry {
  const names = new Map<string, string>()
  /** The organization of a request, or else a name for its client; null: it belongs to none, as a 401. */
  const nameOf = ({ organization, status, requestHeaders: { authorization } }: RecordedExchange) => {
    if (organization || status === 401) return organization ?? null
    if (authorization === undefined) return usual
    const name = names.get(authorization) ?? (names.size === 0 ? usual : `client ${names.size + 1}`)
    names.set(authorization, name)
    return name
  }
  return (one) => entryOf(one, nameOf(one))
}

/** The first client, which is often the only one. */
const usual = 'recorded'

/**
 * Judges the clients in a recording, and reports on them. `judgedUntil`, ms since the epoch: earlier requests were
 * judged already.
 */
export function judgeRecordedClients(
  entries: readonly JournalEntry[],
  strict: boolean,
  judgedUntil?: number,
): ClientReport {
  const now = entries.at(-1)?.at ?? 0
  const byClient = Map.groupBy(entries, ({ org_id }) => org_id)
  const subjects = [...byClient].flatMap(([org_id, sent]) =>
    org_id === null ? [] : { org_id, secrets: [], ledger: sent.flatMap(creditBefore), now },
  )
  // A file may have requests in the order of their answers.
  return judgeTraffic(
    { entries: numberEntriesInOrder(entries), subjects, withStrangers: true, now },
    { strict },
    judgedUntil,
  )
}

/** Credit that an accepted paid request proves. */
const creditBefore = (entry: JournalEntry): LedgerEntry[] =>
  costsCredit(entry) && isSuccess(entry) ? [{ kind: 'seen', amount: 1, at: entry.at, request_id: null }] : []

/** Stands for a body that was not recorded. It looks like one that the journal cut off, so that no rule reads it. */
const unread = '… (0 characters)'

/**
 * Header in place of a credential that a browser left out of its export: any answer but a 401 shows that one was sent.
 */
const unrecorded = ['authorization', 'Bearer (not recorded)']

function entryOf(one: RecordedExchange, org_id: string | null): JournalEntry {
  const { number, operation, method, url, requestHeaders, requestBody, status, headers, text = unread } = one
  const error = status < 400 ? undefined : valueAtPath(parseJson(text), 'error')
  const sent = Object.entries(requestHeaders).flat()
  const isBare = requestHeaders.authorization === undefined && requestHeaders.cookie === undefined
  return {
    id: `entry_${number}`,
    follows: null,
    number,
    org_id,
    key_id: requestHeaders.authorization ?? null,
    operation,
    method,
    url,
    headers: isBare && status !== 401 ? [...sent, ...unrecorded] : sent,
    body: one.isBodyMissing ? unread : (requestBody ?? null),
    status,
    answerHeaders: headers,
    answer: text,
    error: typeof error === 'string' ? error : null,
    reason: null,
    wire: status === 0 ? 'reset' : null,
    variant: 'first',
    at: one.at,
    ...(one.clock_ms !== undefined && { clock_ms: one.clock_ms }),
    duration_ms: one.duration_ms,
  }
}
