/** `--list`, `--explain` and `--plan`: what the suite requires, printed without traffic. */
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { isProbe, type Requirement } from '#contract-tests/harness/requirement.ts'
import type { Settings } from '#contract-tests/harness/settings.ts'
import { plannedCredits } from '#contract-tests/runner/planned-credits.ts'
import { unmetPrerequisite } from '#contract-tests/runner/prerequisites.ts'
import { fits, leftOut } from '#contract-tests/runner/selection.ts'
import { anchorsOf } from '#contract-tests/traceability/trace.ts'
import { UsageError } from '../flags.ts'

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

/** What one requirement demands and needs, and the ids of the defects that break it. @throws UsageError for an unknown id. */
export function explainText(id: string, defects: readonly string[] = []): string {
  const requirement = catalogue.find((one) => one.id.toLowerCase() === id.toLowerCase())
  if (!requirement) throw new UsageError(`--explain: no requirement "${id}"; --list shows them`)
  const { needs, cost } = facts(requirement)
  const judged = isProbe(requirement) ? 'by requests of its own' : 'from every response of the run'
  return [
    `${requirement.level} ${requirement.id} (${requirement.section})`,
    `  Requirement  ${requirement.statement}`,
    `  Rules        docs/specification.md: ${anchorsOf(requirement).join(', ')}`,
    `  Operation    ${requirement.operation ?? 'several'}`,
    `  Judged       ${judged}`,
    ...(defects.length > 0 ? [`  Proven by    the defects ${defects.join(', ')}`] : []),
    `  Needs        ${needs.length > 0 ? needs.map(needText).join(', ') : 'a base URL and a key'}`,
    `  Costs        ${cost === 0 ? 'nothing' : `up to ${cost} Work Credit${cost > 1 ? 's' : ''}, shared with others`}`,
    '',
  ].join('\n')
}

/** The ids of the defects that break a requirement. */
export async function defectsOf(id: string): Promise<string[]> {
  const { defects } = await import('#proof/defects/index.ts')
  return defects
    .filter(({ breaks }) => breaks.some((pattern) => fits(id.toUpperCase(), pattern)))
    .map((one) => one.id)
}

function needText(need: string): string {
  const texts: Record<string, string> = {
    other_key: '--other-api-key',
    session: '--session-cookie',
    other_session: '--other-session-cookie',
  }
  return texts[need] ?? `--states-url with the state "${need.replace('state:', '')}"`
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
