/** Judges recorded traffic part by part, in bounded memory: that of a file as that of a proxy. */
import { type ClientReport, mergeReports as mergeClientReports } from '#client-tests/client-report.ts'
import { Clients, judgeRecordedClients } from '#client-tests/recorded.ts'
import type { RequirementResult, SuiteRun } from '#contract-tests/harness/outcome.ts'
import { judgedBy, type Settings } from '#contract-tests/harness/terms.ts'
import { Judge, type ModelEvent, type RequestEvent } from '#contract-tests/model/index.ts'
import { mergeReports } from '#contract-tests/report/merge.ts'
import { type ConformanceReport, createReport } from '#contract-tests/report/report.ts'
import { judgeHistory } from '#contract-tests/runner/history.ts'
import { conclude } from '#contract-tests/runner/outcome-of-run.ts'
import { exchangeOf, exchangesOfRecording, RecordedHistory } from '#contract-tests/runner/recorded.ts'
import { withStrength } from '#contract-tests/strength/strength.ts'
import { isInconclusive } from '#reporting/report.ts'
import type { Exchange } from '#traffic/exchange.ts'
import type { Recorded } from '#traffic/recording.ts'
import manifest from '../../package.json' with { type: 'json' }

export const suite = { name: manifest.name, version: manifest.version }

/** What is judged, and how. */
export interface Terms {
  /** Where the traffic comes from, such as the address of the service. */
  readonly source: string
  readonly settings: Settings
  readonly strict: boolean
  readonly side: 'service' | 'client' | 'both'
  /** Says what the verdict on the service is worth, of a history or a recording that is added at once. */
  readonly withStrength?: boolean
}

/** What came out. Each part is absent where that side is not judged. */
export interface Sides {
  readonly service?: ConformanceReport | undefined
  /** What the service broke, the first sight of each requirement. */
  readonly broken?: readonly RequirementResult[] | undefined
  /** The same of what it broke unless another client caused it. */
  readonly doubtful?: readonly RequirementResult[] | undefined
  readonly client?: ClientReport | undefined
}

/** So many requests are kept as evidence of what comes later. */
const kept = 1_000
/** So many of them are judged again with the next ones. */
const carried = 200
/** After so many requests nothing that was learned is kept: the recording begins anew. */
const lifetime = 250_000

/** A request, and what the model takes it for. */
interface Seen {
  readonly entry: Recorded
  readonly event: RequestEvent
  /** Undefined: its answer was lost. */
  readonly exchange: Exchange | undefined
}

const conditions = { requireComplete: false, expected: { failures: [], unexercised: [] }, skip: [] }

/** Judges a history, which holds what the service answered and no headers. */
export function judgeEvents(history: readonly ModelEvent[], terms: Terms): Sides {
  if (terms.side === 'client') return {}
  const { report: service, run } = reportOn(judgeHistory(history, terms.source, terms.settings), terms)
  return { service, broken: run.results.filter(isFailed), doubtful: run.results.filter(isDoubtful) }
}

const isFailed = ({ outcome }: RequirementResult) => outcome === 'failed'
const isDoubtful = (result: RequirementResult) =>
  isInconclusive(result) && result.requirement.level === 'MUST'

function reportOn(judged: SuiteRun, { settings, strict, withStrength: isTold }: Terms) {
  const { run, judgement } = conclude(judged, { ...conditions, strict })
  const report = createReport(run, judgement, suite, [])
  return { run, report: isTold ? withStrength(report, run, settings) : report }
}

/** The judgement of one recording, whose parts are added in the order of time. */
export class Judgement {
  readonly #terms: Terms
  #model: Judge
  #history = new RecordedHistory()
  /** How many requests the model knows. */
  #learned = 0
  #recent: readonly Seen[] = []
  /** What was sent before them. */
  #older: readonly Recorded[] = []
  #waiting: Recorded[] = []
  #judgedUntil = Number.NEGATIVE_INFINITY
  #service: ConformanceReport | undefined
  #client: ClientReport | undefined
  readonly #broken = new Map<string, RequirementResult>()
  readonly #doubtful = new Map<string, RequirementResult>()
  readonly #counts = { parts: 0, requests: 0, lost: 0, began: Number.POSITIVE_INFINITY, ended: 0 }
  readonly #answers: Record<string, number> = {}
  readonly #clients = new Clients()
  /** How many requests each client has sent. */
  readonly #sent = new Map<string | null, number>()

