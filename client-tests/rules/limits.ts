/** §7.2: how a client waits after it exceeded the rate limit. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { after, gap, isSame, reportsError, seconds } from '../entries.ts'
import { followUpOf, withoutDoubt } from '../follow-up.ts'
import type { Rule, Situation } from '../rule.ts'

/** Tolerance for inexact timers and clocks, ms. */
const slack = 50

const forms = {
  seconds: 'a number of seconds',
  date: 'an HTTP date',
} as const

const isNumber = (value: string) => /^\d+$/.test(value)

/** The wait in `Retry-After`, ms, in either form (RFC 9110 §10.2.3); undefined: none that can be read. */
export function retryAfter({ answerHeaders, at }: JournalEntry): number | undefined {
  const value = answerHeaders['retry-after'] ?? ''
  const ms = isNumber(value) ? Number(value) * 1_000 : Date.parse(value) - at
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** The same in one of its forms; undefined: not in that form. */
function waitOf(entry: JournalEntry, form: keyof typeof forms): number | undefined {
  const isForm = isNumber(entry.answerHeaders['retry-after'] ?? '') === (form === 'seconds')
  return isForm ? retryAfter(entry) : undefined
}

/** One rule per form: a client may understand only one of them. */
function rateLimited(id: string, form: keyof typeof forms, fix: string): Rule {
  return {
    id,
    level: 'MUST',
    section: '§7.2, §8.1',
    statement: `After a 429 a client waits for the time in Retry-After, where that is ${forms[form]}.`,
    needs: `a 429 whose Retry-After is ${forms[form]}, and another request for the same operation`,
    fix,
    thresholds: `It may be ${slack} ms early: timers and clocks are inexact. Requests for other operations are not judged.`,
    judge: (entries, context) =>
      withoutDoubt(
        entries.flatMap((refusal): (Situation | undefined)[] => {
          const wait = reportsError(refusal, 'rate_limited') ? waitOf(refusal, form) : undefined
          if (wait === undefined) return []
          const { next, isDoubtful } = followUpOf(
            refusal,
            after(entries, refusal),
            context,
            ({ operation, key_id }) => operation === refusal.operation && key_id === refusal.key_id,
          )
          const early = next && gap(refusal, next) < wait - slack
          if (isDoubtful && !early) return [undefined]
          if (!next) return []
          const what = isSame(refusal, next) ? 'repeated the request' : `sent another ${refusal.operation}`
          const violation = `${what} after ${seconds(gap(refusal, next))} instead of ${seconds(wait)}`
          return [{ evidence: [refusal, next], violation: early ? violation : undefined }]
        }),
      ),
  }
}

export const waitsSeconds = rateLimited(
  'waits-retry-after',
  'seconds',
  'Read Retry-After, which may be a number of seconds, and send nothing with that key before they have passed.',
)

export const waitsDate = rateLimited(
  'waits-retry-after-date',
  'date',
  'Read Retry-After, which may be an HTTP date, and wait for the difference to the Date header of the answer.',
)
