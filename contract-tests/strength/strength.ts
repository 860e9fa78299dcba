/** Strength of a green verdict: how many violations, planted into the answers of the run, the same judge notices. */
import { isDeepStrictEqual } from 'node:util'
import type { Exchange } from '#traffic/exchange.ts'
import { catalogue } from '../catalogue/index.ts'
import { resultsWithOutcome, type SuiteRun } from '../harness/outcome.ts'
import { isCheck } from '../harness/requirement.ts'
import { judgingOptionsOf, type SuiteSettings } from '../harness/terms.ts'
import {
  judgeHistory,
  type ModelEvent,
  type ModelRule,
  type ModelViolation,
  modelRules,
  SecretNumbering,
} from '../model/index.ts'
import type { ConformanceReport } from '../report/report.ts'
import { judgeRecordedHistory } from '../runner/history.ts'
import { omissionReason } from '../runner/selection.ts'
import {
  type AlteredAnswer,
  type AnswerAlteration,
  answerAlterations,
  isAnsweredRequest,
} from './violations.ts'

type Strength = NonNullable<ConformanceReport['strength']>

/** Maximum number of events that are altered and judged: the first of a longer history. */
const longest = 1_000

/** A green run whose answers can be altered, to measure how many violations it would have noticed. */
export type MeasuredRun = ReturnType<typeof prepareMeasuredRun>

/**
 * Prepares a run so that its recorded answers can be altered and judged again; returns its history and the function
 * that tells which requirements an alteration violates.
 */
export function prepareMeasuredRun(run: SuiteRun, settings: SuiteSettings) {
  const history = run.history.toSorted((a, b) => endOf(a) - endOf(b)).slice(0, longest)
  const ids = new Set(history.map(({ id }) => id))
  const exchanges = run.exchanges?.filter(({ number }) => ids.has(number))
  const tested = resultsWithOutcome(run, 'passed').filter(
    ({ requirement, how }) => isCheck(requirement) && how !== 'observed',
  )
  /**
   * The requirements that checks of the run test: a check would see a violation again, so that one which others may
   * have caused counts too.
   */
  const confirmed = new Set(tested.map(({ requirement }) => requirement.id))

  /** The ids of the requirements that a history breaks, judged as a recording is. */
  function brokenIn(events: readonly ModelEvent[], answers: readonly Exchange[] | undefined): string[] {
    const judged = judgeRecordedHistory(events, run.baseUrl, settings, answers, confirmed)
    return resultsWithOutcome(judged, 'failed', 'warned').map(({ requirement }) => requirement.id)
  }

  /** Requirements that are violated or suspected without any alteration. */
  const usual = new Set(brokenIn(history, exchanges))
  const among = (given: SuiteSettings) =>
    new Set(catalogue.filter((one) => omissionReason(one, given) === undefined).map(({ id }) => id))
  // What one sight proves counts even if its requirement is not selected.
  const [selected, watched] = [among(settings), among({ ...settings, only: [] })]
  /** True if a violation counts: it is certain, and its requirement is selected and not broken without alterations. */
  const counts = ({ requirement, attributableToOthers, oneSightSuffices }: ModelViolation) =>
    (oneSightSuffices ? watched : selected).has(requirement) &&
    !usual.has(requirement) &&
    (attributableToOthers === false || confirmed.has(requirement))

  /** The first requirement that the model finds broken without a doubt. */
  const firstBroken = (events: readonly ModelEvent[], by: readonly ModelRule[]) =>
    judgeHistory(events, { ...judgingOptionsOf(settings), rules: by, stopAtFirst: counts }).violations.find(
      counts,
    )?.requirement

  return {
    history,
    /** The requirements by which a violation is noticed; undefined if nothing that was answered can show it. */
    noticedBy({ alter }: Pick<AnswerAlteration, 'alter'>): string[] | undefined {
      const given = alter(history)
      const changed = new Map<number, AlteredAnswer>()
      for (const event of history) {
        const after = isAnsweredRequest(event) ? given.get(event.id) : undefined
        if (isAnsweredRequest(event) && after && !isSame(event.answer, after)) changed.set(event.id, after)
      }
      if (changed.size === 0) return undefined
      const again = exchanges?.map((one) => exchangeWith(one, changed))
      const after = altered(history, changed, again !== undefined)
      // Most alterations show in the altered answers alone.
      const alone = after.filter(({ id }) => changed.has(id))
      const first = firstBroken(alone, ofAnswers) ?? firstBroken(after, modelRules)
      return first === undefined ? brokenIn(after, again).filter((id) => !usual.has(id)) : [first]
    },
  }
}

