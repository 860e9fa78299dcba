/** The requirements that a run selects, and the inputs that they need. */

import { routeOf } from '#contract/operation.ts'
import { catalogue } from '../catalogue/index.ts'
import { NotApplicable, NotExercised } from '../client/check-errors.ts'
import type { RequirementResult, SelectingFlag } from '../harness/outcome.ts'
import { type Check, isCheck, type Requirement } from '../harness/requirement.ts'
import { workCredits } from '../harness/run-state.ts'
import { isOperatorInput, missingInput, type Settings, type Shard } from '../harness/terms.ts'
import { acceptanceOf } from '../model/index.ts'

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
const unselected = {
  'not selected by --only': '--only',
  'only the search was run (--explore-only)': '--explore-only',
} as const

/** The flag that kept a requirement from being tested, if reports leave such a requirement out. */
export function unselectedBy({ outcome, reason }: RequirementResult): SelectingFlag | undefined {
  return outcome === 'not_exercised' ? unselected[reason as keyof typeof unselected] : undefined
}

/** What of the catalogue is wanted. */
export type Selection = Pick<Settings, 'only' | 'skip' | 'levels' | 'shard'>

/** Why the settings leave a requirement out; undefined: it is selected. */
export function leftOut(
  { id, level }: Requirement,
  { only, skip, levels, shard }: Selection,
): string | undefined {
  if (only.length > 0 && !only.some((pattern) => fits(id, pattern))) return 'not selected by --only'
  if (skip.some((pattern) => fits(id, pattern))) return 'left out by --skip'
  if (!levels.includes(level)) return 'not selected by --level'
  return shard && !isInShard(id, shard) ? `not in the shard ${shard.part}/${shard.of}` : undefined
}

/** The id of the requirement whose requests show another one, which sends none itself. */
export const showing = ({ shownBy, operation }: Requirement): string =>
  shownBy ?? (operation ? acceptanceOf(operation) : 'ACCEPTS-whoami')

/** The requirements that the settings select, and the checks that `--only` takes along, since they show some of those. */
export function selectionOf(requirements: readonly Requirement[], settings: Selection) {
  const selected = requirements.filter((one) => leftOut(one, settings) === undefined)
  const shown = new Set(settings.only.length > 0 ? selected.filter((one) => !isCheck(one)).map(showing) : [])
  const isAlong = (one: Check) =>
    shown.has(one.id) && !selected.includes(one) && !settings.skip.some((pattern) => fits(one.id, pattern))
  return { selected, along: requirements.filter(isCheck).filter(isAlong) }
}

/** Requirements whose ids begin alike share evidence, so they stay together. */
const groupOf = (id: string) => id.split('-')[0] ?? id

const checks = new Set(catalogue.filter(isCheck).map(({ id }) => id))

/** The part of each group, by the number of parts. */
const deals = new Map<number, ReadonlyMap<string, number>>()

/**
 * Whether a part tests a requirement. Groups are dealt by size, so that parts are similar; every part reads its own
 * traffic for the requirements that need no requests.
 */
export function isInShard(id: string, { part, of }: Shard): boolean {
  if (!checks.has(id)) return true
  const parts = deals.get(of) ?? deal(of)
  deals.set(of, parts)
  return parts.get(groupOf(id)) === part
}

function deal(of: number): ReadonlyMap<string, number> {
  const sizes = Map.groupBy(checks, groupOf)
  const loads = Array.from({ length: of }, () => 0)
  const parts = new Map<string, number>()
  for (const [name, { length }] of [...sizes].toSorted(([, a], [, b]) => b.length - a.length)) {
    const least = loads.indexOf(Math.min(...loads))
    parts.set(name, least + 1)
    loads[least] = (loads[least] ?? 0) + length
  }
  return parts
}

/** What runs may bring. */
const unread = 'state:unread_notification'

/** Whether a run brings what a check needs. */
export const isByRun = ({ orRuns, needs }: Check): boolean => orRuns > 0 && !needs.includes(unread)

/** The requirements as these settings let them be tested: where no state brings notifications, runs may. */
export function testable(requirements: readonly Requirement[], settings: Settings): readonly Requirement[] {
  if (settings.statesUrl || settings.maxCredits < 1 || settings.readOnly) return requirements
  return requirements.map((one) => (isCheck(one) && one.orRuns > 0 ? byRun(one) : one))
}

const byRun = (check: Check): Check => ({
  ...check,
  needs: check.needs.filter((need) => need !== unread),
  exclusive: true,
  cost: check.cost + 1,
  shares: check.shares + check.orRuns - 1,
})

/** Why the settings rule a requirement out; undefined: it can be exercised. */
export function unmetPrerequisite(
  settings: Settings,
  check: Check,
): NotExercised | NotApplicable | undefined {
  const arranges = check.needs.some((need) => need.startsWith('state:'))
  if (settings.readOnly && (check.writes || arranges))
    return new NotExercised('the run is read-only', 'no --read-only')
  if (settings.extended === 'off' && check.operation && routeOf(check.operation).set === 'extended') {
    return new NotApplicable('the extended route set is declared as not offered')
  }
  for (const need of check.needs) {
    const missing = isOperatorInput(need) ? missingInput(settings, need) : undefined
    if (missing) return missing
    if (need.startsWith('state:') && !settings.statesUrl) {
      return new NotExercised(
        `it needs the provider state "${need.slice('state:'.length)}"`,
        check.orRuns > 0 ? '--states-url URL, or --max-credits 1 or more' : '--states-url URL',
      )
    }
  }
  if (check.cost > settings.maxCredits) {
    return new NotExercised(
      `it may spend ${workCredits(check.cost)}, but the limit is ${settings.maxCredits}`,
      `--max-credits ${check.cost} or more`,
    )
  }
  return undefined
}
