/** Changes a clock and applies the events that are due, in order, to every organization that uses it. */

import { z } from 'zod'
import { createStrictObjectSchema, parseOrThrow } from '#contract/input/checked.ts'
import { durationSchema, momentSchema } from '../config/options.ts'
import type { OrganizationEvent } from '../core/changes.ts'
import { type Clock, type Duration, epochMsOf, type MomentInput, momentFormatAdvice } from '../core/clock.ts'
import type { Organization } from '../core/organization.ts'
import { clockStateSchema } from '../core/resources.ts'
import type { MockParts } from '../pipeline/service.ts'

/** A moment, ms since the epoch, or that of the next scheduled event. */
type Moment = number | 'next_event'

const moment = z.union([z.string(), z.number()]).transform((value, context): Moment => {
  const at = value === 'next_event' ? value : epochMsOf(value)
  if (at !== undefined) return at
  context.addIssue({
    code: 'custom',
    message: `${momentFormatAdvice}, ms since the epoch, or next_event`,
  })
  return z.NEVER
})

/**
 * Schemas of the fields of a control call that changes a clock: freeze it, let it run, advance it by a duration, or set
 * it to a moment.
 */
export const clockChangeFieldSchemas = {
  action: z.enum(['run', 'freeze', 'advance', 'set'], 'takes run, freeze, advance or set'),
  at: moment.optional().describe('When to freeze; default: now.'),
  by: durationSchema.optional().describe('Duration to advance by: `2s`, or ms.'),
  to: moment
    .optional()
    .describe('Moment to advance or set to: ISO 8601, ms since the epoch, or `next_event`.'),
  until_finished: z
    .union([z.string(), z.number()])
    .transform(String)
    .optional()
    .describe('Id of a task: advance until it is finished.'),
}
type ClockChange = Readonly<z.output<z.ZodObject<typeof clockChangeFieldSchemas>>>

/** The parameters of each action, of which at most one may be given. */
const parameters: Readonly<Record<ClockChange['action'], readonly (keyof ClockChange)[]>> = {
  run: [],
  freeze: ['at'],
  advance: ['by', 'to', 'until_finished'],
  set: ['to'],
}

/** Maximum number of events to pass until a task is finished. */
const mostEvents = 100_000

/**
 * Changes the clock of an organization, or that of the mock and of all organizations that follow it. Applies and
 * returns the events that become due, in order. @throws RangeError for an invalid change.
 */
export function changeClock(service: MockParts, org: Organization | undefined, change: ClockChange) {
  const clock = org?.clock ?? service.clock
  const affected = org ? [org] : service.tenants.organizations().filter((one) => one.clock.following)
  const ids = new Set(affected.map(({ id }) => id))
  const events: OrganizationEvent[] = []
  const listen = (event: OrganizationEvent) => {
    if (ids.has(event.org_id)) events.push(event)
  }
  check(change)
  service.listeners.add(listen)
  const settle = () => {
    for (const one of affected) one.settled()
  }
  try {
    settle()
    apply(clock, affected, change)
    settle()
  } finally {
    service.listeners.delete(listen)
  }
  return events.sort((a, b) => a.at - b.at)
}

function check({ action, ...values }: ClockChange): void {
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  const allowed: readonly string[] = parameters[action]
  const required = allowed.length > 0 && action !== 'freeze' ? 1 : 0
  if (given.every((name) => allowed.includes(name)) && given.length >= required && given.length <= 1) return
  const names = allowed.map((name) => `"${name}"`).join(' or ')
  const advice = names === '' ? 'no parameter' : `${required ? 'exactly' : 'at most'} one parameter: ${names}`
  throw new RangeError(`The action "${action}" takes ${advice}.`)
}

