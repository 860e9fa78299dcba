/** Judges recorded traffic part by part, in bounded memory, whether it comes from a file or a proxy. */
import type { ClientReport } from '#client-tests/client-report.ts'
import { routeOf } from '#contract/operation.ts'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import type { RequirementResult, SuiteRun } from '#contract-tests/harness/outcome.ts'
import { judgingOptionsOf } from '#contract-tests/harness/terms.ts'
import {
  HistoryJudge,
  type ModelEvent,
  type ModelViolation,
  withKnownCause,
} from '#contract-tests/model/index.ts'
import { type ConformanceReport, createConformanceReport } from '#contract-tests/report/report.ts'
import { judgeRecordedHistory } from '#contract-tests/runner/history.ts'
import { concludeSuiteRun } from '#contract-tests/runner/outcome-of-run.ts'
import {
  interpretSingleExchange,
  mayDependOnUnknownParameters,
  type RecordedModelRequest,
  RecordingInterpreter,
} from '#contract-tests/runner/recorded.ts'
import { trafficResult } from '#contract-tests/runner/results.ts'
import { conclusiveViolations, showsBoughtCredits } from '#contract-tests/runner/watch.ts'
import { reportWithStrength } from '#contract-tests/strength/strength.ts'
import { packageNameAndVersion } from '#reporting/suite.ts'
import { isRouteAbsent } from '#traffic/exchange.ts'
import type { RecordedExchange } from '#traffic/recording.ts'
import { createRecordedClientJudge } from './client-judge.ts'
import type { RecordingJudgementSettings } from './terms.ts'

/** The judgement of a recording: of its service, its clients, or both. */
export interface RecordingJudgement {
  readonly service?: ConformanceReport | undefined
  /** Requirements that the service violated, each with the first violation that was found. */
  readonly broken?: readonly RequirementResult[] | undefined
  /**
   * Requirements that the service violated, unless another client of the organization caused what the recording shows.
   */
  readonly doubtful?: readonly RequirementResult[] | undefined
  readonly client?: ClientReport | undefined
  /** Number of answers that were recorded without their whole body, and therefore not judged. */
  readonly bodiless?: number
  /**
   * Number of requests that have parameters of unknown effect, so that each was judged alone and not against earlier
   * answers.
   */
  readonly unclear?: number
  /** Number of requests of several clients whose credentials are not recorded, so that their clients were not judged. */
  readonly mixed?: number
}

/** Number of requests that are judged again with the next ones. */
const carried = 200
/** Number of requests after which all that was learned is dropped, as if the recording began anew. */
const lifetime = 250_000
/** Maximum size of earlier traffic that is kept as evidence, bytes. */
const shown = 8_000_000

/** Of a file: requests judged at a time (`part`), and how many requests and characters may wait out of order. */
const [part, unordered, longest] = [100, 1_000, 16_000_000]

/**
 * The size of unjudged recorded traffic from which its oldest part is judged without waiting for more: requests, and
 * characters in their bodies.
 */
export const unjudgedTrafficLimits = { requests: part + unordered, characters: longest }

/** The number of characters in the request body and the response body of a recorded exchange together. */
export const totalBodyLengthOf = ({ text = '', requestBody = '' }: RecordedExchange) =>
  text.length + requestBody.length

const conditions = { requireComplete: false, expected: { failures: [], unexercised: [] }, skip: [] }

/** Judges the service by a history as `verify --history` writes it, which holds requests and answers but no headers. */
export const judgeServiceByHistory = (
  history: readonly ModelEvent[],
  terms: RecordingJudgementSettings,
): RecordingJudgement =>
  terms.side === 'client' ? {} : sideOf(judgeRecordedHistory(history, terms.source, terms.settings), terms)

/** The report on a service. `altered`: the history that `--strength` alters, if it is not that of the run. */
function sideOf(
  judged: SuiteRun,
  { settings, strict, withStrength: isTold }: RecordingJudgementSettings,
  altered = {},
) {
  const { run, judgement } = concludeSuiteRun(judged, { ...conditions, strict })
  const report = createConformanceReport(run, judgement, packageNameAndVersion, [])
  return {
    service: isTold ? reportWithStrength(report, { ...run, ...altered }, settings) : report,
    broken: run.results.filter(({ outcome }) => outcome === 'failed'),
    doubtful: run.results.filter(({ outcome }) => outcome === 'suspected'),
  }
}

/** The requirements for which the model does not see all that they need. */
const observations = catalogue.filter(({ observe }) => observe)

const nothing = { violations: [], exercised: new Set<string>(), counted: [] }

/**
 * Creates the judge of one recording. It takes requests in any order, judges them in the order of time, and can return
 * a judgement of what it has so far at any point.
 */
