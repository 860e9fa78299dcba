/** What a client does where nothing goes wrong, and what that says about the rest of the report. */
import { type ClientReport, isBroken, pollsOn } from '#client-tests/client-report.ts'
import { isSuccess } from '#client-tests/entries.ts'
import { routeOf } from '#contract/operation.ts'
import { counted } from '#reporting/markup.ts'
import { reportOn, type ScenarioRun, type UsualWork } from './run-scenario.ts'

/** Reads it from the scenario in which nothing goes wrong, if the client was run in it. */
export function usualWork(all: readonly ScenarioRun[]): UsualWork {
  const plain = all.find(({ scenario }) => scenario.isPlain)
  const [first] = plain?.runs ?? []
  if (!plain || !first) return {}
  const habit = { pollsOn: pollsOn(reportOn(plain, {})) }
  if (!first.end) return habit
  if (first.end.ok) return { ...habit, hasPaidWork: hasPaidWork(plain) }
  const last = plain.mock.journal.entries().findLast(({ number }) => number <= first.until)
  return last && isSuccess(last) ? { ...habit, stopsAt: last.operation ?? undefined } : habit
}

/** Whether the client started a run of a task. */
function hasPaidWork({ mock }: ScenarioRun): boolean {
  return mock.journal.entries().some(({ operation, status }) => operation === 'runTask' && status < 300)
}

/** What explains a report that shows little, or the same everywhere. */
export function notesOn(all: readonly ScenarioRun[], { totals, rules }: ClientReport): string[] {
  const entries = all.flatMap(({ mock }) => mock.journal.entries())
  const possible = all.filter(({ scenario: { canFinish = true } }) => canFinish)
  const isBroken = possible.length > 1 && possible.every(({ runs }) => runs[0]?.end?.ok === false)
  const isIdle =
    entries.length > 0 && !entries.some(({ operation }) => operation && routeOf(operation).cost > 0)
  if (isBroken)
    return [
      'The client ended with an error in every scenario, also where nothing goes wrong: fix that first.',
    ]
  const idle = `${totals.not_exercised} of ${counted(rules.length, 'rule')}`
  return isIdle ? [`The client requested no paid work: ${idle} could not be judged.`] : []
}

/** The scenarios in which the client needed more time than it got, in a sentence. `reports`: one of each of them. */
export function cutOff(all: readonly ScenarioRun[], reports: readonly ClientReport[]): string[] {
  const isAccused = (report?: ClientReport) =>
    report?.rules.some((rule) => rule.id === 'ends-in-time' && isBroken(rule)) === true
  const ids = all.flatMap(({ scenario, runs }, i) =>
    runs.some(({ killedAfter }) => killedAfter !== undefined) && !isAccused(reports[i]) ? [scenario.id] : [],
  )
  if (ids.length === 0) return []
  return [
    `The client was killed at its work in ${ids.join(', ')}, so what it left undone there is not judged: --timeout gives it more time.`,
  ]
}
