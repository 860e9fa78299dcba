/** `/__admin/ledger`, `/credits` and `/notifications`: what an organization has, and more of it. */
import { z } from 'zod'
import { type LedgerEntryView, type LedgerView, viewLedger } from '../../control/ledger-view.ts'
import { viewNotification } from '../../handlers/views.ts'
import { bodyOf, control, iso, organizationsOf, queryOf, Refusal } from './route.ts'

const entryView = z.object({
  id: z.string(),
  at: iso,
  kind: z.enum(['top_up', 'reserve', 'refund']),
  amount: z.number().describe('Negative for a reserve, or where credits were taken away.'),
  balance: z.number().describe('Credits that could be spent after it.'),
  subject: z.string().nullable().describe('The run or artifact that the credit was for.'),
  request_id: z.string().nullable().describe('The request that caused it; null: time, or an operator.'),
}) satisfies z.ZodType<LedgerEntryView>

const ledgerView = z.object({
  org_id: z.string(),
  name: z.string(),
  balance: z.number(),
  reserved: z.number().describe('Held for runs that are going or waiting.'),
  spent: z.number(),
  refunded: z.number(),
  added: z.number(),
  entries: z.array(entryView).describe('Oldest first.'),
}) satisfies z.ZodType<LedgerView>

const most = 1e12

const credits = bodyOf({
  add: z.number().min(-most).max(most).optional().describe('Credits to add; negative: to take away.'),
  set: z.number().min(0).max(most).optional().describe('Credits that can be spent from now on.'),
})

const notification = bodyOf({
  title: z.string().default('Notice'),
  body: z.string().default('Something happened.'),
  type: z.string().default('notice'),
  task_id: z.string().nullable().default(null),
})

export const ledgerRoutes = [
  control({
    method: 'GET',
    path: '/ledger',
    summary: 'Who reserved, got back and was given what, when, and by which request.',
    query: queryOf({}),
    answer: z.object({ ledgers: z.array(ledgerView) }),
    run: (call) => ({ ledgers: organizationsOf(call).map(viewLedger) }),
  }),
  control({
    method: 'POST',
    path: '/credits',
    summary: 'Top up: add credits, or set what can be spent.',
    about: 'organization',
    body: credits,
    answer: z.object({ org_id: z.string(), credits: z.number() }),
    example: { add: 5 },
    run({ org, body: { add, set } }) {
      if ((add === undefined) === (set === undefined))
        throw new Refusal(400, 'Send "add" or "set", one of them.')
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
