/** `/__admin/clock`: mock time of one organization or of all; a change returns the events it caused. */

import { z } from 'zod'
import { duration } from '../../config/option-values.ts'
import { type Moment, timeTravel } from '../../control/clock.ts'
import type { Clock } from '../../core/clock.ts'
import { instant, momentAdvice } from '../../core/duration.ts'
import type { OrganizationEvent } from '../../core/events.ts'
import { Refusal } from '../../core/failure.ts'
import { bodyOf, control, iso } from './route.ts'

const moment = z.union([z.string(), z.number()]).transform((value, context): Moment => {
  const at = value === 'next_event' ? value : instant(value)
  if (at !== undefined) return at
  context.addIssue({
    code: 'custom',
    message: `${momentAdvice}, ms since the epoch, or next_event`,
  })
  return z.NEVER
})

const change = bodyOf({
  action: z.enum(['run', 'freeze', 'advance', 'set'], 'takes run, freeze, advance or set'),
  at: moment.optional().describe('When to freeze; default: now.'),
  by: duration.optional().describe('Duration to advance by: `2s`, or ms.'),
  to: moment
    .optional()
    .describe('Moment to advance or set to: ISO 8601, ms since the epoch, or `next_event`.'),
  until_finished: z
    .union([z.string(), z.number()])
    .transform(String)
    .optional()
    .describe('Id of a task: advance until it is finished.'),
})

const clockView = {
  now: iso,
  frozen: z.boolean(),
  following: z.boolean().describe('Whether the clock of the organization follows the clock of the mock.'),
}

const view = (clock: Clock) => ({
  now: new Date(clock.now()).toISOString(),
  frozen: clock.frozen,
  following: clock.following,
})

/** Returns an event as control responses and streams show it. */
export const viewEvent = (event: OrganizationEvent) => ({ ...event, at: new Date(event.at).toISOString() })

const eventView = z.object({
  type: z.string(),
  org_id: z.string(),
  at: iso,
  subject: z.string().describe('The id of the run, artifact, ledger entry or notification.'),
  detail: z.union([z.string(), z.number()]).optional(),
})

/** The routes of mock time. */
export const clockRoutes = [
  control({
    method: 'GET',
    path: '/clock',
    summary: 'Get the mock time.',
    answer: z.object(clockView),
    run: ({ service, org }) => view(org?.clock ?? service.clock),
  }),
  control({
    method: 'PUT',
    path: '/clock',
    summary:
      'Run, freeze, advance or set mock time. Returns the events that this caused. After its first change, the clock of an organization no longer follows the clock of the mock, until a reset.',
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
