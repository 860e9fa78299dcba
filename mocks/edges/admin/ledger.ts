/** `/__admin/ledger`, `/credits` and `/notifications`: shows ledgers, changes credits, adds notifications. */
import { z } from 'zod'
import { mostCredits } from '../../control/controls.ts'
import { type LedgerEntryView, type LedgerView, viewLedger } from '../../control/ledger-view.ts'
import { viewNotification } from '../../handlers/views.ts'
import { bodyOf, control, iso, organizationsOf, ProblemError, queryOf } from './route.ts'

const entryView = z.object({
  id: z.string(),
  at: iso,
  kind: z.enum(['top_up', 'reserve', 'refund']),
  amount: z.number().describe('Negative for a reserve, and if credits were removed.'),
  balance: z.number().describe('Spendable credits after the entry.'),
  subject: z.string().nullable().describe('The id of the run or artifact; null: none.'),
  request_id: z
    .string()
    .nullable()
    .describe('The request that caused the entry; null: caused by time or an operator.'),
}) satisfies z.ZodType<LedgerEntryView>

const ledgerView = z.object({
  org_id: z.string(),
  name: z.string(),
  balance: z.number(),
  reserved: z.number().describe('Credits reserved for active and queued runs.'),
  spent: z.number(),
  refunded: z.number(),
  added: z.number(),
  entries: z.array(entryView).describe('Oldest first.'),
}) satisfies z.ZodType<LedgerView>

const credits = bodyOf({
  add: z
    .number()
    .min(-mostCredits)
    .max(mostCredits)
    .optional()
    .describe('Credits to add; negative: to remove.'),
  set: z.number().min(0).max(mostCredits).optional().describe('New number of spendable credits.'),
})

const notification = bodyOf({
  title: z.string().default('Notice'),
  body: z.string().default('Something happened.'),
  type: z.string().default('notice'),
  task_id: z.string().nullable().default(null),
})

/** The routes of ledgers, credits and notifications. */
export const ledgerRoutes = [
  control({
    method: 'GET',
    path: '/ledger',
    summary: 'List the ledgers: every change of the balance, with its time and the request that caused it.',
    query: queryOf({}),
    answer: z.object({ ledgers: z.array(ledgerView) }),
    run: (call) => ({ ledgers: organizationsOf(call).map(viewLedger) }),
  }),
  control({
    method: 'POST',
    path: '/credits',
    summary: 'Add credits, or set the spendable credits.',
    about: 'organization',
    body: credits,
    answer: z.object({ org_id: z.string(), credits: z.number() }),
    example: { add: 5 },
    run({ org, body: { add, set } }) {
      if ((add === undefined) === (set === undefined))
        throw new ProblemError(400, 'Send exactly one of "add" and "set".')
      const now = org.clock.now()
      org.settle(now)
      if (set === undefined) org.ledger.topUp(add ?? 0, now)
      else org.ledger.setBalance(set, now)
      return { org_id: org.id, credits: org.ledger.balance }
    },
  }),
  control({
    method: 'POST',
    path: '/notifications',
    summary: 'Add an unread notification.',
    about: 'organization',
    body: notification,
    answer: z.object({ notification: z.looseObject({ id: z.string(), read: z.boolean() }) }),
    example: { title: 'Welcome', body: 'Your agent is ready.' },
    run({ org, body: { type, title, body, task_id } }) {
      const now = org.clock.now()
      org.settle(now)
      return { notification: viewNotification(org.notify(type, title, body, task_id, now)) }
    },
  }),
]
