/** Which requirements a run judges. */
import type { Requirement } from '../harness/requirement.ts'
import type { Settings } from '../harness/settings.ts'

/** Whether an id fits a pattern: the id itself, or one with `*` for any letters. */
export function fits(id: string, pattern: string): boolean {
  const source = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${source.join('.*')}$`, 'i').test(id)
}

/** Why a requirement is left out by the person who runs the suite; undefined: it is judged. */
export function leftOut({ id, level }: Requirement, { only, skip, levels }: Settings): string | undefined {
  if (only.length > 0 && !only.some((pattern) => fits(id, pattern))) return 'not selected by --only'
  if (skip.some((pattern) => fits(id, pattern))) return 'left out by --skip'
  return levels.includes(level) ? undefined : 'not selected by --level'
}
