/** Leaves steps out as long as what remains still shows the violation: halves, quarters, then single ones (Zeller's ddmin). */
import { callsOf, isBalance, refersTo, type Step } from './step.ts'
import { withoutIdleEnds } from './variants.ts'

/** Whether steps show the violation; undefined: there is no budget to find out. */
type Shows = (steps: readonly Step[]) => Promise<boolean | undefined>

/** Steps that make sense together only: what is arranged and waited for before a request, it, and the end of its run. */
type Unit = readonly Step[]

/**
 * How little a step is suspected: what is suspected least is left out first, what is below 0 last, and what is suspected
 * infinitely little with those that depend on it.
 */
type Doubt = (step: Step) => number

/**
 * Sends the requests of bursts one after the other, leaves units of steps out, first those that nothing is known to need,
 * then requests of bursts, until nothing is left that can be. The last step stays.
 */
export async function ddmin(steps: readonly Step[], shows: Shows, doubt: Doubt = () => 1): Promise<void> {
  const apart = complete(
    steps.flatMap((step): readonly Step[] => (step.kind === 'burst' ? step.calls : [step])),
  )
  const isApart = apart.length > steps.length + together && (await shows(apart))
  const given = isApart ? apart : steps
  const core = given.some((step) => doubt(step) < 0) ? await fewest(given, shows, doubt) : given
  const left = core && (await fewest(core, shows))
  const thin = left && (await thinned(left, shows))
  if (thin && thin !== left) await fewest(thin, shows)
}

/** Units that are left out one by one at once, where nothing says which are needed. */
const few = 8
/** Requests in bursts that are worth sending one after the other. */
const together = 3

/**
 * The fewest steps that were seen to show it: halves of the units are left out, quarters, then single ones, but none of
 * the core; undefined: out of budget.
 */
async function fewest(
  given: readonly Step[],
  shows: Shows,
  doubt?: Doubt,
): Promise<readonly Step[] | undefined> {
  let left = given
  for (let size = given.length; size > 1; ) {
    const rest = () => suspected(unitsOf(left), doubt)
    const most = Math.min(size, rest().free.length)
    size = most > (doubt ? 1 : few) ? Math.ceil(most / 2) : 1
    for (let [from, count] = [0, size]; from < rest().free.length; ) {
      const { units, free } = rest()
      // Without any of these, it has not shown.
      if (doubt && size >= free.length) break
      const out = new Set(free.slice(from, from + count))
      // What is known of balances stays.
      const all = completed(units.map((unit) => (out.has(unit) ? unit.filter(isBalance) : unit)))
      const fewer = doubt ? needed(all, doubt) : all
      const isSmaller = fewer.length < left.length && fewer.at(-1) === left.at(-1)
      const shown = isSmaller && (await shows(fewer))
      if (shown === undefined) return undefined
      if (shown) left = fewer
      else if (count === size) from += size
      // As long as none is needed, more at once.
      count = shown ? 2 * count : size
    }
  }
  return left
}

/** The units, and those that can be left out: first what is suspected least. */
function suspected(units: readonly Unit[], doubt: Doubt = () => 1) {
  const doubts = new Map(units.map((unit) => [unit, Math.min(...unit.map(doubt))]))
  const of = (unit: Unit) => doubts.get(unit) ?? 0
  const free = units.slice(0, -1).filter((unit) => of(unit) >= 0 && Number.isFinite(of(unit)))
  return { units, free: free.sort((a, b) => of(b) - of(a)) }
}

/** Without requests that are there only for others that are not. */
function needed(steps: readonly Step[], doubt: Doubt): readonly Step[] {
  const used = new Set(steps.flatMap(refersTo))
  const awaited = new Set(steps.flatMap((step) => (step.kind === 'end' ? refersTo(step) : [])))
  const isNeeded = (step: Step) =>
    step.kind !== 'call' ||
    Number.isFinite(doubt(step)) ||
    used.has(step.at) ||
    (step.operation === 'runTask' && refersTo(step).some((made) => awaited.has(made)))
  const left = steps.filter(isNeeded)
  return left.length < steps.length ? needed(left, doubt) : steps
}

/** Leaves requests of bursts out, half of them or fewer: a race of two needs two. Returns the steps that are left. */
async function thinned(given: readonly Step[], shows: Shows): Promise<readonly Step[]> {
  let steps = given
  for (const { at } of given) {
    for (let [nth, size] = [0, Number.POSITIVE_INFINITY]; ; ) {
      const burst = steps.find((step) => step.at === at)
      if (burst?.kind !== 'burst' || burst.calls.length < 2 || nth >= burst.calls.length) break
      size = Math.min(size, Math.ceil(burst.calls.length / 2))
      const calls = burst.calls.toSpliced(nth, size)
      const one = calls.length === 1 && calls[0] ? calls[0] : { ...burst, calls }
      const fewer = complete(steps.map((step) => (step === burst ? one : step)))
      const shown = fewer.at(-1) === steps.at(-1) || steps.at(-1) === burst ? await shows(fewer) : false
      if (shown === undefined) return steps
      if (shown) steps = fewer
      else if (size === 1) nth++
      size = shown ? 2 * size : Math.max(1, Math.floor(size / 2))
    }
  }
  return steps
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
const complete = (steps: readonly Step[]): Step[] => completed(steps.map((step) => [step]))

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
