/**
 * Which steps may have made a request go wrong: those between it and the one before that asked for the same, and rather
 * those that such a request seldom came after, since it did not go wrong then (spectrum-based fault localization).
 */
import { type Log, range } from './log.ts'
import { changes, type Step } from './step.ts'

export interface Suspect {
  /** Its places, the last one first: as many of a kind as never stood there before. */
  readonly places: readonly number[]
  /** The place of the request that it may have made go wrong. */
  readonly cause: number
  /** From 0, before how many such requests before it stood the like, if not less often; more for what only read. */
  readonly share: number
}

/** How much less what only reads is suspected. */
const reading = 0.02
/** So many of a kind stand there by chance: one more is not suspected for being more. */
const often = 3

const lastOf = ({ places: [last = 0] }: Suspect) => last

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
    .sort((a, b) => a.share - b.share || isCited(b) - isCited(a) || lastOf(b) - lastOf(a))
}

/** Those that stand before one request: `each` of a kind, or as many as never stood there before. */
function suspectsBefore(
  steps: readonly Step[],
  kinds: readonly (string | undefined)[],
  asked: readonly (string | undefined)[],
  cause: number,
  each: number,
): Suspect[] {
  const alikeOf = (request: string | undefined) =>
    range(0, cause - 1).filter(
      (place) =>
        asked[place] === request && (kinds[place] === kinds[cause] || !/ [45]\d\d /.test(kinds[place] ?? '')),
    )
  const between = (alike: readonly number[]) =>
    alike.map((to, nth) => kinds.slice((alike[nth - 1] ?? -1) + 1, to))
  const alike = alikeOf(asked[cause])
  // To another organization, it is the other way round.
  const elsewhere = between(alikeOf(mirrored(asked[cause]))).map((all) => all.map(mirrored))
  const before = [...between(alike), ...elsewhere].map(countsOf)
  const since = range((alike.at(-1) ?? -1) + 1, cause - 1).toReversed()
  const groups = Map.groupBy(since, (place) => kinds[place])
  return [...groups].flatMap(([kind, places]) => {
    const step = steps[places[0] ?? 0] as Step
    if (kind === undefined || (step.kind === 'state' && step.state !== 'unread_notification')) return []
    const most = before.length === 0 ? 1 : Math.max(0, ...before.map((one) => one.get(kind) ?? 0))
    const isMore = places.length > most && most < often
    const times = isMore ? 0 : before.filter((one) => one.has(kind)).length
    const isRead = !changes(step) && / 200 /.test(kind)
    const share = times / Math.max(1, before.length) + (isRead ? reading : 0)
    return { places: places.slice(0, Math.max(each, isMore ? most + 1 : 0)), cause, share }
  })
}

/** The same with one organization in place of the other. */
const mirrored = (text: string | undefined) =>
  text?.replace(/\b(main|other) /g, (_, tenant) => (tenant === 'main' ? 'other ' : 'main '))

function countsOf(kinds: readonly (string | undefined)[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of kinds) if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

/** Who asks for what in a step; undefined: nobody asks. */
function askedBy(step: Step): string | undefined {
  if (step.kind === 'end') return `${step.tenant} end`
  return step.kind === 'call' ? `${step.tenant} ${step.operation}` : undefined
}
