/** The table of goals: each compares a row with a bound. */
import { type Measured, type Measurement, measurements, type Results, type Row } from './results.ts'
import type { Side } from './sides.ts'

interface Goal {
  readonly row: Row
  /** Compares with the best of these; undefined: the value itself counts. */
  readonly against?: keyof typeof opponents
  readonly atLeast?: number
  readonly atMost?: number
  /** Why it is missed, where that is known. */
  readonly cause?: string
}

const opponents = {
  'bare `node:http`': ({ kind }: Side) => kind === 'baseline',
  'every peer that can be installed': ({ kind, madeHere }: Side) => kind === 'peer' && !madeHere,
  'every peer': ({ kind }: Side) => kind === 'peer',
}

const modules = 'modules that must be loaded: [a quick start](decisions/0002-a-quick-start.md)'
const network = 'Node and the network take most of the time of a request'
const msw = 'both depend on msw, and the mock does more work for each request'
const ahead = { against: 'every peer', atLeast: 1 } as const

export const goals: readonly Goal[] = [
  { row: 'get', against: 'bare `node:http`', atLeast: 0.6 },
  { row: 'create', against: 'bare `node:http`', atLeast: 0.35 },
  { row: 'growth', atLeast: 0.9 },
  { row: 'get', against: 'every peer that can be installed', atLeast: 5, cause: network },
  { row: 'get', against: 'every peer', atLeast: 5, cause: network },
  { row: 'ready', atMost: 150, cause: modules },
  { row: 'ready_first', atMost: 150, cause: modules },
  { row: 'ready_clone', atMost: 250 },
  { row: 'start_mb', atMost: 70, cause: modules },
  { row: 'grown_mb', atMost: 250 },
  { row: 'get', ...ahead },
  { row: 'latency', ...ahead },
  { row: 'ready', ...ahead, cause: modules },
  { row: 'start_mb', ...ahead, cause: modules },
  { row: 'pairs', ...ahead },
  { row: 'read_10', ...ahead },
  { row: 'read_1000', ...ahead },
  { row: 'read_100000', ...ahead },
  { row: 'inside_ms', ...ahead },
  { row: 'inside_us', ...ahead },
  { row: 'msw_ms', ...ahead, cause: msw },
  { row: 'msw_us', ...ahead, cause: msw },
]

/** The goals whose rows were measured: goal, measured, reached, cause. */
export function compareWithGoals(results: Results): string[][] {
  return goals.flatMap(({ row, against, atLeast, atMost, cause = '' }) => {
    const { head, digits = 1 }: Measurement = measurements[row]
    const having = results.sides.flatMap((side) => {
      const measured: Measured | undefined = results.rows[row]?.[side.name]
      if (!measured) return []
      const [median] = measured.value
      const text = median.toFixed(median < 100 ? digits : 0)
      return { ...side, median, text, times: measured.times[0] }
    })
    const own = having.find(({ kind }) => kind === 'own')
    const bare = having.find(({ kind }) => kind === 'baseline')
    const [best] = against ? having.filter(opponents[against]).sort((a, b) => a.times - b.times) : []
    if (!own || (against && !best)) return []
    const value = best?.times ?? own.median
    const reached = value >= (atLeast ?? value) && value <= (atMost ?? value)
    const bound = atLeast === undefined ? `<= ${atMost}` : `>= ${atLeast}`
    if (!best) {
      const beside = bare ? ` (bare \`node:http\`: ${bare.text})` : ''
      return [[`${head} ${bound}`, own.text + beside, ...verdict(reached, cause)]]
    }
    const cpu = results.rows[`${row}_cpu` as Row]?.[best.name]?.times[0]
    const byCpu = cpu ? `; by CPU time ${cpu.toFixed(2)}` : ''
    const measured = `${value.toFixed(2)} (${own.text} against ${best.text} of ${best.name}${byCpu})`
    const goal = atLeast === 1 ? `${head}: ahead of ${against}` : `${head}: ${bound} times ${against}`
    const why = best.manyCores ? 'it uses every core, a Node server one' : cause
    const limit = `bare \`node:http\` answers ${((bare?.median ?? 0) / best.median).toFixed(1)} times as many`
    return [
      [
        goal,
        measured,
        ...verdict(reached, row === 'get' && bare && bare !== best ? `${why}; ${limit}` : why),
      ],
    ]
  })
}

const verdict = (reached: boolean, cause: string) => (reached ? ['yes', ''] : ['no', cause])
