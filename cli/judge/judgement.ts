/** Judges recorded traffic part by part, in bounded memory: that of a file as that of a proxy. */
import { type ClientPart, type ClientReport, mergeReports } from '#client-tests/client-report.ts'
import { journaling, judgeClients } from '#client-tests/recorded.ts'
import { routeOf } from '#contract/operation.ts'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import type { RequirementResult, SuiteRun } from '#contract-tests/harness/outcome.ts'
import { judgedBy } from '#contract-tests/harness/terms.ts'
import { Judge, type ModelEvent, type ModelViolation, named } from '#contract-tests/model/index.ts'
import { type ConformanceReport, createReport } from '#contract-tests/report/report.ts'
import { judgeHistory } from '#contract-tests/runner/history.ts'
import { conclude } from '#contract-tests/runner/outcome-of-run.ts'
import { RecordedHistory, type Seen, seenOf } from '#contract-tests/runner/recorded.ts'
import { observed } from '#contract-tests/runner/results.ts'
import { certain } from '#contract-tests/runner/watch.ts'
import { withStrength } from '#contract-tests/strength/strength.ts'
import { isInconclusive } from '#reporting/report.ts'
import { isAbsent } from '#traffic/exchange.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import type { Recorded } from '#traffic/recording.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { Terms } from './options.ts'

export const suite = { name: manifest.name, version: manifest.version }

/** What came out. Each part is absent where that side is not judged. */
export interface Sides {
  readonly service?: ConformanceReport | undefined
  /** What the service broke, the first sight of each requirement. */
  readonly broken?: readonly RequirementResult[] | undefined
  /** The same of what it broke unless another client caused it. */
  readonly doubtful?: readonly RequirementResult[] | undefined
  readonly client?: ClientReport | undefined
  /** Answers that were recorded without their body, or with a part of it, which says nothing of the service. */
  readonly bodiless?: number
}

/** So many requests are looked at again with the next ones; of clients so many are judged at once. */
const [carried, ofClients] = [200, 1_000]
/** After so many requests nothing that was learned is kept: the recording begins anew. */
const lifetime = 250_000
/** So much of what was sent before is there to be shown, characters. */
const shown = 8_000_000

/** So many requests of a file are judged at once, and so many may be out of order, if their texts are not longer. */
const [part, unordered, longest] = [100, 1_000, 16_000_000]

const lengthOf = ({ text = '', requestBody = '' }: Recorded) => text.length + requestBody.length

const conditions = { requireComplete: false, expected: { failures: [], unexercised: [] }, skip: [] }

/** Judges a history, which holds what the service answered and no headers. */
export function judgeEvents(history: readonly ModelEvent[], terms: Terms): Sides {
  return terms.side === 'client' ? {} : sideOf(judgeHistory(history, terms.source, terms.settings), terms)
}

/** What is told of a service. `altered`: what `--strength` alters, if it is not the history of the run. */
function sideOf(judged: SuiteRun, { settings, strict, withStrength: isTold }: Terms, altered = {}) {
  const { run, judgement } = conclude(judged, { ...conditions, strict })
  const report = createReport(run, judgement, suite, [])
  return {
    service: isTold ? withStrength(report, { ...run, ...altered }, settings) : report,
    broken: run.results.filter(({ outcome }) => outcome === 'failed'),
    doubtful: run.results.filter((one) => isInconclusive(one) && one.requirement.level === 'MUST'),
  }
}

/** The requirements of which the model does not see all. */
const observations = catalogue.filter(({ observe }) => observe)

const nothing = { violations: [], tried: new Set<string>(), counted: [] }

/** The judgement of one recording, whose parts are added in the order of time. */
export class Judgement {
  readonly #terms: Terms
  #model: Judge
  #history = new RecordedHistory()
  /** How many requests the model knows. */
  #learned = 0
  readonly #waiting: Recorded[] = []
  /** The length of their texts. */
  #held = 0
  /** How much more than usual may wait, since all of it was sent in one moment. */
  #room = 1
  #recent: readonly Seen[] = []
  readonly #older = new Shown()
  #judgedUntil = Number.NEGATIVE_INFINITY
  /** The first contradiction of each requirement that is certain, and the first that is not. */
  readonly #sure = new Map<string, readonly ModelViolation[]>()
  readonly #doubtful = new Map<string, readonly ModelViolation[]>()
  /** How often each was contradicted. */
  readonly #times = new Map<string, number>()
  /** The requests that they rest on, the first one, and those that show which extended routes there are. */
  readonly #cited = new Map<number, Seen>()
  readonly #told = new Set<string>()
  readonly #tried = new Set<string>()
  /** What is altered to tell the strength of a verdict. */
  readonly #altered: Seen[] = []
  /** What clients sent: the last requests that were judged, and so many that were not. */
  #journal: JournalEntry[] = []
  #unjudged = 0
  #clientsUntil = Number.NEGATIVE_INFINITY
  #client: ClientReport | undefined
  readonly #parts = new Map<string, ClientPart>()
  readonly #counts = { requests: 0, lost: 0, bodiless: 0, began: Number.POSITIVE_INFINITY, ended: 0 }
  readonly #answers: Record<string, number> = {}
  readonly #journalEntryOf = journaling()
  /** How many requests each client has sent. */
  readonly #sent = new Map<string | null, number>()

