/** `--list` and `--plan`: what the suite requires, printed without traffic. */
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { isProbe, type Requirement } from '#contract-tests/harness/requirement.ts'
import type { Settings } from '#contract-tests/harness/terms.ts'
import { acceptanceOf } from '#contract-tests/model/index.ts'
import { plannedCredits } from '#contract-tests/runner/planned-credits.ts'
import { leftOut, unmetPrerequisite } from '#contract-tests/runner/selection.ts'

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

/** Requirements about traffic that only others bring about, by patterns of their ids. */
const shownBy: readonly (readonly [ids: RegExp, by: string])[] = [
  [/^ERROR-CODE-402$/, 'NO-CREDITS-REFUSED'],
  [/^ERROR-CODE-409$/, 'BUSY-ANSWER'],
  [/^ERROR-CODE-429$/, 'LIMIT-CODE'],
  [/^ERROR-CODE-503$/, 'UNAVAILABLE-CODE'],
  [/^RUN-(IN-PROGRESS-UNFINISHED|FINISHED-BY-STATUS)$/, 'RUN-ACCEPTED'],
  [/^NOTIFICATION-LISTED$|^SHAPE-readNotification$/, 'NOTIFICATION-NEW-UNREAD'],
]

/** The requirement whose requests show what this one is about; undefined: any traffic does. */
function shownByOf({ id, operation }: Requirement): string | undefined {
  return shownBy.find(([ids]) => ids.test(id))?.[1] ?? (operation ? acceptanceOf(operation) : undefined)
}

/** Why a run with these settings would not exercise a requirement; undefined: it would. */
function reasonOf(requirement: Requirement, settings: Settings): string | undefined {
  const unwanted = leftOut(requirement, settings)
  if (unwanted !== undefined) return unwanted
  const { id } = requirement
  if (id === 'EXTENDED-OFFERED' && settings.extended !== 'on')
    return 'the extended route set is not declared as offered (--extended on)'
  if (
    /^LIMIT-(CODE|WAITED-OUT|RETRY-AFTER)$/.test(id) &&
    !settings.statesUrl &&
    settings.probeRateLimit === 0
  )
    return 'it needs a 429; supply the state "rate_limit" at the states URL, or --probe-rate-limit N'
  if (isProbe(requirement)) return unmetPrerequisite(settings, requirement)?.message
  const by = shownByOf(requirement)
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
