/** The requirements that a run selects, and the inputs that they need. */

import { escapeRegExp } from '#contract/input/pattern.ts'
import { routeOf } from '#contract/operation.ts'
import { NotApplicable, NotExercised } from '../client/check-errors.ts'
import type { OmissionReason } from '../harness/outcome.ts'
import { type Check, isCheck, type Requirement } from '../harness/requirement.ts'
import { workCreditsText } from '../harness/run-state.ts'
import { isOperatorInput, missingInputError, type SuiteSettings } from '../harness/terms.ts'
import { acceptanceRequirementId } from '../model/index.ts'

/** Compiled patterns: a run tries the same few on every requirement. */
const expressions = new Map<string, RegExp>()

/** True if an id matches a pattern, in which `*` stands for any text. */
export function matchesPattern(id: string, pattern: string): boolean {
  const compiled = expressions.get(pattern) ?? expressionOf(pattern)
  expressions.set(pattern, compiled)
  return compiled.test(id)
}

function expressionOf(pattern: string): RegExp {
  const source = pattern.split('*').map(escapeRegExp)
  return new RegExp(`^${source.join('.*')}$`, 'i')
}

/** The settings that select requirements: `--only`, `--skip` and `--level`. */
export type RequirementSelection = Pick<SuiteSettings, 'only' | 'skip' | 'levels'>

/** The reason why the settings leave a requirement out; undefined if it is selected. */
export function omissionReason(
  { id, level }: Requirement,
  { only, skip, levels }: RequirementSelection,
): OmissionReason | undefined {
  if (only.length > 0 && !only.some((pattern) => matchesPattern(id, pattern)))
    return { reason: 'not selected by --only', unselectedBy: '--only' }
  if (skip.some((pattern) => matchesPattern(id, pattern))) return { reason: 'left out by --skip' }
  return levels.includes(level) ? undefined : { reason: 'not selected by --level' }
}

/** The id of the check that sends the requests by which a requirement without a check of its own is judged. */
export const idOfEvidenceCheck = ({ shownBy, operation }: Requirement): string =>
  shownBy ?? (operation ? acceptanceRequirementId(operation) : 'ACCEPTS-whoami')

/**
 * The requirements that the settings select. `along`: checks that run as well, since selected requirements are judged
 * by their requests.
 */
export function selectRequirements(requirements: readonly Requirement[], settings: RequirementSelection) {
  const selected = requirements.filter((one) => omissionReason(one, settings) === undefined)
  const shown = new Set(
    settings.only.length > 0 ? selected.filter((one) => !isCheck(one)).map(idOfEvidenceCheck) : [],
  )
  const isAlong = (one: Check) =>
    shown.has(one.id) &&
    !selected.includes(one) &&
    !settings.skip.some((pattern) => matchesPattern(one.id, pattern))
  return { selected, along: requirements.filter(isCheck).filter(isAlong) }
}

/** The state in whose place runs may bring notifications. */
const unread = 'state:unread_notification'

/** True if a check gets its notifications by running tasks instead of from a provider state. */
export const areNotificationsProvidedByRuns = ({ runsInsteadOfState, needs }: Check): boolean =>
  runsInsteadOfState > 0 && !needs.includes(unread)

/**
 * All requirements, with the inputs that they need under these settings: where no provider state brings notifications,
 * runs may.
 */
export function adaptRequirementsToSettings(
  requirements: readonly Requirement[],
  settings: SuiteSettings,
): readonly Requirement[] {
  if (settings.statesUrl || settings.maxCredits < 1 || settings.readOnly) return requirements
  return requirements.map((one) => (isCheck(one) && one.runsInsteadOfState > 0 ? byRun(one) : one))
}

const byRun = (check: Check): Check => ({
  ...check,
  needs: check.needs.filter((need) => need !== unread),
  exclusive: true,
  cost: check.cost + 1,
  sharedCredits: check.sharedCredits + check.runsInsteadOfState - 1,
})

/** The error to throw if the settings prevent a requirement from being exercised; undefined if they do not. */
export function unmetPrerequisiteError(
  settings: SuiteSettings,
  check: Check,
): NotExercised | NotApplicable | undefined {
  const arranges = check.needs.some((need) => need.startsWith('state:'))
  if (settings.readOnly && (check.writes || arranges))
    return new NotExercised('the run is read-only', 'no --read-only')
  if (settings.extended === 'off' && check.operation && routeOf(check.operation).set === 'extended') {
    return new NotApplicable('the extended route set is declared as not offered')
  }
  for (const need of check.needs) {
    const missing = isOperatorInput(need) ? missingInputError(settings, need) : undefined
    if (missing) return missing
    if (need.startsWith('state:') && !settings.statesUrl) {
      return new NotExercised(
        `it needs the provider state "${need.slice('state:'.length)}"`,
        check.runsInsteadOfState > 0 ? '--states-url URL, or --max-credits 1 or more' : '--states-url URL',
      )
    }
  }
  if (check.cost > settings.maxCredits) {
    return new NotExercised(
      `it may spend ${workCreditsText(check.cost)}, but the limit is ${settings.maxCredits}`,
      `--max-credits ${check.cost} or more`,
    )
  }
  return undefined
}
