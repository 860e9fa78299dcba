/** The in-process API of mock time: a clock whose changes return the events that they caused. */
import { z } from 'zod'
import { checked, fields } from '#contract/input/checked.ts'
import type { Clock } from '../core/clock.ts'
import { type Duration, durationAdvice, milliseconds } from '../core/duration.ts'
import type { OrganizationEvent } from '../core/events.ts'
import { instant, type MomentInput, momentAdvice } from '../core/moment.ts'
import type { Organization } from '../core/organization.ts'
import { clock as clockState } from '../core/state.ts'
import type { Service } from '../pipeline/service.ts'
import { type ClockChange, type Moment, timeTravel } from './time-travel.ts'

/**
 * The clock of a mock, or of one organization. Each change returns the events that it caused, in order. Moments are
 * ISO 8601, Dates or ms since the epoch; durations are texts such as `2s`, or ms. @throws RangeError for an invalid change.
 */
export interface MockClock extends Clock {
  /** Freezes time now or at a moment. */
  freeze(at?: MomentInput): OrganizationEvent[]
  /** Lets time run. */
  run(): OrganizationEvent[]
  /** Advances time by a duration. */
  advance(by: Duration): OrganizationEvent[]
  /** Sets time to a moment. */
  set(at: MomentInput): OrganizationEvent[]
  /** Advances to the next scheduled event; does nothing if there is none. */
  toNextEvent(): OrganizationEvent[]
  /** Advances until a task is finished. */
  untilFinished(task_id: string): OrganizationEvent[]
}

/** Creates the clock of an organization, which is looked up on each call; undefined: the clock of the mock. */
export function clockOf(service: Service, organization: () => Organization | undefined): MockClock {
  const clock = () => organization()?.clock ?? service.clock
  const change = (change: ClockChange) => timeTravel(service, organization(), change)
  return {
    now: () => clock().now(),
    get frozen() {
      return clock().frozen
    },
    get following() {
      return clock().following
    },
    freeze: (at) => change({ action: 'freeze', at: at === undefined ? at : momentOf('freeze', at) }),
    run: () => change({ action: 'run' }),
    advance: (by) => change({ action: 'advance', by: durationOf('advance', by) }),
    set: (to) => change({ action: 'set', to: momentOf('set', to) }),
    toNextEvent: () => change({ action: 'advance', to: 'next_event' }),
    untilFinished: (id) =>
      change({ action: 'advance', until_finished: checked('clock.untilFinished', z.string(), id) }),
    reset: () => clock().reset(),
    dump: () => clock().dump(),
    restore: (state) => clock().restore(checked('clock.restore', fields(clockState.shape).nullable(), state)),
  }
}

function durationOf(method: string, value: Duration): number {
  const ms = milliseconds(value)
  if (ms !== undefined) return ms
  throw new RangeError(`clock.${method} ${durationAdvice}, not ${shown(value)}.`)
}

/** Returns a moment, ms since the epoch, or the next scheduled event. */
function momentOf(method: string, value: MomentInput): Moment {
  const at = value === 'next_event' ? value : instant(value)
  if (at !== undefined) return at
  throw new RangeError(`clock.${method} ${momentAdvice}, not ${shown(value)}.`)
}

const shown = (value: unknown) => (typeof value === 'string' ? JSON.stringify(value) : String(value))
