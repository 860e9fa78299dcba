/**
 * The state of a mock as a log: a snapshot, and lines with what has changed since, which `parseStateFile` reads back. A
 * line holds rows of an organization; or the rest of its state, which completes the rows before it; or the state of the
 * mock itself.
 */

import { z } from 'zod'
import { parseJson } from '#traffic/json-bounds.ts'
import { appendOnlyResources, type TrackedResource } from '../core/changes.ts'
import type { Organization } from '../core/organization.ts'
import type { LedgerEntry, Run, Task } from '../core/resources.ts'
import type { MockParts, RequestSummary } from '../pipeline/service.ts'
import { agentStateOfTasks, savedMockState, savedTenantStateOf } from './snapshot.ts'

/** The lists of an organization, each only appended to. */
const listNames = [...appendOnlyResources, 'prospects', 'campaigns'] as const
type ListName = (typeof listNames)[number]

/** Maximum number of rows in a line, so that writing it takes about a millisecond. */
const mostRows = 100
/** Maximum number of organizations to look at before the mock may go on with other work. */
const mostLookedAt = 500

interface Written {
  readonly org: Organization
  /** The rows that were added or changed since they were last written. */
  readonly changed: Map<object, TrackedResource>
  /** The rest of its state as last written, as text; empty if nothing is written yet. */
  apart: string
}

/** Follows the changes of a mock and returns them as lines for its state file (`--state`), each change once. */
export type StateLog = ReturnType<typeof createStateLog>

/**
 * Starts to follow the changes of a mock, for its state file. `known`: true if the file holds the present state
 * already.
 */
export function createStateLog(service: MockParts, known: boolean) {
  const { tenants, observers } = service
  const written = new Map<string, Written>()
  /** Ids of organizations that had requests since the last call of `changes`. */
  let called = new Set<string>()
  /** True if a control call may have changed anything, the mock itself included. */
  let isControlled = !known
  const observe = ({ org_id }: RequestSummary) => void (org_id !== null && called.add(org_id))
  observers.add(observe)
  if (known)
    for (const org of tenants.organizations()) follow(tenants.nameOf(org) ?? '', org).apart = apartOf(org)

  function follow(name: string, org: Organization): Written {
    forget(name)
    const one = { org, changed: org.changes.follow(), apart: '' }
    written.set(name, one)
    return one
  }

  function forget(name: string): void {
    const one = written.get(name)
    one?.org.changes.unfollow(one.changed)
    written.delete(name)
  }

  function apartOf(org: Organization): string {
    const { free_since, other_work_until } = org.agent.times
    const agent = { free_since, other_work_until }
    return JSON.stringify({ ...savedTenantStateOf(service, org), state: { ...org.dumpApart(), agent } })
  }

  function* changesOf(org: Organization): Generator<string> {
    const name = tenants.nameOf(org)
    if (name === undefined) return
    let one = written.get(name)
    if (one?.org !== org) {
      one = follow(name, org)
      yield line({ organization: name, fresh: true })
      for (const rows of inGroups(rowsOf(org))) yield line({ organization: name, rows })
    }
    const { changed } = one
    // Rows that change meanwhile are written again, so that the last line describes one moment.
    for (let again = 0; again < 10 && changed.size > mostRows; again++)
      for (const rows of inGroups(takeRows(org, changed))) yield line({ organization: name, rows })
    // The organization was replaced meanwhile: the one in its place is new.
    if (tenants.nameOf(org) === undefined) return
    const rest = [...inGroups(takeRows(org, changed))].map((rows) => line({ organization: name, rows }))
    const apart = apartOf(org)
    if (rest.length === 0 && apart === one.apart) return
    one.apart = apart
    const time = { now: service.clock.now(), frozen: service.clock.frozen }
    rest.push(`{"organization":${JSON.stringify(name)},"apart":${apart},"clock":${JSON.stringify(time)}}\n`)
    yield rest.join('')
  }

  return {
    /** Returns the first line of a log: a snapshot without organizations, which the changes then add. */
    head: () => line({ of: 'mock', version: 1, ...savedMockState(service), organizations: [] }),
    /** Notes that a control call may have changed any organization; requests are noticed without this. */
    controlled(): void {
      isControlled = true
    },
    /** Stops following the changes. */
    close(): void {
      observers.delete(observe)
      for (const name of [...written.keys()]) forget(name)
    },
    /**
     * Yields what has changed since the last call: lines that end with a line break, or an empty text; the mock may go
     * on in between. After the last text, everything that happened before the call is written.
     */
    *changes(): Generator<string> {
      const [before, all] = [called, isControlled]
      called = new Set()
      isControlled = false
      if (all) {
        const gone = [...written.keys()].filter((name) => !tenants.isTaken(name))
        for (const name of gone) forget(name)
        yield line({ mock: savedMockState(service), gone })
      }
      let looked = 0
      // In the order of the mock, in which they are read back.
      for (const org of tenants.organizations()) {
        if (++looked % mostLookedAt === 0) yield ''
        if (all || before.has(org.id)) yield* changesOf(org)
      }
    },
  }
}

const line = (content: object) => `${JSON.stringify(content)}\n`

type ListedRow = readonly [ListName, object]

/** Yields every row of an organization, also those that are added meanwhile. */
function* rowsOf(org: Organization): Generator<ListedRow> {
  for (const name of listNames)
    for (const row of name === 'ledger' ? org.ledger.entries : org.lists[name].all()) yield [name, row]
}

