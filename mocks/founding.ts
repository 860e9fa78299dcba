/** Makes organizations: new ones from a seed and a name, and such as were before from what they were. */
import { createDraw } from '#fixtures/draw.ts'
import { identityOf, seedPast } from '#fixtures/organization.ts'
import type { Clock } from './clock.ts'
import type { OrganizationEvent } from './core/events.ts'
import { Organization } from './core/organization.ts'
import type { Settings } from './options.ts'
import type { OrganizationState } from './snapshot/organization.ts'
import { createSurprises } from './strict-client/create.ts'
import { createChance } from './world.ts'

/** What an organization of a name is made with. */
export interface Ground {
  readonly name: string
  readonly settings: Settings
  readonly clock: Clock
  tell(event: OrganizationEvent): void
}

/** A new organization, with its past, but without a key. */
export function foundOrganization(ground: Ground): Organization {
  const { name, settings, clock } = ground
  const { credits, busyMs, runDurationMs, failureRate, progress } = settings
  const { chance, surprises } = streamsOf(name, settings)
  const draw = createDraw(chance('past'))
  let past = true
  const org = new Organization({
    ...ground,
    // The past is not news.
    tell: (event) => (past ? undefined : ground.tell(event)),
    id: surprises?.newId(chance('id'), 'org') ?? chance('id').id('org'),
    ...identityOf(draw),
    policy: { duration_ms: runDurationMs, failure_rate: failureRate, progress },
    surprises,
    chance,
  })
  seedPast(org, draw, credits + (surprises?.looseCredits ?? 0), settings.past)
  settings.scenario?.arrange?.(org)
  if (busyMs > 0) org.agent.busyUntil(clock.now() + busyMs)
  past = false
  return org
}

/** An organization as it was when it was dumped; also its clock. */
export function raiseOrganization(ground: Ground, state: OrganizationState): Organization {
  const { id, name, account, policy } = state
  const org = new Organization({
    ...ground,
    ...streamsOf(ground.name, ground.settings),
    id,
    name,
    account,
    policy,
  })
  org.clock.restore(state.clock)
  org.load(state)
  return org
}

function streamsOf(name: string, { seed, strictClient }: Settings) {
  const chance = (scope: string) => createChance(seed, name, scope)
  return { chance, surprises: createSurprises(strictClient, name) }
}
