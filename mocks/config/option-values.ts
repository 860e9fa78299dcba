/** Schemas that parse option values as people write them; the message of an invalid value names what to write. */
import { z } from 'zod'
import {
  type Duration,
  type DurationText,
  durationAdvice,
  instant,
  milliseconds,
  momentAdvice,
} from '../core/clock.ts'
import { type FaultRuleText, type ForcedError, parseForce, parseRule } from '../faults/grammar.ts'
import type { RuleDraft } from '../faults/rule.ts'
import { readSlots } from './slots.ts'

/** Creates a schema that parses a value with `read`; `advice` is the message if the result is undefined. */
function parsed<In extends z.ZodType, Out>(
  input: In,
  advice: string,
  read: (value: z.output<In>) => Out | undefined,
) {
  // Values of another type get the same message.
  const advised = input.clone({ ...input.def, error: () => advice })
  return advised.transform((value, context): Out => {
    const out = read(value)
    if (out !== undefined) return out
    context.addIssue({ code: 'custom', message: advice })
    return z.NEVER
  })
}

const text = z.string()
export const textOrNumber = z.union([z.string(), z.number()], 'takes a text or a number')

/** Narrows what TypeScript accepts as input of a schema, so that editors complete it and report a wrong literal. */
const typed =
  <In>() =>
  <Out>(schema: z.ZodType<Out>) =>
    schema as z.ZodType<Out, In>

type Numeric = number | `${number}`

/** Creates a schema for a number that `accept` accepts. */
export const number = (advice: string, accept: (n: number) => boolean) =>
  typed<Numeric>()(
    parsed(textOrNumber, advice, (value) => {
      const n = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
      return accept(n) ? n : undefined
    }),
  )

/** A duration, parsed into ms. */
export const duration = typed<Duration>()(parsed(textOrNumber, durationAdvice, milliseconds))

const year = 8_760 * 3_600_000

/** A rate limit, parsed into requests and ms (§8.1). */
export const rateLimit = parsed(
  text,
  'takes N/Ws, such as 600/60s, or off; the window is a year at most',
  (value) => {
    if (value === 'off') return 'off' as const
    const [, limit, span] = /^(\d+)\/(.+)$/.exec(value) ?? []
    const window_ms = milliseconds(span ?? '')
    return limit && window_ms && window_ms <= year ? { limit: Number(limit), window_ms } : undefined
  },
)

/** A delayed top-up, parsed into credits and ms. */
export const topUp = parsed(
  text,
  'takes N/Ws, such as 5/10s: credits, and the delay after a 402',
  (value) => {
    const [, credits, delay] = /^(\d+(?:\.\d+)?)\/(.+)$/.exec(value) ?? []
    const after_ms = milliseconds(delay ?? '')
    return credits !== undefined && after_ms !== undefined
      ? { credits: Number(credits), after_ms }
      : undefined
  },
)

export const past = typed<'seeded' | 'none' | Numeric>()(
  parsed(textOrNumber, 'takes seeded, none, or a number of finished tasks', (value) => {
    if (value === 'seeded' || value === 'none') return value
    const tasks = value === '' ? Number.NaN : Number(value)
    return Number.isInteger(tasks) && tasks >= 0 && tasks <= 100_000 ? tasks : undefined
  }),
)

export const strictClient = parsed(
  z.union([z.boolean(), textOrNumber]),
  'takes a seed, true or false',
  (value): string | boolean | undefined =>
    typeof value === 'boolean' ? value : String(value) === '' ? undefined : String(value),
)

/** A moment, parsed into ms since the epoch. */
export const moment = parsed(z.union([z.string(), z.number(), z.date()]), momentAdvice, instant)

/** A run outcome, parsed into the share of runs that fail, 0 to 1. */
export const failureRate = typed<'completed' | 'failed' | Numeric>()(
  parsed(textOrNumber, 'takes completed, failed, or a failure rate from 0 to 1', (value) => {
    const rate =
      value === 'completed' ? 0 : value === 'failed' ? 1 : value === '' ? Number.NaN : Number(value)
    return rate >= 0 && rate <= 1 ? rate : undefined
  }),
)

export const keyList = parsed(
  z.union([z.string(), z.array(z.string())]),
  'takes one or more keys separated by commas',
  (value) => {
    const keys = (typeof value === 'string' ? value.split(',') : value)
      .map((key) => key.trim())
      .filter(Boolean)
    return keys.length > 0 ? keys : undefined
  },
)

/** How many there may be of something that is kept. */
export const most = number('takes a whole number, 1 or more', (n) => Number.isInteger(n) && n >= 1)

export const slots = parsed(
  text,
  'takes the slots of this mock and their number in all, such as 0-255/1024',
  readSlots,
)

/** Creates a schema for one or more texts, each parsed into a fault rule. */
const rules = <Text extends string>(read: (word: string) => RuleDraft | string) =>
  typed<Text | readonly Text[]>()(
    z
      .union([text, z.array(text)], 'takes a text or a list of texts')
      .transform((value, context): RuleDraft[] => {
        return [value].flat().flatMap((word) => {
          const rule = read(word)
          if (typeof rule !== 'string') return [rule]
          context.addIssue({ code: 'custom', message: rule })
          return []
        })
      }),
  )

/** One or more forced errors, `CODE[@OPERATION]`, parsed into fault rules. */
export const forces = rules<ForcedError>(parseForce)

/** How a run ends: by time, immediately or after a number of polls. */
export const progress = typed<'time' | 'immediate' | `polls:${number}` | { readonly polls: number }>()(
  parsed(
    z.union([text, z.strictObject({ polls: z.int().min(1) })]),
    'takes time, immediate or polls:N',
    (value) => {
      if (typeof value === 'object') return value
      const [, polls] = /^polls:(\d+)$/.exec(value) ?? []
      if (value === 'time' || value === 'immediate') return value
      return Number(polls) >= 1 ? { polls: Number(polls) } : undefined
    },
  ),
)

const chaosFaults = 'unavailable,rate_limited,internal_error,reset,delay 50ms..500ms,lost,truncate'

/** The faults of chaos, in order, with at most two in a row on one operation. */
export const chaos = typed<Numeric>()(
  parsed(textOrNumber, 'takes the share of requests that get a fault, 0 to 1', (value) => {
    const rate = value === '' ? Number.NaN : Number(value)
    const rule = parseRule(`${chaosFaults};rate=${rate};times=unlimited;in-a-row=2;id=chaos`)
    return typeof rule === 'string' ? undefined : rule
  }),
)

const takesSeconds = `takes a number of seconds, 0 or more, or ${durationAdvice.slice('takes '.length)}`

/** Other work: seconds, a duration with its unit, or a boolean; parsed into ms. */
export const busy = typed<boolean | Numeric | DurationText>()(
  z.union(
    [
      z.boolean().transform((on) => (on ? 30_000 : 0)),
      parsed(textOrNumber, takesSeconds, (value) => {
        const seconds = value === '' ? Number.NaN : Number(value)
        const ms = Number.isNaN(seconds) ? milliseconds(value) : seconds * 1_000
        return ms !== undefined && ms >= 0 && ms < 1e12 ? ms : undefined
      }),
    ],
    takesSeconds,
  ),
)

export const faultRules = rules<FaultRuleText>(parseRule)
