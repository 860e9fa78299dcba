/** One organization as a snapshot holds it: all that it is, and where each of its streams of chance is. */
import { z } from 'zod'
import { operationIds } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import * as rows from './state-rows.ts'

/** Where a stream of chance is. */
export const chance = z.tuple([z.int(), z.int(), z.int(), z.int()])

/** A clock that is its own. */
export const clock = z.object({ now: z.number().min(-8.64e15).max(8.64e15), frozen: z.boolean() })

const rateLimit = z.object({ limit: z.int().min(0), window_ms: z.number().positive() })

const progress = z.union([z.enum(['time', 'immediate']), z.object({ polls: z.int().min(1) })])

const rowsById = {
  keys: z.array(rows.key),
  tasks: z.array(rows.task),
  documents: z.array(rows.document),
  notifications: z.array(rows.notification),
  prospects: z.array(rows.prospect),
  creatives: z.array(rows.creative),
  landing_pages: z.array(rows.landingPage),
  campaigns: z.array(rows.campaign),
}

const resources = Object.keys(rowsById) as (keyof typeof rowsById)[]

export const organization = z
  .object({
    id: z.string().min(1),
    name: z.string(),
    variants: z.partialRecord(z.enum(operationIds), z.enum([...variants, 'both'])),
    account: rows.account,
    policy: z.object({
      duration_ms: z.number().min(0),
      failure_rate: z.number().min(0).max(1),
      progress,
    }),
    /** Null: it follows the mock's. */
    clock: clock.nullable(),
    arranged: z.object({
      next_run_fails: z.boolean(),
      next_creative_fails: z.boolean(),
      unavailable: z.boolean(),
      rate_limit: rateLimit.nullable(),
      top_up: z.object({ at: rows.moment, credits: z.number() }).nullable(),
    }),
    /** Open windows of the rate limit, by credential. */
    windows: z.record(z.string(), z.object({ opened: z.number(), used: z.int().min(0) })),
    ledger: z.array(rows.ledgerEntry),
    ...rowsById,
    /** The tasks whose runs are going, and waiting, in turn. */
    agent: z.object({
      active: z.string().nullable(),
      waiting: z.array(z.string()),
      free_since: z.number().nullable(),
      other_work_until: z.number().nullable(),
    }),
    chance: z.object({ ids: chance, outcomes: chance, delays: chance }),
  })
  .superRefine((org, context) => {
    for (const resource of resources) {
      const ids = new Set(org[resource].map(({ id }) => id))
      if (ids.size < org[resource].length)
        context.addIssue({ code: 'custom', path: [resource], message: 'holds an id twice' })
    }
    const going = new Set(org.tasks.flatMap(({ id, run }) => (run && !run.ended ? [id] : [])))
    const { active, waiting } = org.agent
    for (const task of [...(active === null ? [] : [active]), ...waiting]) {
      if (!going.delete(task))
        context.addIssue({ code: 'custom', path: ['agent'], message: `no run of task "${task}" is going` })
    }
    for (const task of going)
      context.addIssue({ code: 'custom', path: ['agent'], message: `the run of task "${task}" is missing` })
  })

export type OrganizationState = z.output<typeof organization>
