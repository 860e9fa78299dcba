/** Drops violations that follow from others: a client is blamed for the first cause only. */
import type { Rule, Situation } from './rule.ts'

/** What one rule found in one history. */
export interface JudgedRule {
  readonly rule: Rule
  readonly situations: readonly Situation[]
}

/** The same without the violations that follow from others. */
export function firstCauses(judged: readonly JudgedRule[]): JudgedRule[] {
  const roots = judged.flatMap(({ rule, situations }) => (rule.isRoot ? situations.filter(isViolation) : []))
  const broken = Math.min(...roots.map(numberOf))
  const causes = judged.filter(
    ({ rule, situations }) => !rule.isHarmless && !rule.followsFrom && situations.some(isViolation),
  )
  return judged.map((one) => {
    const { rule, situations } = one
    if (rule.isHarmless || rule.isRoot) return one
    const yields = rule.followsFrom
      ? causes.some((cause) => rule.followsFrom === 'any' || cause.rule.level === 'MUST')
      : false
    const follows = (situation: Situation) => yields || lastOf(situation) >= broken
    return { rule, situations: situations.filter((one) => !isViolation(one) || !follows(one)) }
  })
}

const isViolation = ({ violation }: Situation) => violation !== undefined
const numberOf = ({ evidence }: Situation) => evidence[0]?.number ?? 0
const lastOf = ({ evidence }: Situation) => evidence.at(-1)?.number ?? 0
