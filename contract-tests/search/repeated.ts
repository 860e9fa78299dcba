/** Steps several times over, each time with things of their own: what shows only the n-th time. */
import { callsOf, type Step } from './step.ts'

/** The same steps, `times` times. */
export function repeated(steps: readonly Step[], times: number, next: () => number): Step[] {
  return Array.from({ length: times }, () => {
    const numbers = new Map<number, number>()
    for (const step of steps) for (const { at } of [step, ...callsOf(step)]) numbers.set(at, next())
    const renumber = (at: number) => numbers.get(at) ?? at
    return steps.map((step) => renumbered(step, renumber))
  }).flat()
}

/** A step with other numbers, also where it refers to others. */
function renumbered<T>(value: T, renumber: (at: number) => number): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => renumbered(one, renumber)) as T
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) =>
      typeof one === 'number' && (name === 'at' || name === 'made' || name === 'listed')
        ? [name, renumber(one)]
        : [name, name === 'body' || name === 'params' ? one : renumbered(one, renumber)],
    ),
  ) as T
}
