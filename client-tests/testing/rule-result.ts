/** The result of one rule, for tests. */
import type { Mock } from '#mocks/app.ts'
import type { RuleOutcome, RuleResult } from '../client-report.ts'
import type { ReportOptions } from '../traffic.ts'

/** The result of a rule for what the client of an organization did. */
export function resultOf(mock: Mock, id: string, options?: ReportOptions, name = 'demo'): RuleResult {
  const result = mock
    .organization(name)
    .report(options)
    .rules.find((one) => one.id === id)
  if (!result) throw new Error(`no rule ${id}`)
  return result
}

/** Its outcome alone. */
export function outcomeOf(...parameters: Parameters<typeof resultOf>): RuleOutcome {
  return resultOf(...parameters).outcome
}
