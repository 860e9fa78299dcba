/** Renders a history in lanes: one that `--history` wrote, or one that the search found and saved. */
import { escapeHtml } from '../markup.ts'
import { htmlDocumentOf } from './html.ts'

/** The newest events that are drawn. */
const most = 1_000

/** A step of a finding: what it is, and its values. */
interface Step {
  readonly kind: string
  readonly stepId?: number
  /** The id of the step in files of earlier versions, in place of `stepId`. */
  readonly at?: number
  readonly tenant?: string
  readonly operation?: string
  readonly calls?: readonly Step[]
}

/** The file of a finding. */
interface SavedFinding {
  readonly requirement: string
  readonly steps: readonly Step[]
  /** Answer that the specification allowed at the end, and the one that came. */
  readonly expected?: string
  readonly actual?: string
  /** The states that were possible before the last step, in sentences. */
  readonly before?: readonly string[]
  /** The states that were possible before each step, in sentences. */
  readonly before_steps?: readonly (readonly string[])[]
}

/** An event of a history. */
interface Event {
  readonly kind: 'request' | 'arranged'
  readonly tenant: string | null
  readonly operation?: string
  readonly resource?: string
  readonly state?: string
  readonly action?: string
  readonly params?: unknown
  readonly before?: readonly string[]
  readonly sent: { readonly place: number }
  readonly received?: { readonly place: number }
  readonly answer?: { readonly status: number; readonly received: { readonly place: number } } | null
}

/** Renders a history, or a finding of the search, as HTML lanes; undefined if the text is neither. */
export function renderHistory(text: string, json: unknown): string | undefined {
  if (isFinding(json)) return renderFinding(json)
  const events = readEvents(text)
  if (!events) return undefined
  const facts = `${events.length} events${events.length > most ? `, the newest ${most} drawn` : ''}`
  const header = `<header><h1>History</h1><p class="headline">${facts}</p></header>`
  return htmlDocumentOf('History', lanesStyle, header + lanesOf(events.slice(-most).map(momentOf)))
}

const isFinding = (json: unknown): json is SavedFinding =>
  typeof json === 'object' && json !== null && 'requirement' in json && 'steps' in json

function renderFinding(finding: SavedFinding): string {
  const { requirement, steps, expected, actual, before, before_steps } = finding
  const last = steps.length - 1
  const moments = steps.flatMap((step, place) => {
    const some = momentsOf(step, place, place === last ? before : before_steps?.[place])
    return place === last && actual !== undefined
      ? some.map((one) => ({ ...one, kind: 'wrong' as const }))
      : some
  })
  const texts = Object.entries({ expected, actual }).filter(([, value]) => value !== undefined)
  const rows = texts.map(
    ([name, value]) => `<dt>${name}</dt><dd class="${name}">${escapeHtml(String(value))}</dd>`,
  )
  const header = `<header class="failed"><h1>${escapeHtml(String(requirement))} <b>failed</b></h1></header>`
  const body = `${header}<dl class="rows">${rows.join('')}</dl>${lanesOf(moments)}`
  return htmlDocumentOf('Finding', lanesStyle, body)
}

/** The lanes as HTML: what stands beside or above what is told by positions in a grid. */
function lanesOf(moments: readonly TimelineBox[]): string {
  const { columns, names, boxes } = layOutTimeline(moments)
  const item = (name: string, { row, column }: { row: string; column: string }, inner: string) =>
    `<li class="${name}" style="grid-row:${row};grid-column:${column}">${inner}</li>`
  const heads = names.map((one) => item('lane-name', one, escapeHtml(one.name)))
  const items = boxes.map((box) => {
    const answer = box.answer === undefined ? '' : ` <b>${escapeHtml(box.answer)}</b>`
    return item(`box ${box.kind}`, box, `<code>${escapeHtml(box.text)}</code>${answer}`)
  })
  return `<div class="lanes"><ol style="grid-template-columns:repeat(${columns},minmax(9rem,1fr))">${heads.join('')}${items.join('\n')}</ol></div>`
}

