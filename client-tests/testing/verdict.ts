/** One verdict of a card, for tests. */
import type { Mock } from '#mocks/app.ts'
import type { Outcome, Verdict } from '../card.ts'
import type { ReportOptions } from '../report.ts'

/** The verdict of a rule on what the organization of a name did. */
export function verdictOf(mock: Mock, id: string, options?: ReportOptions, name = 'demo'): Verdict {
  const verdict = mock
    .organization(name)
    .report(options)
    .rules.find((one) => one.id === id)
  if (!verdict) throw new Error(`no rule ${id}`)
  return verdict
}

/** Its outcome alone. */
export function outcomeOf(...asked: Parameters<typeof verdictOf>): Outcome {
  return verdictOf(...asked).outcome
}
