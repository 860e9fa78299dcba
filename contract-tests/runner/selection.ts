/** The requirements that a run selects. */
import type { RequirementResult, SelectingFlag } from '../harness/outcome.ts'
import type { Requirement } from '../harness/requirement.ts'
import type { Settings } from '../harness/settings.ts'
import { isInShard } from './shards.ts'

/** Compiled patterns: a run tries the same few on every requirement. */
const expressions = new Map<string, RegExp>()

/** Whether an id matches a pattern, in which `*` stands for any text. */
export function fits(id: string, pattern: string): boolean {
  const compiled = expressions.get(pattern) ?? expressionOf(pattern)
  expressions.set(pattern, compiled)
  return compiled.test(id)
}

function expressionOf(pattern: string): RegExp {
  const source = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${source.join('.*')}$`, 'i')
}

/** Reasons of results that reports leave out, and the flag that caused each. */
export const unselected = {
  'not selected by --only': '--only',
  'only the search was run (--explore-only)': '--explore-only',
} as const

/** The flag that kept a requirement from being tested, if reports leave such a requirement out. */
export function unselectedBy({ outcome, reason }: RequirementResult): SelectingFlag | undefined {
  return outcome === 'not_exercised' ? unselected[reason as keyof typeof unselected] : undefined
}

/** Why the settings leave a requirement out; undefined: it is selected. */
export function leftOut(
  { id, level }: Requirement,
  { only, skip, levels, shard }: Settings,
): string | undefined {
  if (only.length > 0 && !only.some((pattern) => fits(id, pattern))) return 'not selected by --only'
  if (skip.some((pattern) => fits(id, pattern))) return 'left out by --skip'
  if (!levels.includes(level)) return 'not selected by --level'
  return shard && !isInShard(id, shard) ? `not in the shard ${shard.part}/${shard.of}` : undefined
}
