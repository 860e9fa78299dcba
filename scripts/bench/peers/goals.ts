/** What the mock should reach beside its peers, each with its value and, where it is missed, the cause. Pure. */
import { aheadGoals, loaded } from './ahead-goals.ts'
import type { Goal } from './goal.ts'
import type { Reading } from './measure.ts'
import { median } from './ratio.ts'
import type { Results } from './results.ts'
import { throughputGoals } from './throughput-goals.ts'

/** All goals. */
export function goalsOf(results: Results): Goal[] {
  return [...throughputGoals(results), ...startGoals(results), ...aheadGoals(results)]
}

function startGoals({ sides }: Results): Goal[] {
  const own = sides.find(({ side }) => side.kind === 'own')?.readings ?? []
  const bare = sides.find(({ side }) => side.kind === 'yardstick')?.readings ?? []
  const below = (name: string, of: (reading: Reading) => number, most: number, unit: string): Goal => {
    const measured = median(own.map(of))
    return {
      what: `${name} < ${most} ${unit}`,
      measured: `${measured.toFixed(0)} ${unit} (bare \`node:http\`: ${median(bare.map(of)).toFixed(0)})`,
      reached: measured < most,
      because: loaded,
    }
  }
  return [
    below('ready in', ({ ready_ms }) => ready_ms, 150, 'ms'),
    below('memory at start', ({ start_mb }) => start_mb, 70, 'MB'),
  ]
}