export function createRecordingJudge(terms: RecordingJudgementSettings) {
  const { source, settings, side, strict } = terms
  let model = newModel(terms)
  let history = new RecordingInterpreter()
  /** Number of requests that the model has learned from. */
  let learned = 0
  const waiting: RecordedExchange[] = []
  /** Number of characters of the waiting requests. */
  let held = 0
  /** Factor by which more than usual may wait, because all that waits was sent in one moment. */
  let room = 1
  let recent: readonly RecordedModelRequest[] = []
  const older = lastShown()
  let judgedUntil = Number.NEGATIVE_INFINITY
  /** For each requirement the first contradiction that is certain, and the first that is not. */
  const sure = new Map<string, readonly ModelViolation[]>()
  const doubtful = new Map<string, readonly ModelViolation[]>()
  /** The number of contradictions of each requirement. */
  const times = new Map<string, number>()
  /** The requests that contradictions cite, the first request, and those that show which extended routes there are. */
  const cited = new Map<number, RecordedModelRequest>()
  const routesTold = new Set<string>()
  const tried = new Set<string>()
  /** Requests that are altered to tell the strength of a verdict. */
  const altered: RecordedModelRequest[] = []
  const clients = side === 'service' ? undefined : createRecordedClientJudge(strict)
  const counts = { requests: 0, lost: 0, bodiless: 0, unclear: 0, began: Number.POSITIVE_INFINITY, ended: 0 }
  const answers: Record<string, number> = {}

  function cite(number: number, window: readonly RecordedModelRequest[]): void {
    const seen = window.find(({ entry }) => entry.number === number) ?? older.get(number)
    if (seen) cited.set(number, seen)
  }

  function count(one: RecordedModelRequest): void {
    const { entry, exchange } = one
    const told = `${entry.operation} ${exchange && isRouteAbsent(exchange)}`
    const isTelling = routeOf(entry.operation).set === 'extended' && !routesTold.has(told)
    if (counts.requests + counts.lost === 0 || isTelling) cited.set(entry.number, one)
    routesTold.add(told)
    if (terms.withStrength && altered.length < 2_000) altered.push(one)
    counts.began = Math.min(counts.began, entry.at)
    counts.ended = Math.max(counts.ended, entry.at)
    if (entry.text === undefined && entry.status >= 200 && entry.status !== 304) counts.bodiless++
    if (mayDependOnUnknownParameters(entry)) counts.unclear++
    if (exchange === undefined) counts.lost++
    else {
      counts.requests++
      answers[exchange.status] = (answers[exchange.status] ?? 0) + 1
    }
    clients?.add(entry)
  }

  function judgeService(
    fresh: readonly RecordedModelRequest[],
    window: readonly RecordedModelRequest[],
    until: number,
  ): void {
    const known = model.violations
    model.violations = []
    model.add(eventsOf(fresh), until)
    const numbersOf = (isMeant: (one: RecordedModelRequest) => boolean | undefined) =>
      new Set(window.filter(isMeant).map(({ entry }) => entry.number))
    const [unsure, anonymous] = [numbersOf((one) => one.isDoubtful), numbersOf((one) => one.isAnonymous)]
    const requests = eventsOf(window)
    const found = model.violations.flatMap((violation) => {
      if (showsBoughtCredits(violation, requests)) return []
      const [last = 0, ...others] = violation.evidence.toReversed()
      // Two organizations may have sent the requests that are compared.
      const mayBeOther = unsure.has(last) || (others.length > 0 && anonymous.has(last))
      return { ...withKnownCause(violation), ...(mayBeOther && { attributableToOthers: true }) }
    })
    model.violations = [...known, ...found]
    for (const { requirement } of found) times.set(requirement, (times.get(requirement) ?? 0) + 1)
    const traffic = { exchanges: exchangesOf(fresh), outOfStep: [], secrets: history.keys }
    for (const one of observations.filter(({ id }) => !sure.has(id))) {
      const { evidence } = trafficResult(one, nothing, traffic, settings)
      if (evidence.length > 0) sure.set(one.id, [])
      for (const { number } of evidence) cite(number, window)
    }
    const numbers = numbersOf(() => true)
    model.violations = model.violations.filter(({ evidence }) => numbers.has(evidence.at(-1) ?? 0))
    if (model.violations.length === 0) return
    const certainly = conclusiveViolations(model.violations, requests, exchangesOf(window))
    for (const violation of model.violations) {
      const isSure = certainly.includes(violation)
      const first = isSure ? sure : doubtful
      if (first.has(violation.requirement)) continue
      first.set(violation.requirement, [isSure ? { ...violation, attributableToOthers: false } : violation])
      for (const number of violation.evidence) cite(number, window)
    }
  }

  function judgeNext(entries: readonly RecordedExchange[], until: number): void {
    const fresh = history.read(entries, judgedUntil)
    for (const one of fresh) count(one)
    const window = [...recent, ...fresh]
    if (side !== 'client') judgeService(fresh, window, until)
    judgedUntil = Math.max(judgedUntil, Math.min(until, entries.at(-1)?.at ?? until))
    clients?.relieve(judgedUntil)
    recent = window.slice(-carried)
    for (const { entry } of window.slice(0, -carried)) older.add(entry)
    learned += fresh.length
    if (learned < lifetime) return
    for (const id of model.exercised) tried.add(id)
    model = newModel(terms)
    history = new RecordingInterpreter(history)
    learned = 0
  }

  function service() {
    const { requests, lost, began, ended } = counts
    const shown = [...cited.values()].sort((a, b) => a.entry.at - b.entry.at)
    const run = judgeRecordedHistory(eventsOf(shown), source, settings, exchangesOf(shown), new Set(), {
      violations: [...sure.values(), ...doubtful.values()].flatMap((of) =>
        of.flatMap((one) => Array(times.get(one.requirement) ?? 1).fill(one)),
      ),
      exercised: tried.union(model.exercised),
      state: model.state,
      keys: history.keys,
    })
    const { service, ...told } = sideOf({ ...run, requests, duration_ms: ended - began }, terms, {
      history: eventsOf(altered),
      exchanges: exchangesOf(altered),
    })
    return {
      ...told,
      bodiless: counts.bodiless,
      unclear: counts.unclear,
      service: {
        ...service,
        answers,
        disturbances: { ...service.disturbances, dropped: lost },
        ...(service.strength && { strength: { ...service.strength, events_of: requests + lost } }),
      },
    }
  }

  /**
   * Judges requests that were sent before `until`, ms since the epoch, the oldest first: later ones may still get
   * company. `most`: about how many; those of one moment are judged together. Returns how many it has judged.
   */
  function judge(until = Number.POSITIVE_INFINITY, most = Number.POSITIVE_INFINITY): number {
    waiting.sort((a, b) => a.at - b.at)
    const next = waiting[most]?.at ?? Number.POSITIVE_INFINITY
    const isOneMoment = waiting[0]?.at === next
    const later = isOneMoment ? waiting.find(({ at }) => at > next)?.at : undefined
    const end = Math.min(until, later ?? next)
    const first = waiting.findIndex(({ at }) => at >= end)
    const entries = waiting.splice(0, first < 0 ? waiting.length : first)
    for (const one of entries) held -= totalBodyLengthOf(one)
    if (entries.length > 0) judgeNext(entries, Math.min(until, waiting[0]?.at ?? until))
    return entries.length
  }

  return {
    judge,
    /** The number of requests that are not judged yet. */
    waiting: () => waiting.length,
    /** Takes in requests, in any order. */
    take(entries: readonly RecordedExchange[]): void {
      waiting.push(...entries)
      for (const one of entries) held += totalBodyLengthOf(one)
    },
    /** Judges the oldest requests once too many or too long ones wait: older ones that still arrive come too late. */
    relieve(): void {
      const { length } = waiting
      if (length < unjudgedTrafficLimits.requests * room && held < unjudgedTrafficLimits.characters * room)
        return
      const judged = judge(undefined, Math.min(part, Math.ceil(length / 2)))
      room = judged > 0 ? 1 : room * 2
    },
    /** Judgement until now. */
    sides(): RecordingJudgement {
      const hasRequests = counts.requests + counts.lost > 0
      return {
        ...(side !== 'client' && hasRequests && service()),
        client: clients?.report(),
        mixed: clients?.mixed() ?? 0,
      }
    },
  }
}

