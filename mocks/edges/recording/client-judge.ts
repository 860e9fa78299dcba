/** Judges the clients in recorded traffic part by part, in bounded memory. */
import { type ClientReport, type ClientReportPart, mergeClientReports } from '#client-tests/client-report.ts'
import { createJournalEntryConverter, judgeRecordedClients } from '#client-tests/recorded.ts'
import { hasRecordedCredential } from '#contract-tests/runner/recorded.ts'
import { idAsText, valueAtPath } from '#traffic/exchange.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import type { RecordedExchange } from '#traffic/recording.ts'

/** Least number of new requests that are judged at a time. */
const minJudgedAtOnce = 1_000
/**
 * Numbers of earlier requests that are judged again with the next ones, since a client may repeat them: of all clients
 * together, of one client at most, and of one at least as long as there is room.
 */
const carried = { ofAll: 2_000, ofOneAtMost: 200, ofOneAtLeast: 4 }

/** The organization that an answer to `whoami` shows; undefined: another request, or none. */
const organizationShownBy = ({ operation, text }: RecordedExchange): string | undefined =>
  operation === 'whoami' ? idAsText(valueAtPath(parseJson(text), 'org', 'id')) : undefined

/** Creates the judge of the clients in one recording; their requests come in the order of time. */
export function createRecordedClientJudge(strict: boolean) {
  const journalEntryOf = createJournalEntryConverter()
  /** The requests that are judged again, and behind them the `unjudged` new ones. */
  let journal: JournalEntry[] = []
  let unjudged = 0
  /** Time from which requests are new, ms since the epoch. */
  let since = Number.NEGATIVE_INFINITY
  let judged: ClientReport | undefined
  const parts = new Map<string, ClientReportPart>()
  /** The number of requests that each client has sent. */
  const sent = new Map<string | null, number>()
  /** By client whose key is not recorded: the organizations that it was shown. Several have as many clients. */
  const shown = new Map<string | null, Set<string>>()
  const isSeveral = (client: string | null) => (shown.get(client)?.size ?? 0) > 1

  function judge(): ClientReport | undefined {
    if (unjudged === 0) return judged
    const active = new Set(journal.slice(-unjudged).map(({ org_id }) => org_id))
    const isJudged = ({ org_id }: JournalEntry) => active.has(org_id) && !isSeveral(org_id)
    const report = judgeRecordedClients(journal.filter(isJudged), strict, since)
    for (const part of report.parts) parts.set(part.id, part)
    return { ...(judged ? mergeClientReports([judged, report], strict) : report), parts: [] }
  }

  return {
    add(one: RecordedExchange): void {
      const entry = journalEntryOf(one)
      journal.push(entry)
      unjudged++
      sent.set(entry.org_id, (sent.get(entry.org_id) ?? 0) + 1)
      const organization = hasRecordedCredential(one) ? undefined : organizationShownBy(one)
      if (organization !== undefined)
        shown.set(entry.org_id, new Set(shown.get(entry.org_id)).add(organization))
    },
    /** Judges what has come, if it is enough. `until`, ms since the epoch: no earlier request follows. */
    relieve(until: number): void {
      // As many new requests as are judged again: the work grows with the recording alone.
      if (unjudged < Math.max(minJudgedAtOnce, journal.length - unjudged)) return
      judged = judge()
      since = until
      journal = lastOfEachClient(journal)
      unjudged = 0
    },
    /** The number of requests of several clients that no credential tells apart, so that they are not judged. */
    mixed: (): number =>
      [...sent].reduce((count, [client, requests]) => count + (isSeveral(client) ? requests : 0), 0),
    /** The report on all clients until now; requests that wait for their next ones will be judged again. */
    report(): ClientReport | undefined {
      const found = judge()
      return (
        found && {
          ...found,
          parts: [...parts.values()].map((one) => ({ ...one, requests: sent.get(one.org_id) ?? 0 })),
        }
      )
    },
  }
}

/** The last requests of each client, oldest first: fewer of each, the more clients there are. */
function lastOfEachClient(journal: readonly JournalEntry[]): JournalEntry[] {
  const byClient = Map.groupBy(journal, ({ org_id }) => org_id)
  const share = Math.floor(carried.ofAll / byClient.size)
  const most = Math.min(carried.ofOneAtMost, Math.max(carried.ofOneAtLeast, share))
  const last = new Set([...byClient.values()].flatMap((entries) => entries.slice(-most)))
  return journal.filter((entry) => last.has(entry)).slice(-carried.ofAll)
}
