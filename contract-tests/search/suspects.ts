/**
 * Which steps may have made a request go wrong: those between it and the one before that asked for the same, and rather
 * those that such a request seldom came after, since it did not go wrong then (spectrum-based fault localization).
 */
import { type Log, range } from './log.ts'
import { changes, type Step } from './step.ts'

export interface Suspect {
  readonly place: number
  /** The place of the request that it may have made go wrong. */
  readonly cause: number
  /** From 0, of how many such requests before it stood before, too; more for what only read. */
  readonly share: number
}

/** How much less what only reads is suspected. */
const reading = 0.02

/**
 * The suspects before what is cited at `places`, and before the requests between the last two of these: the last `each` of
 * a kind, the likeliest first.
 */
export function suspectsOf(
  log: Log,
  places: readonly number[],
  kindOf: (step: Step) => string | undefined,
  each: number,
): Suspect[] {
  const last = Math.max(...places)
  const steps = log.entries.slice(0, last + 1).map(({ step }) => step)
  const [kinds, asked] = [steps.map(kindOf), steps.map(askedBy)]
  const before = Math.max(...places.filter((place) => place < last))
  const between = (before < 0 ? [] : range(before + 1, last - 1)).filter(
    (place) => asked.lastIndexOf(asked[place]) === place,
  )
  const causes = new Set([...places, ...between].filter((place) => asked[place] !== undefined))
  const isCited = ({ cause }: Suspect) => Number(places.includes(cause))
  return [...causes]
    .flatMap((cause) => suspectsBefore(steps, kinds, asked, cause, each))
    .sort((a, b) => a.share - b.share || isCited(b) - isCited(a) || b.place - a.place)
}

/** Those that stand before one request. */
function suspectsBefore(
  steps: readonly Step[],
  kinds: readonly (string | undefined)[],
  asked: readonly (string | undefined)[],
  cause: number,
  each: number,
): Suspect[] {
  const alike = range(0, cause - 1).filter((place) => asked[place] === asked[cause])
  const often = new Map<string | undefined, number>()
  for (const [nth, to] of alike.entries())
    for (const kind of new Set(kinds.slice((alike[nth - 1] ?? -1) + 1, to)))
      often.set(kind, (often.get(kind) ?? 0) + 1)
  const times = new Map<string | undefined, number>()
  const since = range((alike.at(-1) ?? -1) + 1, cause - 1).toReversed()
  return since.flatMap((place) => {
    const kind = kinds[place]
    times.set(kind, (times.get(kind) ?? 0) + 1)
    if (kind === undefined || (times.get(kind) ?? 0) > each) return []
    const isRead = !changes(steps[place] as Step) && / 200 /.test(kind)
    return {
      place,
      cause,
      share: (often.get(kind) ?? 0) / Math.max(1, alike.length) + (isRead ? reading : 0),
    }
  })
}

/** Who asks for what in a step; undefined: nobody asks. */
function askedBy(step: Step): string | undefined {
  if (step.kind === 'end') return `${step.tenant} end`
  return step.kind === 'call' ? `${step.tenant} ${step.operation}` : undefined
}
