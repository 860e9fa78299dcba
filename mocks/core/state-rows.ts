/** The rows of an organization as a snapshot holds them: each exactly as the core does. */
import { z } from 'zod'
import type { Run } from './agent.ts'
import type { LedgerEntry } from './ledger.ts'
import type * as rows from './resources.ts'

/** ms since the epoch. */
export const moment = z.number()
const id = z.string().min(1)
const text = z.string()
const nullableText = text.nullable()

export const ledgerEntry = z.object({
  id,
  kind: z.enum(['top_up', 'reserve', 'refund']),
  amount: z.number(),
  at: moment,
  subject: nullableText,
  request_id: nullableText,
}) satisfies z.ZodType<LedgerEntry>

const outcome = z.enum(['completed', 'failed'])

const run = z.object({
  id,
  task_id: id,
  accepted_at: moment,
  duration_ms: z.number().min(0),
  polls: z.int().min(1).nullable(),
  destined: outcome.nullable(),
  reserve: ledgerEntry,
  started_at: moment.nullable(),
  ends_at: moment.nullable(),
  outcome: outcome.nullable(),
  ended: z.boolean(),
  looks: z.int().min(0),
}) satisfies z.ZodType<Run>

export const task = z.object({
  id,
  text,
  description: nullableText,
  scheduled_at: moment.nullable(),
  created_at: moment,
  run: run.nullable(),
}) satisfies z.ZodType<rows.Task>

export const key = z.object({
  id,
  name: text,
  secret: z.string().min(1),
  created_at: moment,
  last_used_at: moment.nullable(),
  deleted: z.boolean(),
}) satisfies z.ZodType<rows.Key>

export const document = z.object({
  id,
  title: text,
  kind: nullableText,
  content_md: nullableText,
  summary: nullableText,
  folder_id: nullableText,
  created_at: moment,
}) satisfies z.ZodType<rows.Document>

export const notification = z.object({
  id,
  type: text,
  title: text,
  body: text,
  task_id: nullableText,
  created_at: moment,
  read: z.boolean(),
}) satisfies z.ZodType<rows.Notification>

export const prospect = z.object({
  id,
  name: text,
  email: text,
  phone: nullableText,
  created_at: moment,
  campaign: nullableText,
}) satisfies z.ZodType<rows.Prospect>

export const creative = z.object({
  id,
  prompt: text,
  width: z.number().positive(),
  height: z.number().positive(),
  hue: z.number(),
  created_at: moment,
}) satisfies z.ZodType<rows.Creative>

export const landingPage = z.object({
  id,
  business_name: text,
  subdomain: text,
  page_type: text,
  spec: z.unknown(),
  strategy: z.unknown(),
  version: z.number(),
  published: z.boolean(),
  created_at: moment,
}) satisfies z.ZodType<rows.LandingPage>

export const campaign = z.object({
  id,
  name: text,
  status: z.enum(['ACTIVE', 'PAUSED']),
  daily_budget: z.number(),
  created_at: moment,
}) satisfies z.ZodType<rows.Campaign>

export const account = z.object({
  plan: text,
  balance: z.number(),
  currency: text,
  card_last4: text,
}) satisfies z.ZodType<rows.Account>