function apply(clock: Clock, affected: readonly Organization[], change: ClockChange): void {
  const now = clock.now()
  const { action, at = now, by, to = now, until_finished } = change
  const momentOf = (moment: Moment) => {
    if (moment !== 'next_event') return moment
    const moments = affected.flatMap((org) => org.nextEvent() ?? [])
    return moments.length > 0 ? Math.max(now, Math.min(...moments)) : now
  }
  if (action === 'run') clock.run()
  else if (action === 'freeze') clock.freeze(momentOf(at))
  else if (action === 'set') clock.set(momentOf(to))
  else if (until_finished !== undefined) advanceUntilFinished(clock, affected, until_finished)
  else clock.advance(by ?? timeUntil(momentOf(to), now))
}

function timeUntil(moment: number, now: number): number {
  if (moment >= now) return moment - now
  const [past, present] = [moment, now].map((one) => new Date(one).toISOString())
  throw new RangeError(`It is ${present} already, after ${past}; the action "set" takes any moment.`)
}

function advanceUntilFinished(clock: Clock, affected: readonly Organization[], id: string): void {
  const org = affected.find((one) => one.tasks.get(id))
  const run = org?.tasks.get(id)?.run
  if (!org || !run)
    throw new RangeError(
      'No such task was run in an organization that uses this clock; its own organization has the clock that counts.',
    )
  for (let i = 0; !run.ended && i < mostEvents; i++) {
    const next = org.nextEvent()
    if (next === undefined)
      throw new RangeError('This task does not finish with time but with polls: get it until it is finished.')
    clock.advance(Math.max(0, next - org.clock.now()))
    org.settled()
  }
}

/** The methods that change the clock of an organization, which is looked up on each call, or of the mock. */
function changesOf(service: MockParts, organization: () => Organization | undefined) {
  const change = (change: ClockChange): OrganizationEvent[] => changeClock(service, organization(), change)
  return {
    /** Freezes time now or at a moment. */
    freeze: (at?: MomentInput) =>
      change({ action: 'freeze', at: at === undefined ? at : momentIn('clock.freeze', at) }),
    /** Lets time run. */
    run: () => change({ action: 'run' }),
    /** Advances time by a duration. */
    advance: (by: Duration) =>
      change({ action: 'advance', by: parseOrThrow('clock.advance', durationSchema, by) }),
    /** Sets time to a moment. */
    set: (at: MomentInput) => change({ action: 'set', to: momentIn('clock.set', at) }),
    /** Advances to the next scheduled event; does nothing if there is none. */
    toNextEvent: () => change({ action: 'advance', to: 'next_event' }),
    /** Advances until a task is finished. */
    untilFinished: (task_id: string) =>
      change({ action: 'advance', until_finished: parseOrThrow('clock.untilFinished', z.string(), task_id) }),
  }
}
type Changes = ReturnType<typeof changesOf>

/**
 * The clock of a mock, or of one organization. Each change returns the events that it caused, in order. Moments are
 * ISO 8601, Dates or ms since the epoch; durations are texts such as `2s`, or ms. @throws TypeError for another value;
 * RangeError for an invalid change.
 */
type MockClock = Omit<Clock, keyof Changes> & Readonly<Changes>

/**
 * Creates the methods by which tests read and change the clock of a mock, or that of one organization, which
 * `organization` looks up at each call.
 */
export function createClockControls(
  service: MockParts,
  organization: () => Organization | undefined,
): MockClock {
  const clock = () => organization()?.clock ?? service.clock
  return {
    ...changesOf(service, organization),
    now: () => clock().now(),
    get frozen() {
      return clock().frozen
    },
    get following() {
      return clock().following
    },
    reset: () => clock().reset(),
    dump: () => clock().dump(),
    restore: (state) =>
      clock().restore(
        parseOrThrow('clock.restore', createStrictObjectSchema(clockStateSchema.shape).nullable(), state),
      ),
  }
}

const momentIn = (where: string, value: MomentInput): Moment =>
  value === 'next_event' ? value : parseOrThrow(where, momentSchema, value)
