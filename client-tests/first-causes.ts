/** Drops violations that follow from others: a client is blamed for the first cause only. */
import type { Level, Rule, Situation } from './rule.ts'

/** What one rule found in one history. */
interface JudgedRule {
  readonly rule: Rule
  readonly situations: readonly Situation[]
}

/** Whether a violation of one level may take the place of another: advice never takes that of a duty. */
export const explains = (cause: Level, violated: Level): boolean => cause === 'MUST' || violated === 'SHOULD'

/** The same without the violations that follow from others of their level or above. */
export function firstCauses(judged: readonly JudgedRule[]): JudgedRule[] {
  if (!judged.some(({ situations }) => situations.some(isViolation))) return [...judged]
  const causes = judged.filter(
    ({ rule, situations }) => !rule.isHarmless && !rule.followsFromOthers && situations.some(isViolation),
  )
  return judged.map((one) => {
    const { rule, situations } = one
    if (rule.isHarmless || rule.isRoot) return one
    const able = causes.filter((cause) => explains(cause.rule.level, rule.level))
    const roots = able.flatMap((cause) => (cause.rule.isRoot ? cause.situations.filter(isViolation) : []))
    const broken = Math.min(...roots.map(numberOf))
    const follows = (situation: Situation) =>
      lastOf(situation) >= broken || (rule.followsFromOthers === true && able.length > 0)
    return { rule, situations: situations.filter((one) => !isViolation(one) || !follows(one)) }
  })
}

const isViolation = ({ violation }: Situation) => violation !== undefined
const numberOf = ({ evidence }: Situation) => evidence[0]?.number ?? 0
const lastOf = ({ evidence }: Situation) => evidence.at(-1)?.number ?? 0
