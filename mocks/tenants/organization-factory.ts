/** Creates organizations from a seed and a name, or restores them from their saved state. */
import type { Settings } from '../config/options.ts'
import type { Clock } from '../core/clock.ts'
import type { OrganizationEvent } from '../core/events.ts'
import { Organization } from '../core/organization.ts'
import { createRandom } from '../core/random.ts'
import type { OrganizationState } from '../core/state.ts'
import { createQuirks } from '../quirks/create.ts'
import { createDraw } from '../seed/draw.ts'
import { identityOf, seedPast } from '../seed/organization.ts'
import type { Tenant } from './tenant.ts'

/** Input for creating or restoring an organization. */
export interface FactoryContext {
  readonly name: string
  readonly settings: Settings
  readonly clock: Clock
  emit(event: OrganizationEvent): void
}

/** Creates an organization with its seeded past, but without a key. */
export function createTenant(context: FactoryContext): Tenant {
  const { name, settings, clock } = context
  const { credits, busyMs, runDurationMs, failureRate, progress } = settings
  const random = randomOf(context)
  const quirks = createQuirks(settings, name)
  const draw = createDraw(random('past'))
  let past = true
  const org = new Organization({
    // The seeded past emits no events.
    emit: (event) => (past ? undefined : context.emit(event)),
    id: quirks?.newId(random('id'), 'org') ?? random('id').id('org'),
    ...identityOf(draw),
    policy: { duration_ms: runDurationMs, failure_rate: failureRate, progress },
    topUp: settings.topUp,
    newId: quirks?.newId,
    clock,
    random,
  })
  seedPast(org, draw, credits + (quirks?.looseCredits ?? 0), settings.past)
  Object.assign(org.variants, quirks?.variants, settings.scenario?.variants)
  if (busyMs > 0) org.agent.busyUntil(clock.now() + busyMs)
  past = false
  return { name, org, settings, quirks }
}

/** Restores an organization and its clock from their saved state. */
export function restoreTenant(context: FactoryContext, state: OrganizationState): Tenant {
  const { settings } = context
  const { id, name, account, policy } = state
  const quirks = createQuirks(settings, context.name)
  const org = new Organization({
    id,
    name,
    account,
    policy,
    topUp: settings.topUp,
    newId: quirks?.newId,
    clock: context.clock,
    random: randomOf(context),
    emit: (event) => context.emit(event),
  })
  org.clock.restore(state.clock)
  org.load(state)
  return { name: context.name, org, settings, quirks }
}

function randomOf({ name, settings }: FactoryContext) {
  return (scope: string) => createRandom(settings.seed, name, scope)
}
