/** `--list` and `--plan`: what the suite requires, printed without traffic. */
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { isProbe, type Requirement } from '#contract-tests/harness/requirement.ts'
import type { Settings } from '#contract-tests/harness/terms.ts'
import { acceptanceOf } from '#contract-tests/model/index.ts'
import { plannedCredits } from '#contract-tests/runner/planned-credits.ts'
import { leftOut, type Selection, unmetPrerequisite } from '#contract-tests/runner/selection.ts'

/** The selected requirements, a line each or as JSON. */
export function listText(asJson: boolean, selection: Selection): string {
  const selected = catalogue.filter((one) => leftOut(one, selection) === undefined)
  if (asJson) return `${JSON.stringify(selected.map(facts), null, 2)}\n`
  const width = Math.max(...selected.map(({ id }) => id.length))
  return `${selected.map(({ id, level, section, statement }) => `${id.padEnd(width)}  ${level.padEnd(6)}  ${statement} (${section})`).join('\n')}\n`
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

/** Why a run with these settings would not exercise a requirement; undefined: it would. */
function reasonOf(requirement: Requirement, settings: Settings): string | undefined {
  const unwanted = leftOut(requirement, settings)
  if (unwanted !== undefined) return unwanted
  const { id, operation, shownBy } = requirement
  if (isProbe(requirement))
    return requirement.obstacle?.(settings) ?? unmetPrerequisite(settings, requirement)?.message
  const by = shownBy ?? (operation ? acceptanceOf(operation) : undefined)
  const other = by === undefined || by === id ? undefined : catalogue.find((one) => one.id === by)
  const missing = other && reasonOf(other, { ...settings, only: [], skip: [], shard: undefined })
  return missing && `${by} would show it, and ${missing}`
}

/** What a run with these settings would exercise. It never reports a requirement as passed. */
export function planText(settings: Settings): string {
  const rows = catalogue.map((requirement) => ({ requirement, reason: reasonOf(requirement, settings) }))
  const planned = rows.filter(({ reason }) => reason === undefined)
  const lines = rows.map(({ requirement: { id }, reason }) =>
    reason === undefined ? `planned      ${id}` : `not planned  ${id}: ${reason}`,
  )
  const most = plannedCredits(settings, catalogue)
  return `${lines.join('\n')}\n\n${planned.length} of ${rows.length} planned; at most ${most} Work Credits would be spent.\n`
}
