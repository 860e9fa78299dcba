/** A history that the search of `verify` saved, as a report: its steps in two lanes, one for each organization. */
import type { Evidence, Report } from './report.ts'

/** A step, as far as the page shows it. */
interface Step {
  readonly kind: string
  readonly tenant?: string
  readonly as?: unknown
  readonly operation?: string
  readonly of?: unknown
  readonly body?: unknown
  readonly calls?: readonly Step[]
  readonly state?: string
  readonly params?: unknown
  readonly ms?: number
}

/** The file. */
export interface SavedHistory {
  readonly requirement: string
  readonly steps: readonly Step[]
}

/** Returns whether a file is a saved history. */
export const isHistory = (json: object): json is SavedHistory => 'requirement' in json && 'steps' in json

/** Reads it. */
export function readHistory({ requirement, steps }: SavedHistory): Report {
  const result = {
    id: requirement,
    level: '',
    section: '',
    outcome: 'failed',
    statement: 'These steps, in this order, showed a violation.',
    texts: [],
    findings: [{ text: '', evidence: steps.flatMap((step) => linesOf(step)) }],
  }
  return { title: 'History', outcome: 'failed', totals: { failed: 1 }, facts: [], results: [result] }
}

function linesOf({ kind, tenant = '', calls, ...rest }: Step, together = ''): Evidence[] {
  if (calls) return calls.flatMap((call) => linesOf(call, 'at once: '))
  const { as, operation = kind, of, state, params, body, ms } = rest
  const values = [of, body, params]
    .filter((value) => value !== undefined)
    .map((value) => JSON.stringify(value))
  const who = as === undefined || as === 'key' ? '' : `as ${JSON.stringify(as)}`
  const words = [operation, state, ms !== undefined && `${ms} ms`, who, ...values].filter(Boolean)
  return [{ line: `${together}${words.join(' ')}`, caller: tenant }]
}
