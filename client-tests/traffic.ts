/** Judges recorded traffic: the requests of each organization, by every rule. */
import { z } from 'zod'
import { createStrictObjectSchema } from '#contract/input/checked.ts'
import { type JournalEntry, numberEntriesInOrder } from '#traffic/journal-entry.ts'
import type { ClientReport } from './client-report.ts'
import {
  type ClientFacts,
  type ClientHistory,
  clientHistoryOf,
  inAnswerOrder,
  type JudgedOrganization,
  unauthenticatedHistory,
} from './history.ts'
import { judgeHistories, type NamedHistory } from './judge.ts'
import { runFactsSchema } from './rule.ts'

/** Schema of the options of a client report: strictness, the range of requests, and how the client ended. */
export const reportOptionsSchema = createStrictObjectSchema({
  /** True if a violated SHOULD fails the report too. */
  strict: z.boolean().optional(),
  /** How the client ended; unset if it may go on, so that unfinished work is not judged. */
  end: createStrictObjectSchema({ ok: z.boolean() }).optional(),
  /** Facts about the run of the client, if it was started in order to be judged. */
  run: runFactsSchema.optional(),
  /** Judges the requests after this number of the journal; default: all. */
  since: z.number().optional(),
  /** Judges the requests up to this number; default: all. */
  until: z.number().optional(),
  /** How the client ended, in a few words, for people. */
  note: z.string().optional(),
  /** A name for these requests in the report; default: the id of the organization. */
  label: z.string().optional(),
})
/** Options of a client report: strictness, the range of requests, and how the client ended. */
export type JudgeTrafficOptions = Readonly<z.output<typeof reportOptionsSchema>>

/** Recorded traffic and the organizations it may belong to. */
interface Traffic {
  readonly entries: readonly JournalEntry[]
  /** The organizations to report on. */
  readonly subjects: readonly JudgedOrganization[]
  /** True if requests that belong to none of them are judged too. */
  readonly withStrangers: boolean
  /** Time of the report, ms since the epoch. */
  readonly now: number
}

/**
 * Judges recorded traffic, and reports on it organization by organization. `judgedUntil`, ms since the epoch: earlier
 * requests were judged already.
 */
export function judgeTraffic(
  traffic: Traffic,
  options: JudgeTrafficOptions = {},
  judgedUntil?: number,
): ClientReport {
  const { strict = false, end, run, since = 0, until = Infinity, note, label } = options
  const { subjects, now } = traffic
  const wanted = traffic.entries.filter(({ number }) => number > since && number <= until)
  const ordered = inAnswerOrder(wanted)
  const entries = ordered === wanted ? wanted : numberEntriesInOrder(ordered)
  const known = { end, held: run?.held }
  const found = traffic.withStrangers
    ? historiesOf({ ...traffic, entries }, known)
    : subjects.map((subject) => clientHistoryOf(subject, entries, known))
  if (found.length === 0 && label !== undefined) found.push(unauthenticatedHistory([], now, known))
  const histories = found.map(({ entries, context }, i): NamedHistory => {
    const id = context.org_id ?? 'nobody'
    return {
      id: label === undefined ? id : found.length > 1 ? `${label}, ${id}` : label,
      // A run is judged once, by its first organization.
      history: { entries, context: i === 0 ? { ...context, run } : context },
      end: note,
    }
  })
  return judgeHistories(histories, strict, judgedUntil)
}

/** The history of each organization that was sent requests, and of requests that belong to none. */
function historiesOf({ entries, subjects, now }: Traffic, known: ClientFacts): ClientHistory[] {
  const byOrg = Map.groupBy(entries, ({ org_id }) => org_id)
  const strangers = new Set(byOrg.get(null))
  const histories = subjects.map((subject) => {
    const nearby = [...(byOrg.get(subject.org_id) ?? []), ...(byOrg.get(null) ?? [])]
    const history = clientHistoryOf(
      subject,
      nearby.sort((a, b) => a.number - b.number),
      known,
    )
    for (const entry of history.entries) strangers.delete(entry)
    return history
  })
  const rest = unauthenticatedHistory([...strangers], now, known)
  return [...histories, rest].filter((history) => history.entries.length > 0)
}
