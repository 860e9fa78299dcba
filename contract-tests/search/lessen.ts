/** Leaves steps out as long as what remains still shows the violation: halves, quarters, then single ones. */
import { isBalance } from './closure.ts'
import { callsOf, refersTo, type Step } from './step.ts'
import { withoutIdleEnds } from './trim.ts'

/** Whether steps show the violation; undefined: there is no budget to find out. */
export type Shows = (steps: readonly Step[]) => Promise<boolean | undefined>

/** The fewest steps that were seen to show it. The last step stays. */
export async function lessen(steps: readonly Step[], shows: Shows, isFew: () => boolean): Promise<void> {
  let left = steps
  for (let parts = 2; left.length > 1 && !isFew(); ) {
    const size = Math.ceil((left.length - 1) / parts)
    const smaller = await without(left, size, shows)
    if (smaller === undefined) return
    if (smaller.length < left.length) left = smaller
    else if (size === 1) return
    else parts = Math.min(parts * 2, left.length - 1)
  }
}

/** The steps without some run of `size` of them, but with known balances; all where each is needed; undefined: out of budget. */
async function without(steps: readonly Step[], size: number, shows: Shows) {
  let left = steps
  for (let from = 0; from < left.length - 1; ) {
    const to = Math.min(from + size, left.length - 1)
    const fewer = complete(left.filter((step, at) => at < from || at >= to || isBalance(step)))
    const isSmaller = fewer.length < left.length && fewer.at(-1) === left.at(-1)
    const shown = isSmaller && (await shows(fewer))
    if (shown === undefined) return undefined
    if (shown) left = fewer
    else from += size
  }
  return left
}

/** The steps without those that refer to what is not made any more. */
export function complete(steps: readonly Step[]): Step[] {
  const made = new Set<number>()
  const whole = steps.filter((step) => {
    if (!refersTo(step).every((at) => made.has(at))) return false
    for (const { at } of [step, ...callsOf(step)]) made.add(at)
    return true
  })
  return withoutIdleEnds(whole)
}
