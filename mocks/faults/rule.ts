/** Fault rules: what to do to which requests and how often. Each rule counts its matches and effects. */

import { z } from 'zod'
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import type { ChangeHistory } from '../core/changes.ts'
import { createRandom } from '../core/random.ts'
import { createFailFastListSchema, createFailFastRecordSchema, randomStateSchema } from '../core/resources.ts'
import { type DelayFault, type Fault, faultCanAffect, faultText } from './fault.ts'
import { parseDelay, parseFault } from './words.ts'

/** A fault rule as a user defines it, without counts of its uses. */
export interface FaultRuleDraft {
  /** Undefined: the next number. */
  readonly id?: string | undefined
  /** Undefined: every operation. */
  readonly operation?: OperationId | undefined
  /** Undefined: every organization, each counted separately. */
  readonly org_id?: string | undefined
  /** Faults in the order in which they apply. */
  readonly faults: readonly Fault[]
  /** The number of applications, per organization; if undefined, a list runs once, and a single fault without limit. */
  readonly times?: number | undefined
  /** Share of requests affected, 0 to 1; undefined: all. */
  readonly rate?: number | undefined
  /** Number of requests to skip first. */
  readonly after?: number | undefined
  /** Seed of `rate`; undefined: that of the mock. */
  readonly seed?: string | undefined
  /** Only requests that cost at least so many credits; undefined: all. */
  readonly cost?: number | undefined
  /** Maximum number of consecutive faults on one operation of an organization. */
  readonly mostInARow?: number | undefined
  /** The delay before each fault; undefined if none. */
  readonly delay?: DelayFault | undefined
}

/** Schema of a fault rule, with the counts of its uses, in answers of control routes. */
export const faultRuleWithCountsSchema = z.object({
  id: z.string(),
  text: z.string().describe('The rule as text, in the grammar of `--fault`.'),
  operation: z.enum(operationIds).nullable().describe('Null: every operation.'),
  org_id: z.string().nullable().describe('Null: every organization, each counted separately.'),
  faults: z.array(z.string()),
  times: z.int().nullable().describe('Null: unlimited.'),
  rate: z.number(),
  after: z.int(),
  matched: z.int().describe('Number of requests that the rule matched.'),
  fired: z.int().describe('Number of requests that the rule affected.'),
  remaining: z.int().nullable().describe('Remaining applications; null: unlimited.'),
})
/** A fault rule with the counts of its uses so far, for one organization or for all, as control routes return it. */
export type FaultRuleWithCounts = Readonly<z.output<typeof faultRuleWithCountsSchema>>

/** A fault rule of a running mock, with the counts of its uses. */
export type FaultRule = ReturnType<typeof createFaultRule>

/** A fault rule that applies to an organization, with the count of its uses there. */
export interface AppliedRule {
  readonly rule: FaultRule
  readonly count: RuleCountState
}

/**
 * Creates a fault rule. `usualSeed`: its seed if the draft names none; `first`: true for a rule that the mock starts
 * with.
 */
export function createFaultRule(id: string, draft: FaultRuleDraft, usualSeed: string, first: boolean) {
  const { faults, rate, after = 0, seed = usualSeed, cost, mostInARow } = draft
  const times = draft.times ?? (faults.length > 1 ? faults.length : Number.POSITIVE_INFINITY)
  /** Counts by organization: rows whose changes are recorded. */
  const counts = new Map<string, RuleCountState>()
  /** The rule itself, without its counts. */
  const state: RuleState = {
    ...{ id, operation: draft.operation ?? null, faults: faults.map(faultText), times: finite(times) },
    ...{ rate: rate ?? null, after, seed, most_in_a_row: mostInARow ?? null },
    ...(cost !== undefined && { cost }),
    ...(draft.delay && { delay: delayText(draft.delay) }),
  }

  function countFor(org_id: string): RuleCountState {
    const known = counts.get(org_id)
    if (known) return known
    const chance = createRandom(seed, 'fault', id, org_id).dump()
    const created = { matched: 0, used: 0, fired: 0, in_a_row: {}, chance }
    counts.set(org_id, created)
    return created
  }

  function fires(count: RuleCountState, operation: OperationId): boolean {
    if (rate === undefined && mostInARow === undefined) return true
    const row = count.in_a_row[operation] ?? 0
    const random = createRandom()
    random.restore(count.chance)
    const spared = random.fraction() >= (rate ?? 1) || (mostInARow !== undefined && row >= mostInARow)
    count.in_a_row = { ...count.in_a_row, [operation]: spared ? 0 : row + 1 }
    count.chance = random.dump()
    return !spared
  }

  return {
    ...{ id, first, counts, countFor, state },
    /**
     * Returns what this rule does to a request (no faults: the request passes) and why, and counts it as a change of
     * the organization to which `count` belongs; undefined: the rule does not match.
     */
    match(operation: OperationId, count: RuleCountState, changes?: ChangeHistory) {
      if (draft.operation !== undefined && draft.operation !== operation) return undefined
      if (cost !== undefined && routeOf(operation).cost < cost) return undefined
      const fault = faults[count.used % faults.length]
      if (!fault || !faultCanAffect(operation, fault)) return undefined
      changes?.change('rules', count, count)
      count.matched++
      if (count.matched <= after || count.used >= times || !fires(count, operation)) return undefined
      count.used++
      if (fault.kind !== 'ok') count.fired++
      const left = finite(times - count.used)
      const remaining = left === null ? '' : `; remaining=${left}`
      const all = draft.delay ? [draft.delay, fault] : [fault]
      const reason = `rule=${id}; fault=${all.map(faultText).join(', ')}${remaining}`
      return { faults: fault.kind === 'ok' ? [] : all, reason }
    },
    /**
     * Returns the rule with its counts for one organization, or for all. `mockSeed`: the seed of rules that name none.
     */
    report(mockSeed: string, org_id?: string): FaultRuleWithCounts {
      const own = [...counts].flatMap(([id, count]) => ((org_id ?? id) === id ? count : []))
      const sum = (of: 'matched' | 'fired') => own.reduce((total, count) => total + count[of], 0)
      const used = Math.max(0, ...own.map((count) => count.used))
      const text = faultRuleTextOf({ ...draft, seed: rate === undefined ? draft.seed : seed }, mockSeed)
      const { operation, faults, times: most } = state
      return {
        ...{ id, text, operation, org_id: draft.org_id ?? null, faults, times: most, rate: rate ?? 1, after },
        ...{ matched: sum('matched'), fired: sum('fired'), remaining: finite(Math.max(0, times - used)) },
      }
    },
  }
}

