/** What a client does where nothing goes wrong, and what that says about the rest of the report. */
import type { ClientReport } from '#client-tests/client-report.ts'
import { isSuccess } from '#client-tests/entries.ts'
import { routeOf } from '#contract/operation.ts'
import { counted } from '#reporting/counted.ts'
import type { ScenarioRun, UsualWork } from './run-scenario.ts'

/** Reads it from the scenario in which nothing goes wrong, if the client was run in it. */
export function usualWork(all: readonly ScenarioRun[]): UsualWork {
  const plain = all.find(({ scenario }) => scenario.isPlain)
  const [first] = plain?.runs ?? []
  if (!plain || !first?.end) return {}
  if (first.end.ok) return { hasPaidWork: hasPaidWork(plain) }
  const last = plain.mock.journal.entries().findLast(({ number }) => number <= first.until)
  return last && isSuccess(last) ? { stopsAt: last.operation ?? undefined } : {}
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
