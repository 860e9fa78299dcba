/** Random streams and rate windows of an organization as they were at an earlier position of its changes. */
import { streams } from '../../core/changes.ts'
import type { Organization } from '../../core/organization.ts'
import { rewound } from '../../core/random.ts'
import type { OrganizationState, RateWindow } from '../../core/state.ts'

/** Returns the positions of the random streams. */
export function chanceAt(
  org: Organization,
  position: number,
  now: OrganizationState['chance'],
): OrganizationState['chance'] {
  const drawn = { ids: 0, outcomes: 0, delays: 0 }
  for (const recorded of org.changes.newestFirst(position))
    if (recorded.kind === 'drawn') drawn[recorded.stream] += recorded.words
  const states = streams.map((stream) => [stream, rewound(now[stream], drawn[stream])] as const)
  return Object.fromEntries(states) as OrganizationState['chance']
}

/** Returns the windows of the rate limit by credential. */
export function windowsAt(org: Organization, position: number): Record<string, RateWindow> {
  return org.limiter.dump((window, place) => {
    let value = window
    for (const recorded of org.changes.newestFirst(position)) {
      if (recorded.kind === 'counted' && recorded.place === place)
        value = { opened: value.opened, used: value.used - 1 }
      if (recorded.kind === 'changed' && recorded.row === window) value = recorded.before as RateWindow
    }
    return value
  })
}
