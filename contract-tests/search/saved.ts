/** A found history as a file, to be tried again on any service. */
import { z } from 'zod'
import { problemOf } from '#contract/input/checked.ts'
import { operationIds } from '#contract/operation.ts'
import { stateNames } from '../harness/terms.ts'
import type { Finding } from './findings.ts'
import type { Step } from './step.ts'

const at = z.int()
const tenant = z.enum(['main', 'other'])
const made = z.strictObject({ made: at })
const listed = z.strictObject({ listed: at, nth: z.int().min(0), unread: z.boolean() })
const ref = z.union([made, listed])
const fields = z.record(z.string(), z.unknown())

const call = z.strictObject({
  kind: z.literal('call'),
  at,
  tenant,
  as: z.union([z.enum(['key', 'session', 'none', 'invalid']), made]),
  operation: z.enum(operationIds),
  of: z.union([ref, z.string()]).optional(),
  query: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
})

const step = z.discriminatedUnion('kind', [
  call,
  z.strictObject({ kind: z.literal('burst'), at, calls: z.array(call) }),
  z.strictObject({ kind: z.literal('end'), at, tenant, of: ref }),
  z.strictObject({ kind: z.literal('state'), at, tenant, state: z.enum(stateNames), params: fields }),
  z.strictObject({ kind: z.literal('wait'), at, ms: z.number().min(0).max(600_000) }),
])

const saved = z.strictObject({
  requirement: z.string(),
  /** What it showed: for people, and not read again. */
  expected: z.string().optional(),
  actual: z.string().optional(),
  before: z.array(z.string()).optional(),
  before_steps: z.array(z.array(z.string())).optional(),
  /** How it was seen; absent: replays showed it. */
  how: z.enum(['replayed', 'read again', 'once', 'untried', 'suspected']).optional(),
  /** It showed only where something was before that is not in the steps. */
  is_here: z.boolean().optional(),
  /** The day on which it showed no more. */
  fixed: z.iso.date().optional(),
  steps: z.array(step).min(1),
})

/** A history and the requirement that it showed to be violated. */
export interface SavedHistory {
  readonly requirement: string
  readonly steps: readonly Step[]
  readonly how?: Finding['how'] | undefined
  readonly is_here?: boolean | undefined
  readonly fixed?: string | undefined
}

/** The file of a finding. Steps hold no secret: credentials are named. */
export function saveFinding({ violation, how, isHere, before, before_steps, steps }: Finding): string {
  const { requirement, expected, actual } = violation
  return `${JSON.stringify({ requirement, expected, actual, how, is_here: isHere || undefined, before, before_steps, steps }, null, 2)}\n`
}

/** Reads a file. @throws Error that says what is wrong with it. */
export function readSaved(json: unknown): SavedHistory {
  const read = saved.safeParse(json)
  if (read.success) return read.data as SavedHistory
  throw new Error(problemOf(read.error.issues, 'the file'))
}
