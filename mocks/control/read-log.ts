/** Reads what a `StateLog` wrote after a snapshot. */
import { z } from 'zod'
import type { LedgerEntry, Task } from '../core/resources.ts'
import { runsOfAgent } from './snapshot.ts'
import { type ListName, listNames } from './state-log.ts'

/** A row is checked when the snapshot is restored. */
const row = z.looseObject({ id: z.string() })
type Row = z.output<typeof row>

const logLine = z.union([
  z.object({
    organization: z.string(),
    /** The organization begins anew. */
    fresh: z.literal(true).optional(),
    rows: z.partialRecord(z.enum(listNames), z.array(row)).optional(),
    apart: z.looseObject({ state: z.looseObject({ agent: z.looseObject({}) }) }).optional(),
    clock: z.unknown().optional(),
  }),
  z.object({ mock: z.looseObject({}), gone: z.array(z.string()) }),
])
type LogLine = z.output<typeof logLine>

/** A snapshot of a mock as far as it is read here. */
const base = z.looseObject({
  of: z.literal('mock'),
  organizations: z.array(
    z.looseObject({
      name: z.string(),
      state: z.looseObject(Object.fromEntries(listNames.map((name) => [name, z.array(row)]))),
    }),
  ),
})

/** What a file holds. */
export interface Log {
  /** A snapshot with all changes after it. */
  readonly snapshot: unknown
  /** Whether it is a snapshot on one line, to which lines can be added. */
  readonly isPlain: boolean
}

/**
 * Reads a snapshot, and the lines of changes after it, if there are any. A last line without a line break is half
 * written and does not count. @throws Error that names the line that is wrong.
 */
export function readLog(text: string): Log {
  const [first = '', ...lines] = text.split('\n')
  const start = parse(first)
  if (start === undefined || lines.length === 0) return { snapshot: whole(text), isPlain: false }
  const last = lines.pop()
  if (lines.length === 0 && last === '') return { snapshot: start, isPlain: true }
  const read = base.safeParse(start)
  if (!read.success) return { snapshot: whole(text), isPlain: false }
  const organizations = new Map(read.data.organizations.map((one) => [one.name, new SavedOrganization(one)]))
  let mock: object = read.data
  for (const [place, one] of lines.entries()) {
    const json = parse(one)
    const { data } = logLine.safeParse(json)
    if (!data)
      throw new Error(
        `line ${place + 2} holds no change; delete it and all lines after it, to go on from before`,
      )
    mock = apply(data, mock, organizations)
  }
  const saved = [...organizations.values()].flatMap((one) => one.snapshot() ?? [])
  return { snapshot: { ...mock, organizations: saved }, isPlain: false }
}

function apply(line: LogLine, mock: object, organizations: Map<string, SavedOrganization>): object {
  if ('mock' in line) {
    for (const name of line.gone) organizations.delete(name)
    return { ...mock, ...line.mock }
  }
  const { organization: name, fresh, rows, apart, clock } = line
  const one = organizations.get(name) ?? new SavedOrganization()
  if (fresh) one.begin()
  if (rows) one.add(rows)
  // What begins anew comes last, as in the mock.
  if (apart && one.isFresh) organizations.delete(name)
  organizations.set(name, one)
  if (!apart) return mock
  one.finish(apart)
  return { ...mock, clock }
}

type Rows = Partial<Record<ListName, Row[]>>
type Apart = Readonly<Record<string, unknown>> & { readonly state: Readonly<Record<string, unknown>> }

/** An organization of which lines are read. */
class SavedOrganization {
  /** As its last complete lines say, but without rows unless it is of the snapshot; undefined: none are complete. */
  #complete: Apart | undefined
  readonly #first: Apart | undefined
  #lists = emptyLists()
  /** Rows since then. */
  #rows: Rows[] = []
  /** Whether it begins anew with its next complete lines. */
  isFresh = false

  constructor(first?: Apart) {
    this.#first = first
    this.#complete = first
    if (first) this.#put(first.state as Rows)
  }

  begin(): void {
    this.isFresh = true
    this.#rows = []
  }

  add(rows: Rows): void {
    this.#rows.push(rows)
  }

  finish(apart: Apart): void {
    if (this.isFresh) this.#lists = emptyLists()
    this.isFresh = false
    for (const rows of this.#rows) this.#put(rows)
    this.#rows = []
    this.#complete = apart
  }

  /** Returns it as in a snapshot. */
  snapshot(): object | undefined {
    if (!this.#complete || this.#complete === this.#first) return this.#complete
    const { state } = this.#complete
    const rows = Object.fromEntries(listNames.map((name) => [name, [...this.#lists[name].values()]]))
    const { tasks, ledger } = rows as { tasks: unknown[]; ledger: unknown[] }
    const agent = { ...(state.agent as object), ...runsOfAgent(tasks as Task[], ledger as LedgerEntry[]) }
    return { ...this.#complete, state: { ...state, ...rows, agent } }
  }

  #put(rows: Rows): void {
    for (const name of listNames) for (const one of rows[name] ?? []) this.#lists[name].set(one.id, one)
  }
}

const emptyLists = () =>
  Object.fromEntries(listNames.map((name) => [name, new Map()])) as Record<ListName, Map<string, Row>>

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @throws Error if a text is no JSON. */
function whole(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('it is not JSON')
  }
}
