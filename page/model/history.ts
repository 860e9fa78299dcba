/** Histories as lanes: one that `--history` wrote, or one that the search found and saved. */
import type { Moment } from './lanes.ts'
import type { Report } from './report.ts'

/** The newest events that are drawn. */
const most = 1_000

/** A step of a finding: what it is, and its values. */
interface Step {
  readonly kind: string
  readonly at?: number
  readonly tenant?: string
  readonly operation?: string
  readonly calls?: readonly Step[]
}

/** The file of a finding. */
export interface SavedFinding {
  readonly requirement: string
  readonly steps: readonly Step[]
  /** What the specification allowed at the end, and what came. */
  readonly expected?: string
  readonly actual?: string
  /** What was possible before the last step, in sentences. */
  readonly before?: readonly string[]
  /** The same before each step. */
  readonly before_steps?: readonly (readonly string[])[]
}

/** An event of a history. */
interface Event {
  readonly kind: 'request' | 'arranged'
  readonly tenant: string | null
  readonly operation?: string
  readonly resource?: string
  readonly state?: string
  readonly action?: string
  readonly params?: unknown
  readonly before?: readonly string[]
  readonly sent: { readonly place: number }
  readonly received?: { readonly place: number }
  readonly answer?: { readonly status: number; readonly received: { readonly place: number } } | null
}

/** Returns whether a file is a finding. */
export const isFinding = (json: object): json is SavedFinding => 'requirement' in json && 'steps' in json

/** Reads a finding. */
export function readFinding(finding: SavedFinding): Report {
  const { requirement, steps, expected, actual, before, before_steps } = finding
  const texts = Object.entries({ expected, received: actual }) as [string, string | undefined][]
  const last = steps.length - 1
  const moments = steps.flatMap((step, place) => {
    const some = momentsOf(step, place, place === last ? before : before_steps?.[place])
    return place === last && actual !== undefined
      ? some.map((one) => ({ ...one, kind: 'wrong' as const }))
      : some
  })
  const outcome = 'failed'
  const result = {
    id: requirement,
    level: '',
    section: '',
    outcome,
    statement: '',
    texts: texts.flatMap(([what, text]) => (text === undefined ? [] : [[what, text] as const])),
    findings: [],
  }
  return { title: 'History', outcome, totals: {}, facts: [], results: [result], moments }
}

function momentsOf(step: Step, place: number, before: SavedFinding['before']): Moment[] {
  const { kind, at: _, tenant = 'main', operation = kind, calls, ...values } = step
  if (calls) return calls.flatMap((call, nth) => momentsOf(call, place, nth === 0 ? before : undefined))
  const text = `${operation} ${JSON.stringify(values)}`
  return [{ lane: tenant, text, kind: kind === 'call' ? 'ok' : 'arranged', from: place, to: place, before }]
}

/** Reads a history. @throws Error unless each line is an event. */
export function readEvents(text: string): Report {
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Event)
  if (!events.every(({ sent }) => typeof sent?.place === 'number')) throw new Error('no history')
  const facts = [`${events.length} events${events.length > most ? `, the newest ${most} drawn` : ''}`]
  const moments = events.slice(-most).map(momentOf)
  return { title: 'History', outcome: 'recorded', totals: {}, facts, results: [], moments }
}

function momentOf(event: Event): Moment {
  const {
    kind,
    tenant,
    operation,
    resource = '',
    state,
    action,
    params,
    before,
    sent,
    received,
    answer,
  } = event
  const lane = tenant ?? 'unknown'
  if (kind === 'arranged') {
    const to = received?.place ?? sent.place
    return { lane, text: `${action} ${state} ${JSON.stringify(params)}`, kind, from: sent.place, to, before }
  }
  const text = `${operation} ${resource}`
  if (!answer)
    return { lane, text, answer: 'no answer', kind: 'none', from: sent.place, to: sent.place, before }
  const { status } = answer
  const outcome = status < 400 ? 'ok' : 'refused'
  return {
    lane,
    text,
    answer: String(status),
    kind: outcome,
    from: sent.place,
    to: answer.received.place,
    before,
  }
}
