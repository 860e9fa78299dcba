/** Judges recorded traffic: the requests of each organization, by every rule. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import type { ClientReport } from './client-report.ts'
import { type ClientHistory, historyOf, historyOfStrangers, type Subject } from './history.ts'
import { judge, type NamedHistory } from './judge.ts'

/** How traffic is judged. */
export interface ReportOptions {
  /** A violated SHOULD fails the report too. */
  readonly strict?: boolean | undefined
  /** How the client ended; unset: it may go on, so that unfinished work is not judged. */
  readonly end?: { readonly ok: boolean } | undefined
  /** The same in a few words, for people. */
  readonly note?: string | undefined
  /** A name for these requests in the report; default: the id of the organization. */
  readonly label?: string | undefined
}

/** Recorded traffic and the organizations it may belong to. */
export interface Traffic {
  readonly entries: readonly JournalEntry[]
  /** The organizations to report on. */
  readonly subjects: readonly Subject[]
  /** Whether requests that belong to none of them are judged too. */
  readonly withStrangers: boolean
  /** Time of the report, ms since the epoch. */
  readonly now: number
}

/** Judges recorded traffic, organization by organization. */
export function judgeTraffic(traffic: Traffic, options: ReportOptions = {}): ClientReport {
  const { strict = false, end, note, label } = options
  const found = traffic.withStrangers
    ? historiesOf(traffic, end)
    : traffic.subjects.map((subject) => historyOf(subject, traffic.entries, end))
  const histories = found.map((history): NamedHistory => {
    const id = history.context.org_id ?? 'nobody'
    return {
      id: label === undefined ? id : found.length > 1 ? `${label}, ${id}` : label,
      history,
      end: note,
    }
  })
  if (histories.length === 0 && label !== undefined)
    histories.push({ id: label, history: historyOfStrangers([], traffic.now, end), end: note })
  return judge(histories, strict)
}

/** The history of each organization that was sent requests, and of requests that belong to none. */
function historiesOf({ entries, subjects, now }: Traffic, end: ReportOptions['end']): ClientHistory[] {
  const byOrg = Map.groupBy(entries, ({ org_id }) => org_id)
  const strangers = new Set(byOrg.get(null))
  const histories = subjects.map((subject) => {
    const nearby = [...(byOrg.get(subject.org_id) ?? []), ...(byOrg.get(null) ?? [])]
    const history = historyOf(
      subject,
      nearby.sort((a, b) => a.number - b.number),
      end,
    )
    for (const entry of history.entries) strangers.delete(entry)
    return history
  })
  const rest = historyOfStrangers([...strangers], now, end)
  return [...histories, rest].filter((history) => history.entries.length > 0)
}