const eventsOf = (seen: readonly RecordedModelRequest[]) => seen.map(({ event }) => event)

const exchangesOf = (seen: readonly RecordedModelRequest[]) => seen.flatMap(({ exchange }) => exchange ?? [])

const newModel = ({ settings }: RecordingJudgementSettings) => new HistoryJudge(judgingOptionsOf(settings))

/** The last requests as text, oldest first, outside of the heap. */
function lastShown() {
  const ring = Buffer.alloc(shown)
  let places: { readonly number: number; readonly start: number; readonly length: number }[] = []
  /** Index of the first request that was not overwritten. */
  let first = 0
  let end = 0
  return {
    add(entry: RecordedExchange): void {
      const line = JSON.stringify(entry)
      const length = Buffer.byteLength(line)
      if (length > shown) return
      const start = end + length > shown ? 0 : end
      const isOver = (one = places[first]) =>
        one !== undefined && one.start < start + length && start < one.start + one.length
      // When the ring starts over, requests of the lap before that lie behind its last one are dropped, too.
      while (isOver() || (start < end && (places[first]?.start ?? 0) >= end)) first++
      end = start + ring.write(line, start)
      places.push({ number: entry.number, start, length })
      if (first < places.length / 2) return
      places = places.slice(first)
      first = 0
    },
    get(number: number): RecordedModelRequest | undefined {
      const place = places.slice(first).findLast((one) => one.number === number)
      return (
        place &&
        interpretSingleExchange(JSON.parse(ring.toString('utf8', place.start, place.start + place.length)))
      )
    },
  }
}
