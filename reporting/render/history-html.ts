/** Renders a history in lanes: one that `--history` wrote, or one that the search found and saved. */
import { html } from '../markup.ts'
import { documentOf } from './html.ts'
import { layOut, type Moment } from './text.ts'

/** The newest events that are drawn. */
const most = 1_000

/** A step of a finding: what it is, and its values. */
interface Step {
  readonly kind: string
  readonly at?: number
  readonly tenant?: string
  readonly operation?: string
  readonly calls?: readonly Step[]
}

/** The file of a finding. */
interface SavedFinding {
  readonly requirement: string
  readonly steps: readonly Step[]
  /** What the specification allowed at the end, and what came. */
  readonly expected?: string
  readonly actual?: string
  /** What was possible before the last step, in sentences. */
  readonly before?: readonly string[]
  /** The same before each step. */
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

/** Renders the text of a history or of a finding; undefined: it is neither. */
export function renderHistory(text: string, json: unknown): string | undefined {
  if (isFinding(json)) return renderFinding(json)
  const events = readEvents(text)
  if (!events) return undefined
  const facts = `${events.length} events${events.length > most ? `, the newest ${most} drawn` : ''}`
  const header = `<header><h1>History</h1><p class="headline">${facts}</p></header>`
  return documentOf('History', lanesStyle, header + lanesOf(events.slice(-most).map(momentOf)))
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
  const rows = texts.map(([name, value]) => `<dt>${name}</dt><dd class="${name}">${html(String(value))}</dd>`)
  const header = `<header class="failed"><h1>${html(String(requirement))} <b>failed</b></h1></header>`
  return documentOf(
    'Finding',
    lanesStyle,
    `${header}<dl class="rows">${rows.join('')}</dl>${lanesOf(moments)}`,
  )
}

/** The lanes; what stands beside or above what is a place in a grid. */
function lanesOf(moments: readonly Moment[]): string {
  const { columns, names, boxes } = layOut(moments)
  const item = (name: string, { row, column }: { row: string; column: string }, inner: string) =>
    `<li class="${name}" style="grid-row:${row};grid-column:${column}">${inner}</li>`
  const heads = names.map((one) => item('lane-name', one, html(one.name)))
  const items = boxes.map((box) =>
    item(
      `box ${box.kind}`,
      box,
      `<code>${html(box.text)}</code>${box.answer === undefined ? '' : ` <b>${html(box.answer)}</b>`}`,
    ),
  )
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

function momentsOf(step: Step, place: number, before: SavedFinding['before']): Moment[] {
  const { kind, at: _, tenant = 'main', operation = kind, calls, ...values } = step
  if (calls) return calls.flatMap((call, nth) => momentsOf(call, place, nth === 0 ? before : undefined))
  const text = `${operation} ${JSON.stringify(values)}`
  return [{ lane: tenant, text, kind: kind === 'call' ? 'ok' : 'arranged', from: place, to: place, before }]
}

function momentOf(event: Event): Moment {
  const {
    kind,
    tenant,
    operation,
    resource = '',
    state,
    action,
    params,
    before,
    sent,
    received,
    answer,
  } = event
  const lane = tenant ?? 'unknown'
  if (kind === 'arranged') {
    const to = received?.place ?? sent.place
    return { lane, text: `${action} ${state} ${JSON.stringify(params)}`, kind, from: sent.place, to, before }
  }
  const text = `${operation} ${resource}`
  if (!answer)
    return { lane, text, answer: 'no answer', kind: 'none', from: sent.place, to: sent.place, before }
  const { status } = answer
  const outcome = status < 400 ? 'ok' : 'refused'
  return {
    lane,
    text,
    answer: String(status),
    kind: outcome,
    from: sent.place,
    to: answer.received.place,
    before,
  }
}
