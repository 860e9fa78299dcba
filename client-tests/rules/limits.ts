/** §7.2: how a client waits when it has asked too much. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { after, gap, reportsError, seconds } from '../entries.ts'
import { followUpOf, withoutDoubt } from '../follow-up.ts'
import type { Rule, Situation } from '../rule.ts'

/** Timers and clocks are not exact, ms. */
const slack = 50

const forms = {
  seconds: 'a number of seconds',
  date: 'an HTTP date',
} as const

/** ms that `Retry-After` of an answer says, in one of its forms (RFC 9110 §10.2.3); undefined: it says none. */
function waitOf({ answerHeaders, at }: JournalEntry, form: keyof typeof forms): number | undefined {
  const value = answerHeaders['retry-after'] ?? ''
  const isNumber = /^\d+$/.test(value)
  if (isNumber !== (form === 'seconds')) return undefined
  const ms = isNumber ? Number(value) * 1_000 : Date.parse(value) - at
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** A rule for each form: a client may understand one of them only. */
function rateLimited(id: string, form: keyof typeof forms, fix: string): Rule {
  return {
    id,
    level: 'MUST',
    section: '§7.2, §8.1',
    statement: `After a 429 a client waits for the time in Retry-After, where that is ${forms[form]}.`,
    needs: `a 429 whose Retry-After is ${forms[form]}, and the same operation asked for again`,
    fix,
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
          const violation = `asked again after ${seconds(gap(refusal, next))} in place of ${seconds(wait)}`
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
  'Read Retry-After, which may be an HTTP date, and wait for as long as it is ahead of the Date header of the answer.',
)
