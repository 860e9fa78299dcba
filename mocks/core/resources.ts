/** The rows of an organization: one schema for the running mock and for snapshots. Times are ms since the epoch. */
import { z } from 'zod'

/** A row of which only the named fields change after it was appended. */
type Row<S extends z.ZodType, Changing extends keyof z.output<S> = never> = Readonly<
  Omit<z.output<S>, Changing>
> &
  Pick<z.output<S>, Changing>

/** The times that a Date can hold, ms since the epoch. */
export const farthest = 8.64e15
/** A time, ms since the epoch. */
export const moment = z.number().min(-farthest).max(farthest)
/** An id, which may stand in a path. */
export const id = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,1000}$/u, 'is not an id')
/** A number of credits, or of the same order. */
const amount = z.number().min(-1e15).max(1e15)
const text = z.string()
const nullableText = text.nullable()

/** One change of the balance (§2, §8.2). */
export const ledgerEntry = z.object({
  id,
  kind: z.enum(['top_up', 'reserve', 'refund']),
  /** Credits; negative for a reserve, or if an operator takes credits away. */
  amount,
  at: moment,
  /** What the credit was for: the id of a run or an artifact; null for a top-up. */
  subject: nullableText,
  /** The request that caused it; null: none, such as the end of a run. */
  request_id: nullableText,
})
export type LedgerEntry = Row<typeof ledgerEntry, 'request_id'>

const outcome = z.enum(['completed', 'failed'])
export type RunOutcome = z.output<typeof outcome>

/** One run of a task (§3). Times are null until they are known. */
export const run = z.object({
  id,
  task_id: id,
  accepted_at: moment,
  duration_ms: z.number().min(0).max(farthest),
  /** Polls of the task after which the run ends; null: it ends by time. */
  polls: z.int().min(1).nullable(),
  /** The outcome that was requested; null: drawn when the run starts. */
  destined: outcome.nullable(),
  reserve: ledgerEntry,
  started_at: moment.nullable(),
  /** Null also as long as polls decide. */
  ends_at: moment.nullable(),
  outcome: outcome.nullable(),
  /** True once the end is past and its effects have happened. */
  ended: z.boolean(),
  /** Polls of the task since the run started. */
  looks: z.int().min(0),
})
export type Run = Row<
  typeof run,
  'duration_ms' | 'polls' | 'destined' | 'started_at' | 'ends_at' | 'outcome' | 'ended' | 'looks'
>

/** §2 Task, with its latest run, from which the status is derived. */
export const task = z.object({
  id,
  text,
  description: nullableText,
  scheduled_at: moment.nullable(),
  created_at: moment,
  run: run.nullable(),
})
export type Task = Row<typeof task, 'run'>

/** §2 API key. The secret is what a client sends; only the response of createKey contains it. */
export const key = z.object({
  id,
  name: text,
  secret: z.string().min(1),
  created_at: moment,
  last_used_at: moment.nullable(),
  deleted: z.boolean(),
})
export type Key = Row<typeof key, 'last_used_at' | 'deleted'>

/** §2 Document. */
export const document = z.object({
  id,
  title: text,
  kind: nullableText,
  content_md: nullableText,
  summary: nullableText,
  folder_id: nullableText,
  created_at: moment,
})
export type Document = Row<typeof document>

/** §2 Notification. */
export const notification = z.object({
  id,
  type: text,
  title: text,
  body: text,
  task_id: nullableText,
  created_at: moment,
  read: z.boolean(),
})
export type Notification = Row<typeof notification, 'read'>

/** §2 Prospect. */
export const prospect = z.object({
  id,
  name: text,
  email: text,
  phone: nullableText,
  created_at: moment,
  campaign: nullableText,
})
export type Prospect = Row<typeof prospect>

/** A generated creative, and what it was generated from (§4 Extended route set). */
export const creative = z.object({
  id,
  prompt: text,
  width: amount.positive(),
  height: amount.positive(),
  hue: amount,
  created_at: moment,
})
export type Creative = Row<typeof creative>

/** §2 Landing page site. */
export const landingPage = z.object({
  id,
  business_name: text,
  subdomain: text,
  page_type: text,
  spec: z.unknown(),
  strategy: z.unknown(),
  version: amount,
  published: z.boolean(),
  created_at: moment,
})
export type LandingPage = Row<typeof landingPage>

/** A campaign of the connected ad account. */
export const campaign = z.object({
  id,
  name: text,
  status: z.enum(['ACTIVE', 'PAUSED']),
  daily_budget: amount,
  created_at: moment,
})
export type Campaign = Row<typeof campaign>

/** Plan and money of the organization; read-only over the API (§1). */
export const account = z.object({ plan: text, balance: z.number(), currency: text, card_last4: text })
export type Account = Row<typeof account>
