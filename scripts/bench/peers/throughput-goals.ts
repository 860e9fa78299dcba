/** How often the mock answers the authenticated GET for each answer of the others. */
import type { Goal } from './goal.ts'
import { ratioOf } from './ratio.ts'
import type { Results } from './results.ts'
import type { Side } from './side.ts'

type Measured = Results['sides'][number]

const rates = ({ readings }: Measured) => readings.map(({ get }) => get.rate)
const costs = ({ readings }: Measured) => readings.map(({ get }) => get.cpu_us)

export function throughputGoals({ sides }: Results): Goal[] {
  const own = sides.find(({ side }) => side.kind === 'own')
  const bare = sides.find(({ side }) => side.kind === 'yardstick')
  if (!own || !bare) return []
  const times = (other: Measured) => ratioOf(rates(own), rates(other)).median
  const measured = (other: Measured, digits: number) => {
    const byCpu = ratioOf(costs(other), costs(own)).median
    const cpu = Number.isNaN(byCpu) ? '' : ` (by CPU time ${byCpu.toFixed(digits)})`
    return `${times(other).toFixed(digits)}${cpu}`
  }
  const fiveTimes = (which: string, wanted: (side: Side) => boolean): Goal[] => {
    const [best] = sides.filter(({ side }) => wanted(side)).sort((a, b) => times(a) - times(b))
    if (!best) return []
    const limit = ratioOf(rates(bare), rates(best)).median
    const cause = best.side.manyCores
      ? 'it answers on all cores, a Node server on one; '
      : 'most of a request is the work of Node and the network; '
    return [
      {
        what: `>= 5 times the requests/s of ${which}: ${best.side.name}`,
        measured: measured(best, 1),
        reached: times(best) >= 5,
        because: `${cause}bare \`node:http\` answers ${limit.toFixed(1)} times as many`,
      },
    ]
  }
  return [
    {
      what: '>= 0.6 of the requests/s of bare `node:http`',
      measured: measured(bare, 2),
      reached: times(bare) >= 0.6,
      because: '',
    },
    ...fiveTimes('the best that can be installed', ({ kind, madeHere }) => kind === 'peer' && !madeHere),
    ...fiveTimes('the best of all', ({ kind }) => kind === 'peer'),
  ]
}
