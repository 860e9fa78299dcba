/** One organization as data: one schema for the rows of the running mock and for snapshots. Times are ms since the epoch. */
import { z } from 'zod'
import { operationIds } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import { maxHttpDateMs, minHttpDateMs } from './clock.ts'

/** A row of which only the named fields change after it was appended. */
type Row<S extends z.ZodType, Changing extends keyof z.output<S> = never> = Readonly<
  Omit<z.output<S>, Changing>
> &
  Pick<z.output<S>, Changing>

/** The times that a Date can hold, ms since the epoch. */
const farthest = 8.64e15
/** A time, ms since the epoch. */
const moment = z.number().min(-farthest).max(farthest)
/** Schema of a duration, ms, short enough for its end to be a valid date. */
export const durationMsSchema = z
  .number()
  .min(0)
  .max(farthest - maxHttpDateMs)
/** Schema of the id of a resource: 1 to 1,000 characters, none of them a control character. */
export const resourceIdSchema = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,1000}$/u, 'is not an id')
/** Schema of a number within the range of credits; also of sizes and versions. */
export const boundedNumberSchema = z.number().min(-1e15).max(1e15)
const text = z.string()
const nullableText = text.nullable()

/** One change of the balance (§2, §8.2). */
const ledgerEntry = z.object({
  id: resourceIdSchema,
  kind: z.enum(['top_up', 'reserve', 'refund']),
  /** Credits; negative for a reserve, or if an operator takes credits away. */
  amount: boundedNumberSchema,
  at: moment,
  /** Purpose of the credit: the id of a run or an artifact; null for a top-up. */
  subject: nullableText,
  /** The request that caused it; null if there is none, as for the end of a run. */
  request_id: nullableText,
})
/** One change of the balance of an organization. */
export type LedgerEntry = Row<typeof ledgerEntry, 'request_id'>

const outcome = z.enum(['completed', 'failed'])
/** The outcome of a run: completed or failed. */
export type RunOutcome = z.output<typeof outcome>

/** One run of a task (§3). Times are null until they are known. */
const run = z.object({
  id: resourceIdSchema,
  task_id: resourceIdSchema,
  accepted_at: moment,
  duration_ms: durationMsSchema,
  /** Polls of the task after which the run ends; null: it ends by time. */
  polls: z.int().min(1).nullable(),
  /** The outcome that was requested; null: drawn when the run starts. */
  destined: outcome.nullable(),
  reserve: ledgerEntry,
  started_at: moment.nullable(),
  /** Null also while only polls decide when the run ends. */
  ends_at: moment.nullable(),
  outcome: outcome.nullable(),
  /** True once the end is past and its effects have happened. */
  ended: z.boolean(),
  /** Polls of the task since the run started. */
  looks: z.int().min(0),
})
/** A run of a task, with its times in ms since the epoch. */
export type Run = Row<
  typeof run,
  'duration_ms' | 'polls' | 'destined' | 'started_at' | 'ends_at' | 'outcome' | 'ended' | 'looks'
>

/** §2 Task, with its latest run, from which the status is derived. */
const task = z.object({
  id: resourceIdSchema,
  text,
  description: nullableText,
  scheduled_at: moment.nullable(),
  created_at: moment,
  run: run.nullable(),
})
/** A task of an organization, and its last run. */
export type Task = Row<typeof task, 'run'>

/** §2 API key. The secret is what a client sends; only the response of createKey contains it. */
const key = z.object({
  id: resourceIdSchema,
  name: text,
  secret: z.string().min(1),
  created_at: moment,
  last_used_at: moment.nullable(),
  deleted: z.boolean(),
})
/** An API key of an organization. */
export type Key = Row<typeof key, 'last_used_at' | 'deleted'>

/** §2 Document. */
const document = z.object({
  id: resourceIdSchema,
  title: text,
  kind: nullableText,
  content_md: nullableText,
  summary: nullableText,
  folder_id: nullableText,
  created_at: moment,
})
/** A document of an organization. */
export type Document = Row<typeof document>

/** §2 Notification. */
const notification = z.object({
  id: resourceIdSchema,
  type: text,
  title: text,
  body: text,
  task_id: nullableText,
  created_at: moment,
  read: z.boolean(),
})
/** A notification of an organization, read or not. */
export type Notification = Row<typeof notification, 'read'>

/** §2 Prospect. */
const prospect = z.object({
  id: resourceIdSchema,
  name: text,
  email: text,
  phone: nullableText,
  created_at: moment,
  campaign: nullableText,
})

/** A prospect of an organization (§2). */
export type Prospect = Row<typeof prospect>

/** A generated creative, and what it was generated from (§4 Extended route set). */
const creative = z.object({
  id: resourceIdSchema,
  prompt: text,
  width: boundedNumberSchema.positive(),
  height: boundedNumberSchema.positive(),
  hue: boundedNumberSchema,
  created_at: moment,
})