  constructor(terms: Terms) {
    this.#terms = terms
    this.#model = newModel(terms)
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Takes in requests, in any order. */
  take(entries: readonly Recorded[]): void {
    this.#waiting.push(...entries)
    for (const one of entries) this.#held += lengthOf(one)
  }

  /** Judges the oldest where so many wait, or such long ones, that no more should: earlier ones come too late. */
  relieve(): void {
    const { length } = this.#waiting
    if (length < (part + unordered) * this.#room && this.#held < longest * this.#room) return
    const judged = this.judge(undefined, Math.min(part, Math.ceil(length / 2)))
    this.#room = judged > 0 ? 1 : this.#room * 2
  }

  /**
   * Judges requests that were sent before `until`, ms, the oldest first: the others may still get company. `most`:
   * about so many; those of one moment are judged together. Returns how many it has judged.
   */
  judge(until = Number.POSITIVE_INFINITY, most = Number.POSITIVE_INFINITY): number {
    this.#waiting.sort((a, b) => a.at - b.at)
    const next = this.#waiting[most]?.at ?? Number.POSITIVE_INFINITY
    const isOneMoment = this.#waiting[0]?.at === next
    const later = isOneMoment ? this.#waiting.find(({ at }) => at > next)?.at : undefined
    const end = Math.min(until, later ?? next)
    const first = this.#waiting.findIndex(({ at }) => at >= end)
    const entries = this.#waiting.splice(0, first < 0 ? this.#waiting.length : first)
    for (const one of entries) this.#held -= lengthOf(one)
    if (entries.length > 0) this.#judge(entries, Math.min(until, this.#waiting[0]?.at ?? until))
    return entries.length
  }

  #judge(entries: readonly Recorded[], until: number): void {
    const fresh = this.#history.read(entries, this.#judgedUntil)
    for (const one of fresh) this.#count(one)
    const window = [...this.#recent, ...fresh]
    if (this.#terms.side !== 'client') this.#judgeService(fresh, window, until)
    this.#judgedUntil = Math.max(this.#judgedUntil, Math.min(until, entries.at(-1)?.at ?? until))
    if (this.#unjudged >= ofClients) this.#judgeClients()
    this.#recent = window.slice(-carried)
    for (const { entry } of window.slice(0, -carried)) this.#older.add(entry)
    this.#learned += fresh.length
    if (this.#learned < lifetime) return
    for (const id of this.#model.tried) this.#tried.add(id)
    this.#model = newModel(this.#terms)
    this.#history = new RecordedHistory(this.#history)
    this.#learned = 0
  }

  /** What came out until now. */
  sides(): Sides {
    if (this.#unjudged > 0) this.#judgeClients()
    const client = this.#client && {
      ...this.#client,
      parts: [...this.#parts.values()].map((one) => ({ ...one, requests: this.#sent.get(one.org_id) ?? 0 })),
    }
    return this.#terms.side === 'client' || this.#sent.size === 0
      ? { client }
      : { ...this.#service(), client }
  }

  #service() {
    const { source, settings } = this.#terms
    const { requests, lost, began, ended } = this.#counts
    const shown = [...this.#cited.values()].sort((a, b) => a.entry.at - b.entry.at)
    const run = judgeHistory(eventsOf(shown), source, settings, exchangesOf(shown), new Set(), {
      violations: [...this.#sure.values(), ...this.#doubtful.values()].flatMap((of) =>
        of.flatMap((one) => Array(this.#times.get(one.requirement) ?? 1).fill(one)),
      ),
      tried: this.#tried.union(this.#model.tried),
      state: this.#model.state,
      keys: this.#history.keys,
    })
    const { service, ...told } = sideOf({ ...run, requests, duration_ms: ended - began }, this.#terms, {
      history: eventsOf(this.#altered),
      exchanges: exchangesOf(this.#altered),
    })
    return {
      ...told,
      bodiless: this.#counts.bodiless,
      service: {
        ...service,
        answers: this.#answers,
        disturbances: { ...service.disturbances, dropped: lost },
        ...(service.strength && { strength: { ...service.strength, events_of: requests + lost } }),
      },
    }
  }

  #judgeClients(): void {
    const { strict } = this.#terms
    const report = judgeClients(this.#journal, strict, this.#clientsUntil)
    for (const part of report.parts) this.#parts.set(part.id, part)
    this.#client = { ...(this.#client ? mergeReports([this.#client, report], strict) : report), parts: [] }
    this.#clientsUntil = this.#judgedUntil
    this.#journal = this.#journal.slice(-carried)
    this.#unjudged = 0
  }

  #judgeService(fresh: readonly Seen[], window: readonly Seen[], until: number): void {
    const model = this.#model
    const before = model.violations.length
    model.add(eventsOf(fresh), until)
    model.violations = model.violations.map(named)
    for (const { requirement } of model.violations.slice(before))
      this.#times.set(requirement, (this.#times.get(requirement) ?? 0) + 1)
    const traffic = { exchanges: exchangesOf(fresh), outOfStep: [], secrets: this.#history.keys }
    for (const one of observations.filter(({ id }) => !this.#sure.has(id))) {
      const { evidence } = observed(one, nothing, traffic, this.#terms.settings)
      if (evidence.length > 0) this.#sure.set(one.id, [])
      for (const { number } of evidence) this.#cite(number, window)
    }
    const numbers = new Set(window.map(({ entry }) => entry.number))
    model.violations = model.violations.filter(({ because }) => numbers.has(because.at(-1) ?? 0))
    if (model.violations.length === 0) return
    const sure = certain(model.violations, eventsOf(window), exchangesOf(window))
    for (const violation of model.violations) {
      const isSure = sure.includes(violation)
      const known = isSure ? this.#sure : this.#doubtful
      if (known.has(violation.requirement)) continue
      known.set(violation.requirement, [isSure ? { ...violation, others: false } : violation])
      for (const number of violation.because) this.#cite(number, window)
    }
  }

  #cite(number: number, window: readonly Seen[]): void {
    const seen = window.find(({ entry }) => entry.number === number) ?? this.#older.get(number)
    if (seen) this.#cited.set(number, seen)
  }

  #count(one: Seen): void {
    const { entry, event, exchange } = one
    const journal = this.#journalEntryOf(entry)
    const counts = this.#counts
    const told = `${entry.operation} ${exchange && isAbsent(exchange)}`
    const isTelling = routeOf(entry.operation).set === 'extended' && !this.#told.has(told)
    if (counts.requests + counts.lost === 0 || isTelling) this.#cited.set(entry.number, one)
    this.#told.add(told)
    if (this.#terms.withStrength && this.#altered.length < 2_000) this.#altered.push(one)
    counts.began = Math.min(counts.began, entry.at)
    counts.ended = Math.max(counts.ended, entry.at)
    const { answer } = event
    if (entry.text === undefined && entry.status >= 200 && entry.status !== 304) counts.bodiless++
    if (answer === null) counts.lost++
    else {
      counts.requests++
      this.#answers[answer.status] = (this.#answers[answer.status] ?? 0) + 1
    }
    if (this.#terms.side !== 'service') {
      this.#journal.push(journal)
      this.#unjudged++
    }
    this.#sent.set(journal.org_id, (this.#sent.get(journal.org_id) ?? 0) + 1)
  }
}

const eventsOf = (seen: readonly Seen[]) => seen.map(({ event }) => event)

const exchangesOf = (seen: readonly Seen[]) => seen.flatMap(({ exchange }) => exchange ?? [])

const newModel = ({ settings }: Terms) => new Judge(judgedBy(settings))

/** The last requests as text. */
class Shown {
  /** Oldest first. */
  readonly #lines = new Map<number, string>()
  #length = 0

  add(entry: Recorded): void {
    const line = JSON.stringify(entry)
    this.#lines.set(entry.number, line)
    this.#length += line.length
    // Many at once, since a map whose first places are free is slow to begin with.
    if (this.#length < 2 * shown) return
    for (const [number, one] of this.#lines) {
      if (this.#length < shown) break
      this.#lines.delete(number)
      this.#length -= one.length
    }
  }

  get(number: number): Seen | undefined {
    const line = this.#lines.get(number)
    return line === undefined ? undefined : seenOf(JSON.parse(line))
  }
}
