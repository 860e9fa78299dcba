/** Values of options as people write them, each read into what the mock uses, or refused with what to write instead. */
import { z } from 'zod'
import { milliseconds } from '../core/duration.ts'
import { parseForce } from '../faults/force.ts'
import { parseRule } from '../faults/grammar.ts'
import { parseInstruction } from '../faults/instruction.ts'
import type { RuleDraft } from '../faults/rule.ts'

/** Builds a schema that turns what a person writes into what the mock uses, or says what to write. */
function written<In extends z.ZodType, Out>(
  input: In,
  advice: string,
  read: (value: z.output<In>) => Out | undefined,
) {
  return input.transform((value, context): Out => {
    const out = read(value)
    if (out !== undefined) return out
    context.addIssue({ code: 'custom', message: advice })
    return z.NEVER
  })
}

const text = z.string()
export const textOrNumber = z.union([z.string(), z.number()])

export const number = (advice: string, accept: (n: number) => boolean) =>
  written(textOrNumber, advice, (value) => {
    const n = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
    return accept(n) ? n : undefined
  })

export const duration = written(textOrNumber, 'takes a duration such as 2s or 150ms', milliseconds)

const year = 8_760 * 3_600_000

export const rateLimit = written(
  text,
  'takes N/Ws, such as 600/60s, or off; the window is a year at most',
  (value) => {
    if (value === 'off') return 'off' as const
    const [, limit, span] = /^(\d+)\/(.+)$/.exec(value) ?? []
    const window_ms = milliseconds(span ?? '')
    return limit && window_ms && window_ms <= year ? { limit: Number(limit), window_ms } : undefined
  },
)

export const topUp = written(
  text,
  'takes N/Ws, such as 5/10s: credits, and how long after a refusal',
  (value) => {
    const [, credits, delay] = /^(\d+(?:\.\d+)?)\/(.+)$/.exec(value) ?? []
    const after_ms = milliseconds(delay ?? '')
    return credits !== undefined && after_ms !== undefined
      ? { credits: Number(credits), after_ms }
      : undefined
  },
)

export const past = written(textOrNumber, 'takes seeded, none, or a number of finished tasks', (value) => {
  if (value === 'seeded' || value === 'none') return value
  const tasks = value === '' ? Number.NaN : Number(value)
  return Number.isInteger(tasks) && tasks >= 0 && tasks <= 100_000 ? tasks : undefined
})

export const strictClient = written(
  z.union([z.boolean(), textOrNumber]),
  'takes a seed, true or false',
  (value): string | boolean | undefined =>
    typeof value === 'boolean' ? value : String(value) === '' ? undefined : String(value),
)

const iso = /^(\d{4}-\d{2}-\d{2})(?:(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?)?$/

/** ms since the epoch, or NaN. A time without a zone is UTC, so that it means the same on every machine. */
function instantOf(text: string): number {
  const [, date = '', time, zone = 'Z'] = iso.exec(text) ?? []
  return Date.parse(time === undefined ? date : date + time + zone)
}

export const moment = written(
  z.union([z.string(), z.number(), z.date()]),
  'takes an ISO 8601 date such as 2026-03-01T09:00:00Z',
  (value) => {
    const at = typeof value === 'string' ? instantOf(value) : new Date(value).getTime()
    return Number.isNaN(at) ? undefined : at
  },
)

export const failureRate = written(
  textOrNumber,
  'takes completed, failed, or a failure rate from 0 to 1',
  (value) => {
    const rate =
      value === 'completed' ? 0 : value === 'failed' ? 1 : value === '' ? Number.NaN : Number(value)
    return rate >= 0 && rate <= 1 ? rate : undefined
  },
)

export const keyList = written(
  z.union([z.string(), z.array(z.string())]),
  'takes one or more keys, separated by commas',
  (value) => {
    const keys = (typeof value === 'string' ? value.split(',') : value)
      .map((key) => key.trim())
      .filter(Boolean)
    return keys.length > 0 ? keys : undefined
  },
)

/** One or more texts, each read into a fault rule. */
const rules = (read: (word: string) => RuleDraft | string) =>
  z.union([text, z.array(text)]).transform((value, context): RuleDraft[] => {
    return [value].flat().flatMap((word) => {
      const rule = read(word)
      if (typeof rule !== 'string') return [rule]
      context.addIssue({ code: 'custom', message: rule })
      return []
    })
  })

export const forces = rules((word) => {
  const force = parseForce(word)
  if (typeof force === 'string') return force
  return { operation: force.operation, faults: [{ kind: 'error', code: force.code }] }
})

export const progress = written(
  z.union([text, z.strictObject({ polls: z.int().min(1) })]),
  'takes time, immediate or polls:N',
  (value) => {
    if (typeof value === 'object') return value
    const [, polls] = /^polls:(\d+)$/.exec(value) ?? []
    if (value === 'time' || value === 'immediate') return value
    return Number(polls) >= 1 ? { polls: Number(polls) } : undefined
  },
)

/** What chaos does, in turn, with never more than two of it in a row on one operation. */
export const chaos = written(
  textOrNumber,
  'takes the share of requests that meet a fault, 0 to 1',
  (value): RuleDraft | undefined => {
    const rate = value === '' ? Number.NaN : Number(value)
    if (!(rate >= 0 && rate <= 1)) return undefined
    const faults = [
      'unavailable',
      'rate_limited',
      'internal_error',
      'reset',
      'delay 50ms..500ms',
      'lost',
      'truncate',
    ]
    return {
      id: 'chaos',
      faults: faults.flatMap((word) => parseInstruction(word) ?? []),
      rate,
      times: Number.POSITIVE_INFINITY,
      mostInARow: 2,
    }
  },
)

export const busy = z.union([
  z.boolean().transform((on) => (on ? 30_000 : 0)),
  number('takes a number of seconds', (n) => n >= 0 && n < 1e9).transform((seconds) => seconds * 1_000),
])

/** One or more fault rules, in the grammar of `--fault`. */
export const faultRules = rules(parseRule)
