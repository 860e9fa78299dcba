/** `/__admin/clock`: mock time, of one organization or of all; answers what happened meanwhile. */
import { z } from 'zod'
import { duration, moment as instant } from '../../config/option-values.ts'
import { type Moment, timeTravel } from '../../control/time-travel.ts'
import type { Clock } from '../../core/clock.ts'
import type { OrganizationEvent } from '../../core/events.ts'
import { bodyOf, control, iso, Refusal } from './route.ts'

const moment = z.union([z.string(), z.number()]).transform((value, context): Moment => {
  const at = value === 'next_event' ? value : instant.safeParse(value).data
  if (at !== undefined) return at
  context.addIssue({
    code: 'custom',
    message: 'takes an ISO 8601 moment, ms since the epoch, or next_event',
  })
  return z.NEVER
})

const change = bodyOf({
  action: z.enum(['run', 'freeze', 'advance', 'set'], 'takes run, freeze, advance or set'),
  at: moment.optional().describe('Where to freeze; default: where it stands.'),
  by: duration.optional().describe('How far to advance: `2s`, or ms.'),
  to: moment.optional().describe('Where to advance or set to: a moment, or `next_event`.'),
  until_finished: z
    .union([z.string(), z.number()])
    .transform(String)
    .optional()
    .describe('Advance until the task of this id is finished.'),
})

const clockView = {
  now: iso,
  frozen: z.boolean(),
  following: z.boolean().describe("Whether an organization's clock goes with the mock's."),
}

const view = (clock: Clock) => ({
  now: new Date(clock.now()).toISOString(),
  frozen: clock.frozen,
  following: clock.following,
})

/** An event as control answers and streams show it. */
export const viewEvent = (event: OrganizationEvent) => ({ ...event, at: new Date(event.at).toISOString() })

const eventView = z.object({
  type: z.string(),
  org_id: z.string(),
  at: iso,
  subject: z.string().describe('The task, run, ledger entry or notification that it is about.'),
  detail: z.union([z.string(), z.number()]).optional(),
})

export const clockRoutes = [
  control({
    method: 'GET',
    path: '/clock',
    summary: 'Mock time.',
    answer: z.object(clockView),
    run: ({ service, org }) => view(org?.clock ?? service.clock),
  }),
  control({
    method: 'PUT',
    path: '/clock',
    summary:
      'Run, freeze, advance or set mock time; answers what happened on the way. The clock of an organization is its own from the first such call on: then that of the mock does not move it, until a reset.',
    body: change,
    answer: z.object({ ...clockView, events: z.array(eventView) }),
    example: { action: 'advance', by: '1h' },
    run({ service, org, body }) {
      const { org_id, ...travel } = body
      try {
        const events = timeTravel(service, org, travel)
        return { ...view(org?.clock ?? service.clock), events: events.map(viewEvent) }
      } catch (error) {
        if (error instanceof RangeError) throw new Refusal(400, error.message)
        throw error
      }
    },
  }),
]
