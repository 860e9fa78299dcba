/** Mock time in process: a clock that tells what happened while it was moved. */
import type { Clock } from '../core/clock.ts'
import type { OrganizationEvent } from '../core/events.ts'
import type { Organization } from '../core/organization.ts'
import type { Service } from '../pipeline/service.ts'
import { type Moment, type Travel, timeTravel } from './time-travel.ts'

/**
 * The clock of a mock, or of one organization. Whoever moves it is told what happened on the way, in order.
 * Moments and lengths are ms. @throws RangeError for a journey that cannot be made.
 */
export interface MockClock extends Clock {
  /** Stops time where it is, or at a moment. */
  freeze(at?: Moment): OrganizationEvent[]
  run(): OrganizationEvent[]
  advance(ms: number): OrganizationEvent[]
  set(at: Moment): OrganizationEvent[]
  /** Advances to the next thing that happens by itself; stays where nothing does. */
  toNextEvent(): OrganizationEvent[]
  /** Advances until a task is finished. */
  untilFinished(task_id: string): OrganizationEvent[]
}

/** The clock of an organization, looked up anew each time; of none: that of the mock. */
export function clockOf(service: Service, organization: () => Organization | undefined): MockClock {
  const clock = () => organization()?.clock ?? service.clock
  const travel = (travel: Travel) => timeTravel(service, organization(), travel)
  return {
    now: () => clock().now(),
    get frozen() {
      return clock().frozen
    },
    get following() {
      return clock().following
    },
    freeze: (at) => travel({ action: 'freeze', at }),
    run: () => travel({ action: 'run' }),
    advance: (by) => travel({ action: 'advance', by }),
    set: (to) => travel({ action: 'set', to }),
    toNextEvent: () => travel({ action: 'advance', to: 'next_event' }),
    untilFinished: (until_finished) => travel({ action: 'advance', until_finished }),
    reset: () => clock().reset(),
    dump: () => clock().dump(),
    restore: (state) => clock().restore(state),
  }
}