/** A generated creative of an organization, with the prompt that it was made from. */
export type Creative = Row<typeof creative>

/** Schema of a landing page (§2). */
export const landingPageSchema = z.object({
  id: resourceIdSchema,
  business_name: text,
  subdomain: text,
  page_type: text,
  spec: z.unknown(),
  strategy: z.unknown(),
  version: boundedNumberSchema,
  published: z.boolean(),
  created_at: moment,
})

/** A landing page of an organization (§2). */
export type LandingPage = Row<typeof landingPageSchema>

/** Schema of a campaign of the connected ad account. */
export const campaignSchema = z.object({
  id: resourceIdSchema,
  name: text,
  status: z.enum(['ACTIVE', 'PAUSED']),
  daily_budget: boundedNumberSchema,
  created_at: moment,
})

/** A campaign of the ad account of an organization. */
export type Campaign = Row<typeof campaignSchema>

/** Plan and money of the organization; read-only over the API (§1). */
const account = z.object({ plan: text, balance: z.number(), currency: text, card_last4: text })

/** The plan and the money of an organization. */
export type OrganizationAccount = Row<typeof account>

/**
 * Creates the schema of a list that stops at its first invalid item: describing millions of invalid items would take
 * too long.
 */
export const createFailFastListSchema = <S extends z.ZodType>(item: S) =>
  z.array(z.unknown()).transform((list, context) => readEach(list.entries(), item, context))

/** Keys from a closed list may be absent; of open keys, each one that is present has a value. */
type RecordOf<K extends string, V> = string extends K ? Record<string, V> : Partial<Record<K, V>>

/** Creates the schema of a record that stops at its first invalid entry. */
export const createFailFastRecordSchema = <K extends z.ZodType<string>, S extends z.ZodType>(
  key: K,
  value: S,
) =>
  z.record(z.string(), z.unknown()).transform((record, context) => {
    const entries = Object.entries(record)
    const names = entries.map(([name]) => [name, name] as const)
    const known = readEach(names, key, context)
    const values = readEach(entries, value, context)
    return Object.fromEntries(known.map((name, i) => [name, values[i]])) as RecordOf<z.output<K>, z.output<S>>
  })

/** Parses the value at each place, up to the first that is invalid. */
function readEach<S extends z.ZodType>(
  places: Iterable<readonly [at: string | number, unknown]>,
  schema: S,
  context: z.RefinementCtx,
): z.output<S>[] {
  const read: z.output<S>[] = []
  for (const [at, one] of places) {
    const { success, data, error } = schema.safeParse(one)
    if (success) read.push(data)
    else {
      const [issue] = error.issues
      const message = issue?.message ?? 'is invalid'
      context.addIssue({ code: 'custom', message, path: [at, ...(issue?.path ?? [])] })
      break
    }
  }
  return read
}

/** Schema of the state of a random generator: four integers. */
export const randomStateSchema = z.tuple([z.int(), z.int(), z.int(), z.int()])

/** The state of a random generator: four integers. */
export type RandomState = z.output<typeof randomStateSchema>

/** Schema of the state of a clock that follows no other. */
export const clockStateSchema = z.object({
  now: z.number().min(minHttpDateMs).max(maxHttpDateMs),
  frozen: z.boolean(),
})

/** A rate limit per credential (§8.1): requests per window of `window_ms`. */
const rateLimit = z.object({ limit: z.int().min(0), window_ms: durationMsSchema.positive() })

/** A limit on requests per window of `window_ms`, for each credential (§8.1). */
export type RateLimit = Readonly<z.output<typeof rateLimit>>

/** An open window of a limit: when it opened, and how many requests passed. */
const window = z.object({ opened: moment, used: z.int().min(0) })

/** An open window of a rate limit: when it opened, ms since the epoch, and how many requests it has let pass. */
export type RateLimitWindow = z.output<typeof window>

/** The end of a run: after its duration, immediately, or after a number of polls of its task. */
const progress = z.union([z.enum(['time', 'immediate']), z.object({ polls: z.int().min(1) })])

/** The rules for runs, unless a provider state says otherwise. */
const policy = z.object({
  duration_ms: durationMsSchema,
  /** Share of runs that fail, 0 to 1. */
  failure_rate: z.number().min(0).max(1),
  progress,
})

/** The usual behaviour of an organization's runs, such as how long they take; provider states can override it. */
export type RunPolicy = Readonly<z.output<typeof policy>>

const name = z.string().optional()

