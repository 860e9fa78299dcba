/**
 * From a contradiction to the steps that may show it again, fewest first: what the model cites, and more and more of what
 * is suspected, was done about the same subject, or just before, by anybody. Nothing is sent to find them.
 */
import type { ModelViolation } from '../model/index.ts'
import { type Context, type Strategy, scopeOf } from './scope.ts'
import { callsOf, changes, costOf, isBalance, type Step } from './step.ts'
import { mergedClients, numbered, repeated, withCredits } from './variants.ts'

/**
 * What is tried, one after the other; `used`: then in organizations that were used before, where there are fresh ones:
 * what shows in those alone depends on what has gathered there.
 */
export const strategies: Readonly<Record<'any' | 'used', readonly Strategy[]>> = {
  any: [
    { take: 'cited' },
    { take: 'since', most: 7 },
    { take: 'subject', most: 16 },
    { take: 'since', from: 7, most: 24, each: 2 },
    { take: 'recent', most: 12 },
    { take: 'kinds', most: 32 },
    { take: 'case', most: 80, whole: true },
    { take: 'kinds', most: 90, each: 2 },
    { take: 'made', most: 400 },
    { take: 'recent', most: 200, whole: true },
  ],
  used: [
    { take: 'recent', most: 24, whole: true },
    { take: 'kinds', most: 32 },
  ],
}

/** Those that keep created keys as they were; the others ask with the key of the operator. */
const keepsKeys = ({ take }: Strategy) => ['kinds', 'recent', 'case'].includes(take)

/** Steps to try. */
export interface Attempt {
  readonly steps: readonly Step[]
  /** The numbers of those that were taken besides what is cited, without what these depend on. */
  readonly taken: ReadonlySet<number>
}

/** What strategies take, each once, with their credits. `longest`: ms that a pause may last. */
export function* attemptsOf(
  tried: readonly Strategy[],
  context: Context,
  violation: ModelViolation,
  longest: number,
): Generator<Attempt> {
  const whole = scopeOf(context, violation, true, longest)
  const apart = scopeOf(context, violation, false)
  if (!Number.isFinite(whole.last)) return
  const known = new Set<string>()
  // Where requests were sent at once, that matters.
  const isAtOnce = isRace(context, violation, whole.and([]))
  const isRefused = (at: number) => context.executor.answers.get(at)?.status === 401
  for (const strategy of tried) {
    const scope = strategy.whole || (strategy.take === 'cited' && isAtOnce) ? whole : apart
    const places = scope.placesOf(strategy)
    const taken = new Set(places.flatMap((place) => scope.log.entries[place]?.step.at ?? []))
    const kept = strategy.take === 'since' ? taken : new Set<number>()
    const all = scope.and(places)
    const own = keepsKeys(strategy) || scope.isAboutKeys ? all : mergedClients(all, kept, isRefused)
    const steps = withCredits(own, () => context.next())
    const key = JSON.stringify(numbered(steps))
    if (costOf(steps) > 0 && !known.has(key)) yield { steps, taken }
    known.add(key)
  }
}

/** What a contradiction cites, as it was, and what that depends on. */
export function citedBy(context: Context, violation: ModelViolation): Step[] {
  const scope = scopeOf(context, violation, true)
  return scope.places.length > 0 ? scope.and([]) : []
}

/**
 * How little each step of an attempt is suspected: below 0 what is cited and what that depends on; up to 2 what was taken;
 * infinitely little what is there only because others depend on it.
 */
export function doubtOf(context: Context, violation: ModelViolation, taken: Attempt['taken']) {
  const scope = scopeOf(context, violation, false)
  const doubts = new Map<number | undefined, number>()
  const suspects = scope.places.length > 0 ? scope.suspects(Number.POSITIVE_INFINITY) : []
  for (const { places, cause, share } of suspects)
    for (const at of [...places, cause].flatMap((place) => scope.log.entries[place]?.step.at ?? []))
      if (taken.has(at) || taken.size === 0) doubts.set(at, Math.min(share, doubts.get(at) ?? 2))
  for (const place of scope.core) doubts.set(scope.log.entries[place]?.step.at, -1)
  const rest = taken.size > 0 ? Number.POSITIVE_INFINITY : 1
  const doubt = (at: number) => doubts.get(at) ?? (taken.has(at) ? 1 : rest)
  return (step: Step) => Math.min(...[step, ...callsOf(step)].map(({ at }) => doubt(at)))
}

/** Whether a contradiction cites several requests of one burst, whose order may be another the next time. */
export function isRace({ executor }: Context, { because }: ModelViolation, steps: readonly Step[]): boolean {
  const cited = new Set(because.flatMap((event) => executor.stepOf(event) ?? []))
  return steps.some(
    (step) => step.kind === 'burst' && step.calls.filter(({ at }) => cited.has(at)).length > 1,
  )
}

/** What is repeated: all up to the last change, and then what reads it. A balance that is set between would hide it. */
export function nTimes(steps: readonly Step[], times: number, next: () => number): Step[] {
  const end = steps.findLastIndex(changes) + 1
  const again = steps.slice(0, end).filter((step) => !isBalance(step))
  return withCredits([...repeated(again, times, next), ...steps.slice(end)], next)
}
