/** Leaves steps out as long as what remains still shows the violation: halves, quarters, then single ones. */
import { isBalance } from './closure.ts'
import { costOf } from './replay.ts'
import { callsOf, refersTo, type Step } from './step.ts'
import { withoutIdleEnds } from './trim.ts'

/** Whether steps show the violation; undefined: there is no budget to find out. */
export type Shows = (steps: readonly Step[]) => Promise<boolean | undefined>

/** Requests of histories of a middling length. */
export const middling = { least: 8, most: 24 } as const

/** Steps that make sense together only: what is arranged and waited for before a request, it, and the end of its run. */
type Unit = readonly Step[]

/** The fewest steps that were seen to show it. The last step stays. */
export async function lessen(steps: readonly Step[], shows: Shows, isFew: () => boolean): Promise<void> {
  let left = unitsOf(steps)
  for (let parts = 2; left.length > 1 && !isFew(); ) {
    const size = Math.ceil((left.length - 1) / parts)
    const smaller = await without(left, size, shows)
    if (smaller === undefined) return
    if (smaller.length < left.length) left = smaller
    else if (size === 1 || isMiddling(left)) return
    else parts = Math.min(parts * 2, left.length - 1)
  }
}

/** Whether only the first half is worth leaving out: with that, the rest was hardly ever found to be more than is needed. */
function isMiddling(units: readonly Unit[]): boolean {
  const requests = costOf(units.flat())
  return requests > middling.least && requests <= middling.most
}

/** The units without some run of `size` of them, but with known balances; all where each is needed; undefined: out of budget. */
async function without(units: readonly Unit[], size: number, shows: Shows): Promise<Unit[] | undefined> {
  let left = [...units]
  for (let from = 0; from < left.length - 1; ) {
    const to = Math.min(from + size, left.length - 1)
    const fewer = completed(left.map((unit, at) => (at < from || at >= to ? unit : unit.filter(isBalance))))
    const isSmaller = fewer.length < left.flat().length && fewer.at(-1) === left.at(-1)?.at(-1)
    const shown = isSmaller && (await shows(fewer))
    if (shown === undefined) return undefined
    if (shown) left = unitsOf(fewer)
    else if (isMiddling(left)) return left
    else from += size
  }
  return left
}

/** The steps in units. */
function unitsOf(steps: readonly Step[]): Unit[] {
  const units: Step[][] = []
  let isOpen = false
  for (const step of steps) {
    const unit = units.at(-1)
    const runs = new Set(unit?.flatMap(refersTo))
    const isOver = step.kind === 'end' && refersTo(step).some((made) => runs.has(made))
    if (unit && (isOpen || isOver)) unit.push(step)
    else units.push([step])
    isOpen = step.kind === 'wait' || (step.kind === 'state' && !isBalance(step))
  }
  return units
}

/** The steps without those that refer to what is not made any more. */
export const complete = (steps: readonly Step[]): Step[] => completed(steps.map((step) => [step]))

/** The steps of the units that refer to nothing that is not made any more; balances stay. */
function completed(units: readonly Unit[]): Step[] {
  const made = new Set<number>()
  const whole = units.flatMap((unit) => {
    const own = unit.flatMap((step) => [step, ...callsOf(step)].map(({ at }) => at))
    const isWhole = unit.flatMap(refersTo).every((at) => made.has(at) || own.includes(at))
    if (isWhole) for (const at of own) made.add(at)
    return isWhole ? unit : unit.filter(isBalance)
  })
  return withoutIdleEnds(whole)
}