const lanesStyle = `
.rows, .lanes { margin: 0 1.25rem 1rem; } .lanes { overflow: auto; } .lanes ol { display: grid; gap: 2px 6px; margin: 0; padding: 0; list-style: none; }
.lane-name { font-weight: 600; border-bottom: 2px solid var(--line); } .box { padding: 2px 8px; border-left: 3px solid var(--tone); background: var(--soft); overflow-wrap: anywhere; }
.ok { --tone: var(--ok); } .refused { --tone: var(--warn); } .none, .wrong { --tone: var(--bad); } .possible { border: 1px dashed var(--line); background: none; }
`

/** The events of a history; undefined: some line is none. */
function readEvents(text: string): Event[] | undefined {
  try {
    const lines = text.trim().split('\n')
    const events = lines.map((line) => JSON.parse(line) as Event)
    return events.every(({ sent }) => typeof sent?.place === 'number') ? events : undefined
  } catch {
    return undefined
  }
}

function momentsOf(step: Step, place: number, before: SavedFinding['before']): TimelineBox[] {
  const { kind, stepId: _, at: __, tenant = 'main', operation = kind, calls, ...values } = step
  if (calls) return calls.flatMap((call, nth) => momentsOf(call, place, nth === 0 ? before : undefined))
  const text = `${operation} ${JSON.stringify(values)}`
  return [{ lane: tenant, text, kind: kind === 'call' ? 'ok' : 'arranged', from: place, to: place, before }]
}

function momentOf({ kind, tenant, before, sent, received, answer, ...event }: Event): TimelineBox {
  const at = { lane: tenant ?? 'unknown', before, from: sent.place, to: sent.place }
  if (kind === 'arranged') {
    const text = `${event.action} ${event.state} ${JSON.stringify(event.params)}`
    return { ...at, text, kind, to: received?.place ?? sent.place }
  }
  const text = `${event.operation} ${event.resource ?? ''}`
  if (!answer) return { ...at, text, answer: 'no answer', kind: 'none' }
  const { status, received: end } = answer
  return { ...at, text, answer: String(status), kind: status < 400 ? 'ok' : 'refused', to: end.place }
}

/** A box in a lane of the timeline, such as a request, from one moment of the history to another. */
export interface TimelineBox {
  readonly lane: string
  readonly text: string
  /** The answer to the request. */
  readonly answer?: string | undefined
  readonly kind: 'ok' | 'refused' | 'none' | 'arranged' | 'wrong'
  readonly from: number
  readonly to: number
  /** The states that the service could have been in before it, in sentences. */
  readonly before?: readonly string[] | undefined
}

/**
 * Lays boxes out in a grid with one column for each lane. Below a row with the names, each moment has a row, in the
 * order of time; above it comes a row for the states that were possible before it. Lines are counted from 1.
 */
export function layOutTimeline(moments: readonly TimelineBox[]) {
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
  const boxes = sorted.flatMap(({ lane, text, answer, kind, from, to, before }, place) => {
    const row = rows.get(from) ?? 0
    const alone = sorted.every(
      (one, at) => at === place || one.lane !== lane || one.from > to || one.to < from,
    )
    const column = alone ? whole(lane) : String((first.get(lane) ?? 1) + (tracks[place] ?? 0))
    const box = { text, answer, kind, row: `${row} / ${(rows.get(to) ?? row) + 1}`, column }
    if (!before?.length) return [box]
    const above = { row: String(row - 1), column: whole(lane) }
    const possible = { text: `Possible before: ${before.join(' ')}`, answer: undefined, kind: 'possible' }
    return [{ ...possible, ...above }, box]
  })
  return { columns, names: [...lanes.keys()].map((name) => ({ name, row: '1', column: whole(name) })), boxes }
}

/** The row of each moment in time; where there are possible states to show, a row is left free above. */
function rowsOf(moments: readonly TimelineBox[]): ReadonlyMap<number, number> {
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
