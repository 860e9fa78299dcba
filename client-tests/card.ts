/** The report card of a client: a verdict for each rule, with the requests that show it. */
import type { Level } from './rule.ts'

export const outcomes = ['passed', 'failed', 'warned', 'not_exercised'] as const
/** `warned`: a SHOULD was broken. `not_exercised`: nothing happened that it could be judged by; no pass. */
export type Outcome = (typeof outcomes)[number]

/** One request that shows something. Holds no key, no query and no body. */
export interface Evidence {
  /** As in the journal. */
  readonly request_id: string
  /** ISO 8601, mock time. */
  readonly at: string
  readonly method: string
  readonly path: string
  /** Such as `402 no_credits`, or what happened to the connection in place of an answer. */
  readonly answer: string
}

/** A violation: where, what, and the requests that show it. */
export interface Finding {
  /** The part of the card that it comes from. */
  readonly part: string
  readonly what: string
  readonly evidence: readonly Evidence[]
}

export interface Verdict {
  readonly id: string
  readonly level: Level
  readonly section: string
  readonly statement: string
  readonly outcome: Outcome
  /** How often the rule could be judged. */
  readonly situations: number
  /** The first violations; `more_findings` are left out. */
  readonly findings: readonly Finding[]
  readonly more_findings: number
  /** The requests of one situation in which the rule was kept. */
  readonly evidence: readonly Evidence[]
  /** How to fix a client that breaks the rule, in one sentence. */
  readonly mend: string
  /** What has to happen before the rule can be judged. */
  readonly needs: string
}

/** What was judged on its own: the requests of one organization, or of one run of a client. */
export interface Part {
  readonly id: string
  readonly org_id: string | null
  readonly requests: number
  /** How the client ended, in a few words; null: not known. */
  readonly end: string | null
}

export interface Card {
  readonly schema_version: 1
  /** `failed`: a MUST is broken, or with `strict` a SHOULD. `not_exercised`: no rule could be judged. */
  readonly outcome: 'passed' | 'failed' | 'not_exercised'
  readonly strict: boolean
  readonly totals: Readonly<Record<Outcome, number>>
  readonly parts: readonly Part[]
  readonly rules: readonly Verdict[]
}

/** The card of verdicts. */
export function createCard(parts: readonly Part[], rules: readonly Verdict[], strict: boolean): Card {
  const count = (name: Outcome) => rules.filter(({ outcome }) => outcome === name).length
  const totals = {
    passed: count('passed'),
    failed: count('failed'),
    warned: count('warned'),
    not_exercised: count('not_exercised'),
  }
  const broken = totals.failed + (strict ? totals.warned : 0) > 0
  const outcome = broken ? 'failed' : totals.not_exercised === rules.length ? 'not_exercised' : 'passed'
  return { schema_version: 1, outcome, strict, totals, parts, rules }
}

/** So many violations of one rule are shown. */
const mostFindings = 5

/** One verdict from those on several parts: what was broken once is broken, what was shown once is shown. */
export function combine(verdicts: readonly [Verdict, ...Verdict[]]): Verdict {
  const [first] = verdicts
  const worst = (['failed', 'warned', 'passed'] as const).find((name) =>
    verdicts.some(({ outcome }) => outcome === name),
  )
  const findings = verdicts.flatMap((one) => one.findings)
  const hidden = verdicts.reduce((sum, { more_findings }) => sum + more_findings, 0)
  return {
    ...first,
    outcome: worst ?? 'not_exercised',
    situations: verdicts.reduce((sum, { situations }) => sum + situations, 0),
    findings: findings.slice(0, mostFindings),
    more_findings: hidden + Math.max(0, findings.length - mostFindings),
    evidence: verdicts.find(({ evidence }) => evidence.length > 0)?.evidence ?? [],
  }
}

/** One card from several: of the same client in other circumstances. */
export function mergeCards(cards: readonly [Card, ...Card[]], strict: boolean): Card {
  const [first, ...others] = cards
  const rules = first.rules.map((verdict, i) =>
    combine([verdict, ...others.flatMap((card) => card.rules[i] ?? [])]),
  )
  return createCard(
    cards.flatMap(({ parts }) => parts),
    rules,
    strict,
  )
}
