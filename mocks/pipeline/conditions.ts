/**
 * The conditions of an organization: what decides its answers besides its rows, and is replaced rather than changed.
 * Each request records them as a change of the organization, so that they are known for every position of its changes.
 */
import { type HistoricalRowReader, readCurrentRow } from '../core/changes.ts'
import type { Organization } from '../core/organization.ts'
import type { AppliedRule } from '../faults/rule.ts'
import type { Tenant } from '../tenants/tenant.ts'
import type { MockParts } from './service.ts'

/**
 * What decides an organization's answers besides its resources: settings, fault rules, run policy and quirks. It is
 * recorded whenever it changes, so that earlier requests can be replayed.
 */
export interface AnswerConditions
  extends Pick<Organization, 'variants' | 'runPolicy'>,
    Readonly<Pick<Tenant, 'settings' | 'quirks'>> {
  readonly rules: readonly AppliedRule[]
  /** True if the clock of the organization stands still. */
  readonly frozen: boolean
}

/** The conditions that each organization recorded last. */
const noted = new WeakMap<
  Organization,
  { -readonly [Field in keyof AnswerConditions]: AnswerConditions[Field] }
>()

/** The answer conditions of an organization now. */
export function currentAnswerConditions(
  { faults }: Pick<MockParts, 'faults'>,
  tenant: Tenant,
): AnswerConditions {
  const { org, settings, quirks } = tenant
  const { variants, runPolicy } = org
  const rules = faults.appliedTo(org.id)
  return { settings, rules, variants, runPolicy, frozen: org.clock.frozen, quirks }
}

/**
 * Records what decides an organization's answers besides its resources (`AnswerConditions`) in its change history, if
 * that differs from what the request before recorded.
 */
export function recordConditions(service: Pick<MockParts, 'faults'>, tenant: Tenant): void {
  const { org, settings } = tenant
  const known = noted.get(org)
  const isSame =
    known?.settings === settings &&
    known.rules === service.faults.appliedTo(org.id) &&
    known.frozen === org.clock.frozen &&
    known.variants === org.variants &&
    known.runPolicy === org.runPolicy &&
    known.quirks === tenant.quirks
  if (isSame) return
  const now = currentAnswerConditions(service, tenant)
  if (known) org.changes.change('conditions', known, now)
  else noted.set(org, { ...now })
}

/**
 * Finds the answer conditions of an organization at the moment whose rows `was` reads; undefined: it had answered no
 * request.
 */
export function conditionsAt(
  org: Organization,
  was: HistoricalRowReader = readCurrentRow,
): AnswerConditions | undefined {
  const known = noted.get(org)
  return known && (was(known) ?? known)
}
