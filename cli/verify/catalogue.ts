/** `--list` and `--plan`: what the suite requires, printed without traffic. */
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { isProbe, type Requirement } from '#contract-tests/harness/requirement.ts'
import type { Settings } from '#contract-tests/harness/settings.ts'
import { plannedCredits } from '#contract-tests/runner/planned-credits.ts'
import { unmetPrerequisite } from '#contract-tests/runner/prerequisites.ts'
import { leftOut } from '#contract-tests/runner/selection.ts'

/** All requirements, a line each or as JSON. */
export function listText(asJson: boolean): string {
  if (asJson) return `${JSON.stringify(catalogue.map(facts), null, 2)}\n`
  const width = Math.max(...catalogue.map(({ id }) => id.length))
  return `${catalogue.map(({ id, level, section, statement }) => `${id.padEnd(width)}  ${level.padEnd(6)}  ${statement} (${section})`).join('\n')}\n`
}

function facts(requirement: Requirement) {
  const { id, level, section, operation, statement } = requirement
  const needs = isProbe(requirement) ? requirement.needs : []
  return {
    id,
    level,
    section,
    operation,
    statement,
    needs,
    cost: isProbe(requirement) ? requirement.cost : 0,
  }
}

/** What a run with these settings would exercise. It never reports a requirement as passed. */
export function planText(settings: Settings): string {
  const rows = catalogue.map((requirement) => {
    const reason =
      leftOut(requirement, settings) ??
      (isProbe(requirement) ? unmetPrerequisite(settings, requirement)?.message : undefined)
    return { requirement, reason }
  })
  const planned = rows.filter(({ reason }) => reason === undefined)
  const lines = rows.map(({ requirement: { id }, reason }) =>
    reason === undefined ? `planned      ${id}` : `not planned  ${id}: ${reason}`,
  )
  const most = plannedCredits(settings, catalogue)
  return `${lines.join('\n')}\n\n${planned.length} of ${rows.length} planned; at most ${most} Work Credits would be spent.\n`
}