/** Yields the rows that have changed until now (for a run, its task), and forgets them. */
function* takeRows(org: Organization, changed: Map<object, TrackedResource>): Generator<ListedRow> {
  for (const [row, resource] of changed.entries().take(changed.size)) {
    changed.delete(row)
    const [name, whole] =
      resource === 'runs' ? ['tasks', org.tasks.get((row as Run).task_id)] : [resource, row]
    if (whole && isListName(name)) yield [name, whole]
  }
}

const isListName = (name: string): name is ListName => (listNames as readonly string[]).includes(name)

/** Yields rows by list, at most `mostRows` at a time. */
function* inGroups(rows: Iterable<ListedRow>): Generator<Partial<Record<ListName, object[]>>> {
  let group: Partial<Record<ListName, object[]>> = {}
  let size = 0
  for (const [name, row] of rows) {
    group[name] ??= []
    group[name].push(row)
    if (++size % mostRows > 0) continue
    yield group
    group = {}
  }
  if (size % mostRows > 0) yield group
}

/** A row; all its fields are checked when the snapshot is restored. */
const row = z.looseObject({ id: z.string() })
type Row = z.output<typeof row>

const logLine = z.union([
  z.object({
    organization: z.string(),
    /** The organization begins anew: earlier lines about it no longer count. */
    fresh: z.literal(true).optional(),
    rows: z.partialRecord(z.enum(listNames), z.array(row)).optional(),
    apart: z.looseObject({ state: z.looseObject({ agent: z.looseObject({}) }) }).optional(),
    clock: z.unknown().optional(),
  }),
  z.object({ mock: z.looseObject({}), gone: z.array(z.string()) }),
])
type OrganizationLine = Exclude<z.output<typeof logLine>, { mock: unknown }>

/** A snapshot of a mock, with only the fields that are read here. */
const base = z.looseObject({
  of: z.literal('mock'),
  organizations: z.array(
    z.looseObject({
      name: z.string(),
      state: z.looseObject(Object.fromEntries(listNames.map((name) => [name, z.array(row)]))),
    }),
  ),
})

/** The content of a state file: its newest state, and whether lines can be added to it. */
interface StoredLog {
  /** A snapshot with all changes after it. */
  readonly snapshot: unknown
  /** True if it is a snapshot on one line, to which lines can be added. */
  readonly isPlain: boolean
}

/**
 * Reads a state file: a snapshot, then one line for each later change. A last line without a line break was only half
 * written and is ignored. @throws Error that names the invalid line.
 */
export function parseStateFile(text: string): StoredLog {
  const [first = '', ...lines] = text.split('\n')
  const start = parseJson(first)
  if (start === undefined || lines.length === 0) return { snapshot: whole(text), isPlain: false }
  const last = lines.pop()
  if (lines.length === 0 && last === '') return { snapshot: start, isPlain: true }
  const read = base.safeParse(start)
  if (!read.success) return { snapshot: whole(text), isPlain: false }
  const organizations = new Map<string, Saved>(read.data.organizations.map((one) => [one.name, savedAs(one)]))
  /** Lines of each organization that wait for its next complete line. */
  const open = new Map<string, OrganizationLine[]>()
  let mock: object = read.data
  for (const [place, one] of lines.entries()) {
    const { data } = logLine.safeParse(parseJson(one))
    if (!data)
      throw new Error(
        `line ${place + 2} holds no change; delete it and all lines after it, to go on from before`,
      )
    if ('mock' in data) {
      for (const name of data.gone) for (const all of [organizations, open]) all.delete(name)
      mock = { ...mock, ...data.mock }
      continue
    }
    const { organization: name, fresh, apart, clock } = data
    const group = (!fresh && open.get(name)) || []
    group.push(data)
    open.set(name, group)
    if (!apart) continue
    open.delete(name)
    const isFresh = group[0]?.fresh
    const { lists } = (!isFresh && organizations.get(name)) || savedAs({ state: {} })
    for (const { rows } of group) put(lists, rows)
    // A new organization comes last, as in the mock.
    if (isFresh) organizations.delete(name)
    organizations.set(name, { apart, lists, isChanged: true })
    mock = { ...mock, clock }
  }
  return { snapshot: { ...mock, organizations: [...organizations.values()].map(wholeOf) }, isPlain: false }
}

type Rows = Partial<Record<ListName, Row[]>>
type Apart = Readonly<Record<string, unknown>> & { readonly state: Readonly<Record<string, unknown>> }

type Saved = ReturnType<typeof savedAs>

/**
 * One organization as it is read. `apart`: what its last complete line says, without rows; or all that the snapshot
 * has.
 */
function savedAs(apart: Apart, isChanged = false) {
  const lists = Object.fromEntries(listNames.map((name) => [name, new Map()])) as Lists
  put(lists, apart.state as Rows)
  return { apart, lists, isChanged }
}

type Lists = Record<ListName, Map<string, Row>>

function put(lists: Lists, rows: Rows = {}): void {
  for (const name of listNames) for (const one of rows[name] ?? []) lists[name].set(one.id, one)
}

function wholeOf({ apart, lists, isChanged }: Saved): object {
  if (!isChanged) return apart
  const { state } = apart
  const rows = Object.fromEntries(listNames.map((name) => [name, [...lists[name].values()]]))
  const { tasks, ledger } = rows as { tasks: unknown[]; ledger: unknown[] }
  const agent = { ...(state.agent as object), ...agentStateOfTasks(tasks as Task[], ledger as LedgerEntry[]) }
  return { ...apart, state: { ...state, ...rows, agent } }
}

/** Parses a text that is JSON as a whole. @throws Error if it is not. */
function whole(text: string): unknown {
  const json = parseJson(text)
  if (json === undefined) throw new Error('it is not JSON')
  return json
}
