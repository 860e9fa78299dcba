/** What a green verdict is worth: how many violations in what was answered the same judge would have noticed. */
import { isDeepStrictEqual } from 'node:util'
import type { Exchange } from '#traffic/exchange.ts'
import { catalogue } from '../catalogue/index.ts'
import { resultsOf, type SuiteRun } from '../harness/outcome.ts'
import { isCheck } from '../harness/requirement.ts'
import { judgedBy, type Settings } from '../harness/terms.ts'
import {
  judge,
  type ModelEvent,
  type ModelViolation,
  type Rule,
  rules,
  SecretIdentity,
} from '../model/index.ts'
import type { ConformanceReport } from '../report/report.ts'
import { judgeHistory } from '../runner/history.ts'
import { leftOut } from '../runner/selection.ts'
import { type Altered, isAnswered, type Violation, violations } from './violations.ts'

type Strength = NonNullable<ConformanceReport['strength']>

/** Of a longer history, only the first events are altered and judged. */
const longest = 1_000

export type Measured = ReturnType<typeof measured>

/** A green run, whose answers are altered and judged again. */
export function measured(run: SuiteRun, settings: Settings) {
  const history = run.history.toSorted((a, b) => endOf(a) - endOf(b)).slice(0, longest)
  const ids = new Set(history.map(({ id }) => id))
  const exchanges = run.exchanges?.filter(({ number }) => ids.has(number))
  const tested = resultsOf(run, 'passed').filter(
    ({ requirement, how }) => isCheck(requirement) && how !== 'observed',
  )
  /** The requirements that a check of the run tests again: what others may have caused counts for them at first sight. */
  const confirmed = new Set(tested.map(({ requirement }) => requirement.id))

  /** The requirements that the judge finds broken. */
  function brokenIn(events: readonly ModelEvent[], answers: readonly Exchange[] | undefined): string[] {
    const judged = judgeHistory(events, run.baseUrl, settings, answers, confirmed)
    return resultsOf(judged, 'failed', 'warned').map(({ requirement }) => requirement.id)
  }

  /** What is broken, or in doubt, without any alteration. */
  const usual = new Set(brokenIn(history, exchanges))
  const among = (given: Settings) =>
    new Set(catalogue.filter((one) => leftOut(one, given) === undefined).map(({ id }) => id))
  // What is a finding wherever it is seen counts although it is not selected.
  const [selected, watched] = [among(settings), among({ ...settings, only: [], shard: undefined })]
  /** Whether what the model finds counts, for a requirement that is not broken anyway. */
  const counts = ({ requirement, others, once }: ModelViolation) =>
    (once ? watched : selected).has(requirement) &&
    !usual.has(requirement) &&
    (others === false || confirmed.has(requirement))

  /** The first requirement that the model finds broken without a doubt. */
  const firstBroken = (events: readonly ModelEvent[], by: readonly Rule[]) =>
    judge(events, { ...judgedBy(settings), rules: by, first: counts }).violations.find(counts)?.requirement

  return {
    history,
    /** The requirements by which a violation is noticed; undefined: nothing that was answered can show it. */
    noticedBy({ alter }: Pick<Violation, 'alter'>): string[] | undefined {
      const given = alter(history)
      const changed = new Map<number, Altered>()
      for (const event of history) {
        const after = isAnswered(event) ? given.get(event.id) : undefined
        if (isAnswered(event) && after && !isSame(event.answer, after)) changed.set(event.id, after)
      }
      if (changed.size === 0) return undefined
      const again = exchanges?.map((one) => exchangeWith(one, changed))
      const after = altered(history, changed, again !== undefined)
      // Most alterations show in the altered answers alone.
      const alone = after.filter(({ id }) => changed.has(id))
      const first = firstBroken(alone, ofAnswers) ?? firstBroken(after, rules)
      return first === undefined ? brokenIn(after, again).filter((id) => !usual.has(id)) : [first]
    },
  }
}

const endOf = (event: ModelEvent) =>
  event.kind === 'arranged' ? event.received.place : (event.answer?.received.place ?? event.sent.place)

/** The rules that judge answers without what came before them. */
const ofAnswers = rules.filter(({ asker }) => asker === 'anybody')

const isSame = (one: Altered, other: Altered) =>
  one.status === other.status && isDeepStrictEqual(one.json, other.json)

/** `isTold`: the secrets of keys are in the answers, so that they can be compared again. */
function altered(
  history: readonly ModelEvent[],
  changed: ReadonlyMap<number, Altered>,
  isTold: boolean,
): ModelEvent[] {
  const identity = new SecretIdentity()
  return history.map((event) => {
    if (!isAnswered(event)) return event
    const after = changed.get(event.id)
    const { received } = event.answer
    const one = after ? { ...event, answer: { ...after, received } } : event
    return isTold ? { ...one, secret: identity.of(one) } : one
  })
}

function exchangeWith(one: Exchange, changed: ReadonlyMap<number, Altered>): Exchange {
  const after = changed.get(one.number)
  return after ? { ...one, ...after, text: JSON.stringify(after.json) ?? '' } : one
}

/** The report of a run with its strength, if the verdict is green. */
export function withStrength(
  report: ConformanceReport,
  run: SuiteRun,
  settings: Settings,
): ConformanceReport {
  return report.outcome === 'failed' ? report : { ...report, strength: strengthOf(run, settings) }
}

/** Alters the answers of a green run by each violation, and judges them again. */
export function strengthOf(run: SuiteRun, settings: Settings): Strength {
  const green = measured(run, settings)
  const requirements: Record<string, number> = {}
  const unnoticed: Strength['unnoticed'][number][] = []
  let of = 0
  for (const violation of violations) {
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

/** What would make a violation visible: what the requirements of its operation lack, or else a search. */
function shownBy({ operation }: Violation, run: SuiteRun, { only, skip }: Settings): string {
  if (only.length + skip.length > 0) return 'all requirements selected'
  const lacking = resultsOf(run, 'not_exercised').flatMap(({ requirement, supply }) =>
    supply !== undefined && requirement.operation === operation ? supply : [],
  )
  return [...new Set([...lacking, 'verify --explore 60s'])].join(', or ')
}
