/** The table of what is measured: one row each, with its column on the page. */

export interface Measurement {
  /** The table of the page it belongs to; `msw` has none. */
  readonly table: 'served' | 'pairs' | 'growth' | 'inProcess' | 'msw'
  readonly head: string
  /** The head of a second column, which compares the mock with each side. */
  readonly times?: string
  readonly better: 'higher' | 'lower'
  readonly digits?: number
}

const rate = { better: 'higher', times: 'times' } as const
const cpu = { head: 'CPU µs', better: 'lower', digits: 1, times: 'times by CPU' } as const
const start = { table: 'served', better: 'lower' } as const
const grown = { table: 'growth', better: 'higher' } as const
const inside = { table: 'inProcess', better: 'lower', digits: 1 } as const
const msw = { table: 'msw', better: 'lower', digits: 1 } as const

export const measurements = {
  get: { ...rate, table: 'served', head: 'requests/s' },
  get_cpu: { ...cpu, table: 'served' },
  latency: { ...start, head: 'latency µs' },
  ready: { ...start, head: 'ready ms' },
  ready_first: { ...start, head: 'ready ms, first start' },
  ready_clone: { ...start, head: 'ready ms, from a clone' },
  start_mb: { ...start, head: 'MB at start' },
  create: { ...rate, table: 'pairs', head: 'creates/s' },
  create_cpu: { ...cpu, table: 'pairs' },
  pairs: { ...rate, table: 'pairs', head: 'pairs/s' },
  pairs_cpu: { ...cpu, table: 'pairs' },
  read_10: { ...grown, head: 'requests/s with 10 tasks' },
  read_1000: { ...grown, head: 'requests/s with 1,000 tasks' },
  read_100000: { ...grown, head: 'requests/s with 100,000 tasks' },
  growth: { ...grown, head: 'requests/s with 100,000 / 10', digits: 2 },
  growth_cpu: { ...grown, head: '100,000 / 10 by CPU', digits: 2 },
  grown_mb: { ...grown, head: 'MB with 100,000 tasks', better: 'lower' },
  inside_ms: { ...inside, head: 'create, ask, dispose: ms', digits: 2 },
  inside_kb: { ...inside, head: 'kept for each: kB' },
  inside_us: { ...inside, head: 'one request: µs' },
  msw_ms: { ...msw, head: 'through msw: create, ask, dispose: ms', digits: 2 },
  msw_us: { ...msw, head: 'through msw: one request: µs' },
} as const satisfies Record<string, Measurement>

export type Row = keyof typeof measurements

export const rows = Object.entries(measurements) as [Row, Measurement][]
