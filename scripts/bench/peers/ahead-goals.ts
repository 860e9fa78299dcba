/** One goal for each row of the comparison: ahead of every peer. */
import type { Goal } from './goal.ts'
import type { InProcessReading, InProcessSide } from './in-process.ts'
import type { Reading } from './measure.ts'
import { median, ratioOf } from './ratio.ts'
import type { Results } from './results.ts'

/** A side in a row. */
interface Standing {
  readonly name: string
  readonly own: boolean
  /** One a round. */
  readonly values: readonly number[]
}

/** Why the start takes what it takes. */
export const loaded = 'what has to be loaded: [a quick start](decisions/0002-a-quick-start.md)'

export function aheadGoals({ sides, growth, inProcess }: Results): Goal[] {
  const peersAndOwn = <S extends { side: { kind: string } }>(all: readonly S[]) =>
    all.filter(({ side }) => side.kind !== 'yardstick')
  const served = (row: string, of: (reading: Reading) => number | undefined, better: Better, because = '') =>
    ahead(
      row,
      better,
      peersAndOwn(sides).map(({ side, readings }) => ({
        name: side.name,
        own: side.kind === 'own',
        values: readings.flatMap((one) => of(one) ?? []),
      })),
      because,
    )
  const inside = (
    row: string,
    of: (one: InProcessReading) => number,
    wanted: (side: InProcessSide) => boolean,
  ) =>
    ahead(
      row,
      'lower',
      inProcess
        .filter(({ side }) => wanted(side))
        .map(({ side, readings }) => ({ name: side.name, own: side.own, values: readings.map(of) })),
      'both pay for msw, and the mock does its own work besides',
    )
  const sizes = [...new Set(growth.map(({ tasks }) => tasks))]
  return [
    served('requests/s', ({ get }) => get.rate, 'higher'),
    served('latency', ({ latency_us }) => latency_us, 'lower'),
    served('ready', ({ ready_ms }) => ready_ms, 'lower', loaded),
    served('memory at start', ({ start_mb }) => start_mb, 'lower', loaded),
    served('create, then read', ({ pairs }) => pairs?.rate, 'higher'),
    ...sizes.map((size) =>
      ahead(
        `one of ${size.toLocaleString('en')} tasks`,
        'higher',
        peersAndOwn(growth.filter(({ tasks }) => tasks === size)).map(({ side, readings }) => ({
          name: side.name,
          own: side.kind === 'own',
          values: readings.map(({ get }) => get.rate),
        })),
      ),
    ),
    inside(
      'made and disposed of in process',
      ({ ms }) => ms,
      () => true,
    ),
    inside(
      'a request in process',
      ({ us }) => us,
      () => true,
    ),
    inside(
      'made and disposed of through msw',
      ({ ms }) => ms,
      ({ throughMsw }) => throughMsw,
    ),
    inside(
      'a request through msw',
      ({ us }) => us,
      ({ throughMsw }) => throughMsw,
    ),
  ]
}

type Better = 'higher' | 'lower'

/** Whether our best is ahead of each of the others, by the median of the ratios in the same rounds. */
export function ahead(row: string, better: Better, all: readonly Standing[], because = ''): Goal {
  const sign = better === 'higher' ? -1 : 1
  const [own] = all.filter((one) => one.own).sort((a, b) => sign * (median(a.values) - median(b.values)))
  const lead = (peer: Standing) =>
    better === 'higher'
      ? ratioOf(own?.values ?? [], peer.values).median
      : ratioOf(peer.values, own?.values ?? []).median
  const [next] = all.filter((one) => !one.own && one.values.length > 0).sort((a, b) => lead(a) - lead(b))
  if (!own || !next) return { what: `ahead: ${row}`, measured: 'no peer', reached: true, because }
  const write = (value: number) => value.toFixed(value < 100 ? 1 : 0)
  return {
    what: `ahead of every peer: ${row}`,
    measured: `${lead(next).toFixed(2)} times ${next.name} (${write(median(own.values))} against ${write(median(next.values))})`,
    reached: lead(next) > 1,
    because,
  }
}
