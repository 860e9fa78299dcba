/**
 * Organizations that a request may change: its own and, through a fault of the service, any other that owns what it
 * names.
 */
import { areDistinctTenants, type RequestEvent } from './event.ts'
import type { EffectInterval, KnownOrganization, ModelState } from './state.ts'

/**
 * The organizations that own the resource that a request names, even if its caller must not reach it, each with the
 * interval in which the request may take effect.
 */
export function ownersOfRequestedResource(
  { id: eventId, tenant, sent: from }: RequestEvent,
  { organizations }: ModelState,
  has: (org: KnownOrganization) => boolean,
) {
  const interval: EffectInterval = { eventId, from, to: null }
  const reached: {
    readonly org: KnownOrganization
    readonly isForeign: boolean
    readonly interval: EffectInterval
  }[] = []
  organizations.forEach((org, name) => {
    if (has(org)) reached.push({ org, isForeign: areDistinctTenants(name, tenant), interval })
  })
  return reached
}