const endOf = (event: ModelEvent) =>
  event.kind === 'arranged' ? event.received.seq : (event.answer?.received.seq ?? event.sent.seq)

/** The rules that judge answers without what came before them. */
const ofAnswers = modelRules.filter(({ audience }) => audience === 'anybody')

const isSame = (one: AlteredAnswer, other: AlteredAnswer) =>
  one.status === other.status && isDeepStrictEqual(one.json, other.json)

/** The history with its changed answers. `isTold`: the answers hold the secrets of keys, which are numbered again. */
function altered(
  history: readonly ModelEvent[],
  changed: ReadonlyMap<number, AlteredAnswer>,
  isTold: boolean,
): ModelEvent[] {
  const identity = new SecretNumbering()
  return history.map((event) => {
    if (!isAnsweredRequest(event)) return event
    const after = changed.get(event.id)
    const { received } = event.answer
    const one = after ? { ...event, answer: { ...after, received } } : event
    return isTold ? { ...one, secret: identity.of(one) } : one
  })
}

function exchangeWith(one: Exchange, changed: ReadonlyMap<number, AlteredAnswer>): Exchange {
  const after = changed.get(one.number)
  return after ? { ...one, ...after, text: JSON.stringify(after.json) ?? '' } : one
}

/** The report of a run; if the run is green, with the share of planted violations that it would have noticed. */
export function reportWithStrength(
  report: ConformanceReport,
  run: SuiteRun,
  settings: SuiteSettings,
): ConformanceReport {
  const isGreen = report.outcome !== 'failed' && report.outcome !== 'suspected'
  return isGreen ? { ...report, strength: measureStrength(run, settings) } : report
}

/**
 * Measures the share of planted violations that the suite notices: each alteration makes the recorded answers of a
 * green run violate the specification, and the run is judged again.
 */
export function measureStrength(run: SuiteRun, settings: SuiteSettings): Strength {
  const green = prepareMeasuredRun(run, settings)
  const requirements: Record<string, number> = {}
  const unnoticed: Strength['unnoticed'][number][] = []
  let of = 0
  for (const violation of answerAlterations) {
    const broken = green.noticedBy(violation)
    if (broken === undefined) continue
    of++
    const [first] = broken
    if (first !== undefined) requirements[first] = (requirements[first] ?? 0) + 1
    else
      unnoticed.push({ id: violation.id, says: violation.says, shown_by: shownBy(violation, run, settings) })
  }
  return {
    noticed: of - unnoticed.length,
    of,
    events: green.history.length,
    events_of: run.history.length,
    requirements,
    unnoticed,
  }
}

/**
 * The means to make an unnoticed violation show, in words: whatever the requirements of its operation lack, or a
 * search.
 */
function shownBy({ operation }: AnswerAlteration, run: SuiteRun, { only, skip }: SuiteSettings): string {
  if (only.length + skip.length > 0) return 'all requirements selected'
  const lacking = resultsWithOutcome(run, 'not_exercised').flatMap(({ requirement, supply }) =>
    supply !== undefined && requirement.operation === operation ? supply : [],
  )
  return [...new Set([...lacking, 'verify --explore 60s'])].join(', or ')
}
