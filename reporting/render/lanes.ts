/** Lays moments of a history out in lanes, one for each organization: time runs down, what overlaps stands side by side. */

/** Something that took from one place in the history to another. */
export interface Moment {
  readonly lane: string
  readonly text: string
  /** What came of it. */
  readonly answer?: string | undefined
  readonly kind: 'ok' | 'refused' | 'none' | 'arranged' | 'wrong'
  readonly from: number
  readonly to: number
  /** What was possible before it, in sentences. */
  readonly before?: readonly string[] | undefined
}

/** A place in the grid; lines are counted from 1. */
interface Place {
  readonly row: string
  readonly column: string
}

/** A moment, or what was possible before it. */
export interface Box extends Place {
  readonly kind: Moment['kind'] | 'possible'
  readonly text: string
  readonly answer?: string | undefined
}

/** The lanes, with their names in the first row. */
export interface Lanes {
  readonly columns: number
  readonly names: readonly (Place & { readonly name: string })[]
  /** In the order of time. */
  readonly boxes: readonly Box[]
}

/** Lays moments out. */
export function layOut(moments: readonly Moment[]): Lanes {
  const sorted = moments.toSorted((a, b) => a.from - b.from)
  const rows = rowsOf(sorted)
  const lanes = new Map<string, number[]>()
  const tracks = sorted.map(({ lane, from, to }) => {
    const ends = lanes.get(lane) ?? []
    lanes.set(lane, ends)
    const free = ends.findIndex((end) => end < from)
    const track = free < 0 ? ends.length : free
    ends[track] = to
    return track
  })
  const first = new Map<string, number>()
  let columns = 0
  for (const [lane, ends] of lanes) {
    first.set(lane, columns + 1)
    columns += ends.length
  }
  const whole = (lane: string) => `${first.get(lane)} / span ${lanes.get(lane)?.length}`
  const boxes = sorted.flatMap(({ lane, text, answer, kind, from, to, before }, place): Box[] => {
    const row = rows.get(from) ?? 0
    const alone = sorted.every(
      (one, at) => at === place || one.lane !== lane || one.from > to || one.to < from,
    )
    const column = alone ? whole(lane) : String((first.get(lane) ?? 1) + (tracks[place] ?? 0))
    const box: Box = { text, answer, kind, row: `${row} / ${(rows.get(to) ?? row) + 1}`, column }
    if (!before?.length) return [box]
    const possible = `Possible before: ${before.join(' ')}`
    return [{ text: possible, kind: 'possible', row: String(row - 1), column: whole(lane) }, box]
  })
  return { columns, names: [...lanes.keys()].map((name) => ({ name, row: '1', column: whole(name) })), boxes }
}

/** The row of each place; above one with possible states, a row is left for them. */
function rowsOf(moments: readonly Moment[]): ReadonlyMap<number, number> {
  const before = new Set(moments.flatMap((one) => (one.before?.length ? [one.from] : [])))
  const places = [...new Set(moments.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
  let row = 1
  return new Map(
    places.map((place) => {
      row += before.has(place) ? 2 : 1
      return [place, row] as const
    }),
  )
}
