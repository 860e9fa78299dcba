/** One organization as data: everything it is, and the position of each of its random streams. */
import { z } from 'zod'
import { operationIds } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import * as rows from './resources.ts'

/** A list that is read up to its first invalid item: of millions, each would be described otherwise. */
export function listOf<S extends z.ZodType>(item: S) {
  return z.array(z.unknown()).transform((list, context): z.output<S>[] => {
    const read: z.output<S>[] = []
    for (const [i, one] of list.entries()) {
      const result = item.safeParse(one)
      if (!result.success) return refuse(context, i, result.error)
      read.push(result.data)
    }
    return read
  })
}

/** Names from a list need not all be there; of any other name, what is there has a value. */
type RecordOf<K extends string, V> = string extends K ? Record<string, V> : Partial<Record<K, V>>

/** A record that is read up to its first invalid entry. */
export function recordOf<K extends z.ZodType<string>, S extends z.ZodType>(key: K, value: S) {
  return z
    .record(z.string(), z.unknown())
    .transform((record, context): RecordOf<z.output<K>, z.output<S>> => {
      const read: [string, z.output<S>][] = []
      for (const [name, one] of Object.entries(record)) {
        const [known, result] = [key.safeParse(name), value.safeParse(one)]
        if (!known.success) return refuse(context, name, known.error)
        if (!result.success) return refuse(context, name, result.error)
        read.push([name, result.data])
      }
      return Object.fromEntries(read) as RecordOf<z.output<K>, z.output<S>>
    })
}

function refuse(context: z.RefinementCtx, at: string | number, error: z.ZodError): never {
  const [issue] = error.issues
  context.addIssue({
    code: 'custom',
    message: issue?.message ?? 'is invalid',
    path: [at, ...(issue?.path ?? [])],
  })
  return z.NEVER
}

export const randomState = z.tuple([z.int(), z.int(), z.int(), z.int()])
export type RandomState = z.output<typeof randomState>

/** A clock that follows no other. */
export const clock = z.object({ now: rows.moment, frozen: z.boolean() })
export type ClockState = Readonly<z.output<typeof clock>>

/** A rate limit per credential (§8.1): requests per window of `window_ms`. */
const rateLimit = z.object({ limit: z.int().min(0), window_ms: z.number().positive().max(rows.farthest) })
export type RateLimit = Readonly<z.output<typeof rateLimit>>

/** An open window of a limit: when it opened, and how many requests passed. */
const window = z.object({ opened: rows.moment, used: z.int().min(0) })
export type RateWindow = z.output<typeof window>

/** How a run ends: after its duration, immediately, or after a number of polls of its task. */
const progress = z.union([z.enum(['time', 'immediate']), z.object({ polls: z.int().min(1) })])

/** How runs go unless a provider state says otherwise. */
const policy = z.object({
  /** Length of a run, ms. */
  duration_ms: z.number().min(0).max(rows.farthest),
  /** Share of runs that fail, 0 to 1. */
  failure_rate: z.number().min(0).max(1),
  progress,
})
export type RunPolicy = Readonly<z.output<typeof policy>>

const name = z.string().optional()

/** What is known in advance, from a recording: the ids of what will be created, and how runs will end. */
const foretold = z.object({
  tasks: listOf(z.object({ id: rows.id, text: z.string() })),
  runs: listOf(
    z.object({
      id: rows.id.optional(),
      task_id: rows.id,
      outcome: z.enum(['completed', 'failed']),
      /** From its request until its end, ms. */
      takes_ms: z.number().min(0).max(rows.farthest),
    }),
  ),
  documents: listOf(z.object({ id: rows.id, title: z.string() })),
  keys: listOf(z.object({ id: rows.id, name, secret: name })),
  notifications: listOf(z.object({ id: rows.id, task_id: name, type: name, title: name, body: name })),
  creatives: listOf(z.object({ id: rows.id })),
  landing_pages: listOf(z.object({ id: rows.id, subdomain: name })),
})
export type Foretold = z.output<typeof foretold>

const taskStatus = z.enum(['pending', 'queued', 'in_progress', 'completed', 'failed'])
export type TaskStatus = z.output<typeof taskStatus>

const overrides = z.object({
  next_run_fails: z.boolean(),
  next_creative_fails: z.boolean(),
  unavailable: z.boolean(),
  rate_limit: rateLimit.nullable(),
  /** The variant of responses; null: that of the settings. */
  variant: z.enum(variants).nullable().default(null),
  /** Whether the extended route set is offered; null: as the settings say. */
  extended: z.boolean().nullable().default(null),
  /** When credits will be added, and how many; null: none will. */
  top_up: z.object({ at: rows.moment, credits: z.number().min(0).max(1e15) }).nullable(),
  /** The words of the service for the statuses of tasks; absent: those of the mock. */
  status_words: z.partialRecord(taskStatus, z.string()).optional(),
  /** Absent: nothing is known in advance. */
  foretold: foretold.optional(),
})
export type StateOverrides = z.output<typeof overrides>

export const noOverrides: Readonly<StateOverrides> = {
  next_run_fails: false,
  next_creative_fails: false,
  unavailable: false,
  rate_limit: null,
  variant: null,
  extended: null,
  top_up: null,
}

/** What the agent is doing, by the ids of the tasks whose runs they are. */
const agent = z.object({
  active: z.string().nullable(),
  waiting: listOf(z.string()),
  free_since: rows.moment.nullable(),
  other_work_until: rows.moment.nullable(),
})
export type AgentState = Readonly<z.output<typeof agent>>

const rowsByResource = {
  keys: listOf(rows.key),
  tasks: listOf(rows.task),
  documents: listOf(rows.document),
  notifications: listOf(rows.notification),
  prospects: listOf(rows.prospect),
  creatives: listOf(rows.creative),
  landing_pages: listOf(rows.landingPage),
  campaigns: listOf(rows.campaign),
}

const resources = Object.keys(rowsByResource) as (keyof typeof rowsByResource)[]

/** The whole state of an organization, as a snapshot contains it. */
export const organization = z
  .object({
    id: rows.id,
    name: z.string(),
    variants: recordOf(z.enum(operationIds), z.enum([...variants, 'both'])),
    account: rows.account,
    policy,
    /** Null: it follows the clock of the mock. */
    clock: clock.nullable(),
    arranged: overrides,
    /** Open windows of the rate limit, by credential. */
    windows: recordOf(z.string(), window),
    ledger: listOf(rows.ledgerEntry),
    ...rowsByResource,
    agent,
    chance: z.object({ ids: randomState, outcomes: randomState, delays: randomState }),
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

export type OrganizationState = z.output<typeof organization>
