/** Judges one run under a fault by rules and effects. Pure. */
import { type ClientReport, createClientReport, isBroken, type RuleResult } from '../client-report.ts'
import { explains } from '../first-causes.ts'
import type { Consequence, Effect } from './effects.ts'
import { effects } from './effects.ts'
import type { FaultCase } from './plan.ts'
import { evidenceIn, type Trial } from './trial.ts'

/** The report on one run: rules, then effects. `usual`: the run without a fault. */
export function judgeTrial(trial: Trial, usual: Trial, { id, outlook }: FaultCase): ClientReport {
  const { parts, rules, strict } = trial.report
  const broken = new Map(rules.filter(isBroken).map((rule) => [rule.id, rule.level]))
  const results = effects.map((effect) => {
    const found = effect.judge({ trial, usual, outlook })
    const follows = effect.followsFrom.some((id) => {
      const cause = broken.get(id)
      return cause !== undefined && explains(cause, effect.level)
    })
    const result = resultOf(effect, found?.violation !== undefined && follows ? undefined : found, id)
    if (isBroken(result)) broken.set(effect.id, effect.level)
    return result
  })
  return createClientReport(parts, [...rules, ...results], strict)
}

/** The report on the run without a fault: there is nothing to compare it with. */
export function judgeUsual({ report: { parts, rules, strict } }: Trial): ClientReport {
  return createClientReport(
    parts,
    [...rules, ...effects.map((effect) => resultOf(effect, undefined, ''))],
    strict,
  )
}

function resultOf(effect: Effect, found: Consequence | undefined, part: string): RuleResult {
  const { id, level, section, statement, fix, needs } = effect
  const evidence = evidenceIn(found?.evidence ?? [])
  const what = found?.violation
  const violated = level === 'MUST' ? 'failed' : 'warned'
  return {
    id,
    level,
    section,
    statement,
    outcome: found === undefined ? 'not_exercised' : what === undefined ? 'passed' : violated,
    situations: found === undefined ? 0 : 1,
    findings: what === undefined ? [] : [{ part, what, evidence }],
    more_findings: 0,
    evidence: what === undefined ? evidence : [],
    mend: fix,
    needs,
  }
}
