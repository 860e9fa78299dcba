/** One organization as data: everything it is, and the position of each of its random streams. */
import { z } from 'zod'
import { operationIds } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import * as rows from './resources.ts'

/** The position of a random stream. */
export const randomState = z.tuple([z.int(), z.int(), z.int(), z.int()])
export type RandomState = z.output<typeof randomState>

/** A clock that follows no other. */
export const clock = z.object({ now: z.number().min(-8.64e15).max(8.64e15), frozen: z.boolean() })
export type ClockState = Readonly<z.output<typeof clock>>

/** A rate limit per credential (§8.1): requests per window of `window_ms`. */
const rateLimit = z.object({ limit: z.int().min(0), window_ms: z.number().positive() })
export type RateLimit = Readonly<z.output<typeof rateLimit>>

/** An open window of a limit: when it opened, and how many requests passed. */
const window = z.object({ opened: z.number(), used: z.int().min(0) })
export type RateWindow = z.output<typeof window>

/** How a run ends: after its duration, immediately, or after a number of polls of its task. */
const progress = z.union([z.enum(['time', 'immediate']), z.object({ polls: z.int().min(1) })])
export type Progress = Readonly<z.output<typeof progress>>

/** How runs go unless a provider state says otherwise. */
const policy = z.object({
  /** Length of a run, ms. */
  duration_ms: z.number().min(0),
  /** Share of runs that fail, 0 to 1. */
  failure_rate: z.number().min(0).max(1),
  progress,
})
export type RunPolicy = Readonly<z.output<typeof policy>>

/** What provider states have set. */
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
  top_up: z.object({ at: rows.moment, credits: z.number() }).nullable(),
})
export type StateOverrides = z.output<typeof overrides>

/** Nothing is set. */
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
  waiting: z.array(z.string()),
  free_since: z.number().nullable(),
  other_work_until: z.number().nullable(),
})
export type AgentState = Readonly<z.output<typeof agent>>

const rowsByResource = {
  keys: z.array(rows.key),
  tasks: z.array(rows.task),
  documents: z.array(rows.document),
  notifications: z.array(rows.notification),
  prospects: z.array(rows.prospect),
  creatives: z.array(rows.creative),
  landing_pages: z.array(rows.landingPage),
  campaigns: z.array(rows.campaign),
}

const resources = Object.keys(rowsByResource) as (keyof typeof rowsByResource)[]

/** The whole state of an organization, as a snapshot contains it. */
export const organization = z
  .object({
    id: z.string().min(1),
    name: z.string(),
    variants: z.partialRecord(z.enum(operationIds), z.enum([...variants, 'both'])),
    account: rows.account,
    policy,
    /** Null: it follows the clock of the mock. */
    clock: clock.nullable(),
    arranged: overrides,
    /** Open windows of the rate limit, by credential. */
    windows: z.record(z.string(), window),
    ledger: z.array(rows.ledgerEntry),
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
