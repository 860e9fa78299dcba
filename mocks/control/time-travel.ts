/** Moves a clock and settles who lives by it, so that everything due has happened, in order, when it answers. */
import type { Clock } from '../core/clock.ts'
import type { OrganizationEvent } from '../core/events.ts'
import type { Organization } from '../core/organization.ts'
import type { Service } from '../pipeline/service.ts'

/** A moment, ms since the epoch; or that of the next thing that happens by itself. */
export type Moment = number | 'next_event'

/** What is to happen to a clock. */
export interface Travel {
  readonly action: 'run' | 'freeze' | 'advance' | 'set'
  /** Where to freeze; undefined: where it stands. */
  readonly at?: Moment | undefined
  /** How far to advance, ms. */
  readonly by?: number | undefined
  /** Where to advance or set to. */
  readonly to?: Moment | undefined
  /** Advance until the task of this id is finished. */
  readonly until_finished?: string | undefined
}

/** What each action can be told beside itself: one of these. */
const words: Readonly<Record<Travel['action'], readonly (keyof Travel)[]>> = {
  run: [],
  freeze: ['at'],
  advance: ['by', 'to', 'until_finished'],
  set: ['to'],
}

/** The most events that one journey passes on its way to a finished task. */
const mostEvents = 100_000

/**
 * Moves the clock of an organization, or that of the mock and of all that follow it; answers what happened on
 * the way. @throws RangeError for a journey that cannot be made.
 */
export function timeTravel(
  service: Service,
  org: Organization | undefined,
  travel: Travel,
): OrganizationEvent[] {
  const clock = org?.clock ?? service.clock
  const travellers = org ? [org] : service.tenants.organizations().filter((one) => one.clock.following)
  const met = new Set(travellers.map(({ id }) => id))
  const events: OrganizationEvent[] = []
  const listen = (event: OrganizationEvent) => {
    if (met.has(event.org_id)) events.push(event)
  }
  check(travel)
  service.listeners.add(listen)
  try {
    settleAll(travellers)
    go(clock, travellers, travel)
    settleAll(travellers)
  } finally {
    service.listeners.delete(listen)
  }
  return events.sort((a, b) => a.at - b.at)
}

function check({ action, ...told }: Travel): void {
  const said = Object.keys(told).filter((word) => told[word as keyof typeof told] !== undefined)
  const wanted: readonly string[] = words[action]
  const needs = wanted.length > 0 && action !== 'freeze' ? 1 : 0
  if (said.every((word) => wanted.includes(word)) && said.length >= needs && said.length <= 1) return
  const advice = wanted.map((word) => `"${word}"`).join(' or ') || 'nothing more'
  throw new RangeError(`To ${action} takes ${advice}.`)
}

function go(clock: Clock, travellers: readonly Organization[], travel: Travel): void {
  const { action, at = clock.now(), by, to = clock.now(), until_finished } = travel
  if (action === 'run') clock.run()
  else if (action === 'freeze') clock.freeze(momentOf(clock, travellers, at))
  else if (action === 'set') clock.set(momentOf(clock, travellers, to))
  else if (until_finished !== undefined) advanceUntilFinished(clock, travellers, until_finished)
  else clock.advance(by ?? Math.max(0, momentOf(clock, travellers, to) - clock.now()))
}

function momentOf(clock: Clock, travellers: readonly Organization[], moment: Moment): number {
  if (moment !== 'next_event') return moment
  return Math.max(clock.now(), nextEvent(travellers) ?? clock.now())
}

function nextEvent(travellers: readonly Organization[]): number | undefined {
  const moments = travellers.flatMap((org) => org.nextEvent() ?? [])
  return moments.length > 0 ? Math.min(...moments) : undefined
}

function advanceUntilFinished(clock: Clock, travellers: readonly Organization[], id: string): void {
  const org = travellers.find((one) => one.tasks.get(id))
  const run = org?.tasks.get(id)?.run
  if (!org || !run)
    throw new RangeError('No such task was run in an organization that lives by this clock; send its key.')
  for (let i = 0; !run.ended && i < mostEvents; i++) {
    const next = org.nextEvent()
    if (next === undefined) throw new RangeError('Time does not finish this task: it waits for looks at it.')
    clock.advance(Math.max(0, next - org.clock.now()))
    org.settle(org.clock.now())
  }
}

function settleAll(organizations: readonly Organization[]): void {
  for (const org of organizations) org.settle(org.clock.now())
}
