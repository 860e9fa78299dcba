/** The words that every form of a card uses. */
import { type Card, type Evidence, type Outcome, outcomes, type Verdict } from '../card.ts'

export const marks: Readonly<Record<Outcome, string>> = {
  passed: '✔',
  failed: '✘',
  warned: '!',
  not_exercised: '·',
}

/** What needs attention first. */
export const order: readonly Outcome[] = ['failed', 'warned', 'not_exercised', 'passed']

export const named = (outcome: string) => outcome.replaceAll('_', ' ')

/** `14 passed, 1 failed, 0 warned, 5 not exercised, of 20`: always with its denominator. */
export function headline({ totals, rules }: Card): string {
  return `${outcomes.map((name) => `${totals[name]} ${named(name)}`).join(', ')}, of ${rules.length}`
}

/** The verdicts of one outcome, in the order of the rules. */
export function among({ rules }: Card, outcome: Outcome): Verdict[] {
  return rules.filter((one) => one.outcome === outcome)
}

/** `req_kbk8kkt0_4 POST /api/cli/tasks/task_1/run -> 402 no_credits`. */
export function evidenceText({ request_id, method, path, answer }: Evidence): string {
  return `${request_id} ${method} ${path} -> ${answer}`
}

/** What was found against a rule, and the requests that show it: a line each. */
export function findingLines({ findings, more_findings }: Verdict): { text: string; evidence: boolean }[] {
  const lines = findings.flatMap(({ part, what, evidence }) => [
    { text: `${part}: ${what}`, evidence: false },
    ...evidence.map((one) => ({ text: evidenceText(one), evidence: true })),
  ])
  const more = { text: `and ${more_findings} more`, evidence: false }
  return more_findings > 0 ? [...lines, more] : lines
}
