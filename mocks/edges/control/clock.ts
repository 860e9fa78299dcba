/** `/__admin/clock`: mock time, of one organization or of all; answers what happened meanwhile. */
import { z } from 'zod'
import type { Clock } from '../../clock.ts'
import type { OrganizationEvent } from '../../core/events.ts'
import { milliseconds } from '../../duration.ts'
import { timeTravel } from '../../time-travel.ts'
import { control, organizationsOf, Refusal } from './route.ts'

const duration = z.union([z.string(), z.number()]).transform((value, context): number => {
  const ms = milliseconds(value)
  if (ms !== undefined) return ms
  context.addIssue({ code: 'custom', message: 'takes a duration such as 2s, or a number of ms' })
  return z.NEVER
})

const moment = z.union([z.literal('next_event'), z.iso.datetime({ offset: true }), z.number()])

const change = z.discriminatedUnion('action', [
  z.looseObject({ action: z.literal('run') }),
  z.looseObject({ action: z.literal('freeze'), at: moment.optional() }),
  z.looseObject({
    action: z.literal('advance'),
    by: duration.optional(),
    to: moment.optional(),
    until_finished: z.string().optional(),
  }),
  z.looseObject({ action: z.literal('set'), to: moment }),
])

/** A change of mock time as it is asked for. */
export type ClockChange = z.output<typeof change>

const view = (clock: Clock) => ({ now: new Date(clock.now()).toISOString(), frozen: clock.frozen })

/** An event as control answers and streams show it. */
export const viewEvent = (event: OrganizationEvent) => ({ ...event, at: new Date(event.at).toISOString() })

export const clockRoutes = [
  control({
    method: 'GET',
    path: '/clock',
    summary: 'Mock time.',
    run: ({ service, org }) => view(org?.clock ?? service.world.clock),
  }),
  control({
    method: 'PUT',
    path: '/clock',
    summary: 'Run, freeze, advance or set mock time; answers the events that happened.',
    body: change,
    run(call) {
      const clock = call.org?.clock ?? call.service.world.clock
      try {
        const events = timeTravel(call.service, clock, organizationsOf(call), call.body)
        return { ...view(clock), events: events.map(viewEvent) }
      } catch (error) {
        if (error instanceof RangeError) throw new Refusal(400, error.message)
        throw error
      }
    },
  }),
]
