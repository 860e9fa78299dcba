/** Clients that send again too soon after a 429. */
import type { BadClient } from './bad-client.ts'
import { type Answer, repeats } from './flaws.ts'

/** The time in `Retry-After` as whole seconds; undefined: it is a date, or the answer is no 429. */
function secondsIn({ response }: Answer): number | undefined {
  const value = response.headers.get('retry-after') ?? ''
  return response.status === 429 && /^\d+$/.test(value) ? Number(value) : undefined
}

const isInSeconds = (answer: Answer) => secondsIn(answer) !== undefined
const isDated = (answer: Answer) => answer.response.status === 429 && !isInSeconds(answer)

export const limits: readonly BadClient[] = [
  {
    id: 'ignores-retry-after',
    flaw: repeats(isInSeconds, 500, Infinity),
    breaks: 'waits-retry-after',
    scenario: 'rate-limited-burst',
  },
  {
    id: 'reads-retry-after-as-ms',
    flaw: repeats(isInSeconds, (answer) => secondsIn(answer) ?? 0, 20),
    breaks: 'waits-retry-after',
    scenario: 'rate-limited-burst',
  },
  {
    id: 'waits-a-second-at-most',
    flaw: repeats(isInSeconds, (answer) => Math.min(1_000, 1_000 * (secondsIn(answer) ?? 0)), Infinity),
    breaks: 'waits-retry-after',
    scenario: 'rate-limited-burst',
  },
  {
    id: 'reads-seconds-only',
    flaw: repeats(isDated, 500, Infinity),
    breaks: 'waits-retry-after-date',
    scenario: 'rate-limited-burst-date',
  },
  {
    id: 'reads-dates-as-local',
    // Its clock is an hour ahead of the date, which it therefore takes for a moment in the past.
    flaw: repeats(isDated, 0, 10),
    breaks: 'waits-retry-after-date',
    scenario: 'rate-limited-burst-date',
  },
]