/** Writes a fault rule as text that parses to the same rule. `seed`: the default seed, which the text leaves out. */
export function faultRuleTextOf(draft: FaultRuleDraft, seed: string): string {
  const { operation, faults, times, rate, after, cost, mostInARow, delay, id } = draft
  const usual = faults.length > 1 ? faults.length : Number.POSITIVE_INFINITY
  const settings = {
    times: times === usual ? undefined : times === Number.POSITIVE_INFINITY ? 'unlimited' : times,
    rate: rate === 1 ? undefined : rate,
    after: after || undefined,
    seed: draft.seed === seed ? undefined : draft.seed,
    cost,
    'in-a-row': mostInARow,
    delay: delay && delayText(delay),
    id: /^f(_.*_)?\d+$/.test(id ?? '') ? undefined : id,
  }
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  const words = [faults.map(faultText).join(','), ...given.map((setting) => setting.join('='))]
  return `${operation ? `${operation}=` : ''}${words.join(';')}`
}

const delayText = (delay: DelayFault) => faultText(delay).slice('delay '.length)

const finite = (n: number) => (Number.isFinite(n) ? n : null)

/**
 * Reads a fault rule of a state file, which holds its faults as words; words that no longer mean a fault are dropped.
 */
export function ruleDraftOfState({
  operation,
  faults,
  times,
  rate,
  most_in_a_row,
  delay,
  ...same
}: RuleState): FaultRuleDraft {
  return {
    ...same,
    operation: operation ?? undefined,
    faults: faults.flatMap((word) => parseFault(word) ?? []),
    times: times ?? Number.POSITIVE_INFINITY,
    rate: rate ?? undefined,
    mostInARow: most_in_a_row ?? undefined,
    delay: parseDelay(delay ?? ''),
  }
}

/** Schema of the id of a fault rule, which is written in a header and in `;id=TEXT`. */
export const ruleIdSchema = z
  .string()
  .max(1_000, 'takes at most 1000 characters')
  .regex(/^[!-:<-~]([ -:<-~]*[!-:<-~])?$/, 'takes printable ASCII without ; and without spaces around it')

const operation = z.enum(operationIds)
const number = z.int().min(0)

const rule = z.object({
  id: ruleIdSchema,
  operation: operation.nullable(),
  /** Faults as text that parses back to the same. */
  faults: createFailFastListSchema(
    z.string().refine((word) => parseFault(word) !== undefined, 'is not a fault'),
  ).refine((list) => list.length > 0, 'is empty'),
  /** Null: unlimited. */
  times: number.nullable(),
  rate: z.number().min(0).max(1).nullable(),
  after: number,
  seed: z.string(),
  most_in_a_row: number.nullable(),
  /** Absent: any cost. */
  cost: number.optional(),
  /** Absent: none. */
  delay: z.string().optional(),
})

const count = z.object({
  matched: number,
  /** List entries used, `ok` included. */
  used: number,
  fired: number,
  in_a_row: createFailFastRecordSchema(operation, number),
  chance: randomStateSchema,
})

/** Schema of all fault rules of a mock in a state file. */
export const savedFaultRulesSchema = z.object({
  added: number,
  /** `first`: true for an initial rule for all organizations. */
  rules: createFailFastListSchema(rule.extend({ first: z.boolean() })),
})

/** Schema of the fault rules of one organization in a state file. */
export const savedOrganizationFaultRulesSchema = z.object({
  /** True if the initial rules for all organizations do not apply to it. */
  apart: z.boolean(),
  added: number,
  rules: createFailFastListSchema(rule),
  /** Counts by the ids of rules. */
  counts: createFailFastRecordSchema(z.string(), count),
  /** Ids of rules for all organizations that do not apply to it; `all`: none that exist when it is restored apply. */
  without: z.union([z.literal('all'), createFailFastListSchema(z.string())]).optional(),
})

type RuleState = z.output<typeof rule>
/** The numbers of times that a rule matched and fired, as a state file keeps them. */
type RuleCountState = z.output<typeof count>
/** All fault rules of a mock, as a state file keeps them. */
export type SavedFaultRules = z.output<typeof savedFaultRulesSchema>
/** Fault rules of one organization, as a state file keeps them. */
export type SavedOrganizationFaultRules = z.output<typeof savedOrganizationFaultRulesSchema>
