/** Moves a clock and settles who lives by it, so that everything due has happened, in order, when it answers. */
import type { Clock } from './clock.ts'
import type { OrganizationEvent } from './core/events.ts'
import type { Organization } from './core/organization.ts'
import type { Service } from './service.ts'

/** What is to happen to a clock. Moments: ISO 8601, ms since the epoch, or the next event; `by`: ms. */
export interface Travel {
  readonly action: 'run' | 'freeze' | 'advance' | 'set'
  readonly at?: string | number | undefined
  readonly by?: number | undefined
  readonly to?: string | number | undefined
  /** Advance until the task of this id is finished. */
  readonly until_finished?: string | undefined
}

/** The most events that one journey passes on its way to a finished task. */
const mostEvents = 100_000

/** Moves a clock; answers what happened on the way. @throws RangeError for a journey that cannot be made. */
export function timeTravel(
  service: Pick<Service, 'listeners'>,
  clock: Clock,
  organizations: readonly Organization[],
  travel: Travel,
): OrganizationEvent[] {
  const events: OrganizationEvent[] = []
  const listen = (event: OrganizationEvent) => void events.push(event)
  service.listeners.add(listen)
  try {
    settleAll(organizations)
    go(clock, organizations, travel)
    settleAll(organizations)
  } finally {
    service.listeners.delete(listen)
  }
  return events.sort((a, b) => a.at - b.at)
}

function go(clock: Clock, organizations: readonly Organization[], travel: Travel): void {
  const { action, at, by, to, until_finished } = travel
  if (action === 'run') clock.run()
  else if (action === 'freeze')
    clock.freeze(at === undefined ? undefined : momentOf(clock, organizations, at))
  else if (action === 'set') clock.set(momentOf(clock, organizations, to))
  else if (until_finished !== undefined) advanceUntilFinished(clock, organizations, until_finished)
  else clock.advance(by ?? Math.max(0, momentOf(clock, organizations, to) - clock.now()))
}

function momentOf(
  clock: Clock,
  organizations: readonly Organization[],
  moment: string | number | undefined,
): number {
  if (moment === undefined)
    throw new RangeError(
      'Say how far: "by" a duration, "to" a moment or "next_event", or "until_finished" a task.',
    )
  if (moment === 'next_event') return nextEvent(organizations) ?? clock.now()
  return typeof moment === 'number' ? moment : Date.parse(moment)
}

function nextEvent(organizations: readonly Organization[]): number | undefined {
  const moments = organizations.flatMap((org) => org.agent.nextEvent() ?? [])
  return moments.length > 0 ? Math.min(...moments) : undefined
}

function advanceUntilFinished(clock: Clock, organizations: readonly Organization[], id: string): void {
  const org = organizations.find((one) => one.tasks.get(id))
  const task = org?.tasks.get(id)
  if (!org || !task?.run) throw new RangeError('There is no such task, or it was never run.')
  for (let i = 0; !task.run.ended && i < mostEvents; i++) {
    const next = org.agent.nextEvent()
    if (next === undefined) throw new RangeError('Time does not finish this task: it waits for polls.')
    clock.advance(Math.max(0, next - org.clock.now()))
    org.settle(org.clock.now())
  }
}

function settleAll(organizations: readonly Organization[]): void {
  for (const org of organizations) org.settle(org.clock.now())
}