  constructor(terms: Terms) {
    this.#terms = terms
    this.#model = newModel(terms)
  }

  /** Takes in requests, and judges those that were sent before `until`, ms: the others may still get company. */
  add(entries: readonly Recorded[], until = Number.POSITIVE_INFINITY): void {
    const sorted = [...this.#waiting, ...entries].sort((a, b) => a.at - b.at)
    const end = sorted.findIndex(({ at }) => at >= until)
    this.#waiting = end < 0 ? [] : sorted.splice(end)
    if (sorted.length === 0) return
    const events = this.#history.eventsOf(sorted, this.#judgedUntil)
    const fresh = sorted.flatMap((entry, i) => {
      const event = events[i]
      return event ? { entry, event, exchange: exchangeOf(entry, event) } : []
    })
    for (const one of fresh) this.#count(one)
    const { side, strict } = this.#terms
    const window = [...this.#recent, ...fresh]
    if (side !== 'client') this.#judgeService(events, window, until)
    if (side !== 'service') {
      const report = judgeRecordedClients(
        window.map(({ entry }) => entry),
        strict,
        this.#judgedUntil,
        this.#clients,
      )
      this.#client = this.#client ? mergeClientReports([this.#client, report], strict) : report
    }
    this.#judgedUntil = Math.max(this.#judgedUntil, Math.min(until, sorted.at(-1)?.at ?? until))
    this.#recent = window.slice(-carried)
    this.#older = [...this.#older, ...window.slice(0, -carried).map(({ entry }) => entry)].slice(-kept)
    this.#learned += fresh.length
    if (this.#learned < lifetime) return
    this.#model = newModel(this.#terms)
    this.#history = new RecordedHistory()
    this.#learned = 0
  }

  /** What came out until now. */
  sides(): Sides {
    const { requests, lost, began, ended } = this.#counts
    const service = this.#service && {
      ...this.#service,
      requests,
      answers: this.#answers,
      duration_ms: ended - began,
      disturbances: { ...this.#service.disturbances, dropped: lost },
    }
    const parts = new Map(this.#client?.parts.map((part) => [part.id, part]))
    const client = this.#client && {
      ...this.#client,
      parts: [...parts.values()].map((part) => ({ ...part, requests: this.#sent.get(part.org_id) ?? 0 })),
    }
    const doubtful = [...this.#doubtful.values()].filter(({ requirement: { id } }) => !this.#broken.has(id))
    return { service, broken: service && [...this.#broken.values()], doubtful, client }
  }

  #judgeService(events: readonly RequestEvent[], window: readonly Seen[], until: number): void {
    const { source, settings, strict } = this.#terms
    const model = this.#model
    model.add(events, until)
    const numbers = new Set(window.map(({ entry }) => entry.number))
    model.violations = model.violations.filter(({ because }) => numbers.has(because.at(-1) ?? 0))
    const cited = new Set(model.violations.flatMap(({ because }) => because))
    const older = exchangesOfRecording(this.#older.filter(({ number }) => cited.has(number)))
    const exchanges = [...older, ...window.flatMap(({ exchange }) => exchange ?? [])]
    const history = window.map(({ event }) => event)
    const judged = judgeHistory(history, source, settings, exchanges, new Set(), model)
    const { run, report } = reportOn(judged, this.#terms)
    for (const [seen, is] of [
      [this.#broken, isFailed],
      [this.#doubtful, isDoubtful],
    ] as const)
      for (const result of run.results.filter(is))
        if (!seen.has(result.requirement.id)) seen.set(result.requirement.id, result)
    const part = { ...report, run_id: `${report.run_id} ${++this.#counts.parts}` }
    const known = { strict, requireComplete: false }
    this.#service = this.#service ? mergeReports([this.#service, part], known) : report
  }

  #count({ entry, event }: Seen): void {
    const counts = this.#counts
    counts.began = Math.min(counts.began, entry.at)
    counts.ended = Math.max(counts.ended, entry.at)
    const { answer } = event
    if (answer === null) counts.lost++
    else {
      counts.requests++
      this.#answers[answer.status] = (this.#answers[answer.status] ?? 0) + 1
    }
    const client = this.#clients.nameOf(entry)
    this.#sent.set(client, (this.#sent.get(client) ?? 0) + 1)
  }
}

const newModel = ({ settings }: Terms) => new Judge(judgedBy(settings))