/** Future of the organization, known from a recording: the ids of what will be created, and how runs will end. */
const foretold = z.object({
  tasks: createFailFastListSchema(z.object({ id: resourceIdSchema, text: z.string() })),
  runs: createFailFastListSchema(
    z.object({
      id: resourceIdSchema.optional(),
      task_id: resourceIdSchema,
      outcome: z.enum(['completed', 'failed']),
      /** From the request of the run until its end, ms. */
      takes_ms: durationMsSchema,
    }),
  ),
  documents: createFailFastListSchema(z.object({ id: resourceIdSchema, title: z.string() })),
  keys: createFailFastListSchema(z.object({ id: resourceIdSchema, name, secret: name })),
  notifications: createFailFastListSchema(
    z.object({ id: resourceIdSchema, task_id: name, type: name, title: name, body: name }),
  ),
  creatives: createFailFastListSchema(z.object({ id: resourceIdSchema })),
  landing_pages: createFailFastListSchema(z.object({ id: resourceIdSchema, subdomain: name })),
})

/**
 * Predictions for an organization, taken from a recording: the ids of what will be created, and the outcomes and
 * lengths of runs.
 */
export type PredictedIdsAndRuns = z.output<typeof foretold>

/** Schema of the status of a task. */
export const taskStatusSchema = z.enum(['pending', 'queued', 'in_progress', 'completed', 'failed'])

/** The status of a task. */
export type TaskStatus = z.output<typeof taskStatusSchema>

const overrides = z.object({
  next_run_fails: z.boolean(),
  next_creative_fails: z.boolean(),
  unavailable: z.boolean(),
  rate_limit: rateLimit.nullable(),
  /** The operation whose next answer is lost; null if there is none. */
  answer_lost: z.enum(operationIds).nullable().default(null),
  /** The variant of responses; null: that of the settings. */
  variant: z.enum(variants).nullable().default(null),
  /** True if the extended route set is offered; null: as the settings say. */
  extended: z.boolean().nullable().default(null),
  /** The time when credits will be added, and how many; null if none will. */
  top_up: z.object({ at: moment, credits: z.number().min(0).max(1e15) }).nullable(),
  /** The words of the service for the statuses of tasks; absent: those of the mock. */
  status_words: z.partialRecord(taskStatusSchema, z.string()).optional(),
  /** The predictions of a recording; absent if there are none. */
  foretold: foretold.optional(),
})

/** Changes of behaviour that provider states have set up for an organization, such as that its next run fails. */
export type ProviderStateOverrides = z.output<typeof overrides>

/** The value of `ProviderStateOverrides` while no provider state is set up. */
export const noProviderStateOverrides: Readonly<ProviderStateOverrides> = {
  next_run_fails: false,
  next_creative_fails: false,
  unavailable: false,
  rate_limit: null,
  answer_lost: null,
  variant: null,
  extended: null,
  top_up: null,
}

/** The runs of the agent, each by the id of its task. */
const agent = z.object({
  active: z.string().nullable(),
  waiting: createFailFastListSchema(z.string()),
  free_since: moment.nullable(),
  other_work_until: moment.nullable(),
})

/** The state of the agent of an organization: the run that it executes, and those that wait. */
export type AgentState = Readonly<z.output<typeof agent>>

const rowsByResource = {
  keys: createFailFastListSchema(key),
  tasks: createFailFastListSchema(task),
  documents: createFailFastListSchema(document),
  notifications: createFailFastListSchema(notification),
  prospects: createFailFastListSchema(prospect),
  creatives: createFailFastListSchema(creative),
  landing_pages: createFailFastListSchema(landingPageSchema),
  campaigns: createFailFastListSchema(campaignSchema),
}

const resources = Object.keys(rowsByResource) as (keyof typeof rowsByResource)[]

/** Schema of the whole state of an organization, as a snapshot contains it. */
export const organizationSnapshotSchema = z
  .object({
    id: resourceIdSchema,
    name: z.string(),
    variants: createFailFastRecordSchema(z.enum(operationIds), z.enum([...variants, 'both'])),
    account: account,
    policy,
    /** Null: it follows the clock of the mock. */
    clock: clockStateSchema.nullable(),
    arranged: overrides,
    /** Open windows of the rate limit, by credential. */
    windows: createFailFastRecordSchema(z.string(), window),
    ledger: createFailFastListSchema(ledgerEntry),
    ...rowsByResource,
    agent,
    chance: z.object({ ids: randomStateSchema, outcomes: randomStateSchema, delays: randomStateSchema }),
  })
  .superRefine((org, context) => {
    for (const resource of resources) {
      const ids = new Set(org[resource].map(({ id }) => id))
      if (ids.size < org[resource].length)
        context.addIssue({ code: 'custom', path: [resource], message: 'contains an id twice' })
    }
    const unfinished = new Set(org.tasks.flatMap(({ id, run }) => (run && !run.ended ? [id] : [])))
    const { active, waiting } = org.agent
    const problem = (message: string) => context.addIssue({ code: 'custom', path: ['agent'], message })
    for (const task of [...(active === null ? [] : [active]), ...waiting])
      if (!unfinished.delete(task)) problem(`task "${task}" has no unfinished run`)
    for (const task of unfinished) problem(`the run of task "${task}" is missing`)
  })

/** The whole state of an organization, as a snapshot contains it. */
export type OrganizationState = z.output<typeof organizationSnapshotSchema>
