/**
 * What a page that watches the mock has not been told yet. Nothing is collected while it waits: the journal is read
 * when the page is told, so that requests cost the same with and without it.
 */
import type { Organization } from '../core/organization.ts'
import type { Run } from '../core/resources.ts'
import { viewDocument, viewNotification, viewTask } from '../handlers/views.ts'
import { rowOf } from '../journal/view.ts'
import type { Service } from '../pipeline/service.ts'
import { viewOverview } from './overview.ts'

/** One message. */
export interface Frame {
  readonly event: 'hello' | 'requests' | 'gap' | 'restarted' | 'overview' | 'actions'
  readonly data: object
}

/** The most requests in a message: it bounds what a watched mock spends on them. */
const mostRows = 250
/** Of more, only as many of the newest as a screen shows. */
const rowsOfMany = 60
/** Number of requests that a page begins with. */
const firstRows = 200

/** Follows the journal and the organizations of a mock, or one organization. */
export class Feed {
  readonly #service: Service
  readonly #org: () => Organization | undefined
  #generation: number
  /** Number of the newest request that was told. */
  #told: number
  /** Number of the newest action of an operator that was told. */
  #acted = 0
  readonly #shown = new Map<string, string>()

  /** `org` returns the only organization to follow; `since`: the newest request that the page knows. */
  constructor(service: Service, org: () => Organization | undefined, since?: number) {
    this.#service = service
    this.#org = org
    this.#generation = service.journal.generation
    this.#told = since ?? this.#firstNumber()
  }

  /** Number of the newest request that was told. */
  get told(): number {
    return this.#told
  }

  /** Describes the journal. */
  hello(): Frame {
    const { oldest, newest, size } = this.#service.journal
    return { event: 'hello', data: { oldest, newest, journal_size: size } }
  }

  /** Returns what happened to the journal since the last call. */
  requests(): Frame[] {
    const { journal, tenants } = this.#service
    const frames: Frame[] = []
    if (journal.generation !== this.#generation || this.#told > journal.newest) {
      this.#generation = journal.generation
      this.#told = this.#firstNumber()
      this.#acted = 0
      frames.push({ event: 'restarted', data: {} })
    }
    const actions = this.#own(journal.actions.filter(({ number }) => number > this.#acted))
    this.#acted = journal.actions.at(-1)?.number ?? 0
    if (actions.length > 0) frames.push({ event: 'actions', data: { actions } })
    const { oldest, newest } = journal
    if (newest === this.#told) return frames
    if (oldest > this.#told + 1) frames.push({ event: 'gap', data: { from: this.#told + 1, to: oldest - 1 } })
    const found = this.#own(journal.after(this.#told))
    this.#told = newest
    if (found.length === 0) return frames
    const shown = found.length > mostRows ? found.slice(-rowsOfMany) : found
    const requests = shown.map((entry) => rowOf(entry, tenants.secrets))
    const skipped = found.length - requests.length
    frames.push({ event: 'requests', data: { requests, skipped, count: found.length, oldest, newest } })
    return frames
  }

  /** Returns the mock and those organizations that look different than at the last call; nothing: none does. */
  overview(): Frame[] {
    const { mock, organizations } = viewOverview(this.#service, this.#org())
    const existing = organizations.map(({ org_id }) => org_id)
    // The page forgets those that are gone, and may see them again, restored as they were.
    const gone = new Set(this.#shown.keys()).difference(new Set(['', ...existing]))
    for (const id of gone) this.#shown.delete(id)
    const changed = organizations.filter((one) => this.#differs(one.org_id, one, one.clock.frozen))
    const moved = this.#differs('', mock, mock.frozen)
    if (!moved && changed.length === 0) return []
    return [{ event: 'overview', data: { mock, organizations: changed, existing } }]
  }

  /** A running clock alone is no difference. */
  #differs(id: string, view: object, frozen: boolean): boolean {
    const text = JSON.stringify(view, (name, value) => (name === 'now' && !frozen ? undefined : value))
    if (this.#shown.get(id) === text) return false
    this.#shown.set(id, text)
    return true
  }

  #firstNumber(): number {
    const { oldest, newest } = this.#service.journal
    return Math.max(oldest - 1, newest - firstRows)
  }

  #own<Entry extends { readonly org_id: string | null }>(entries: readonly Entry[]): readonly Entry[] {
    const org = this.#org()
    return org ? entries.filter(({ org_id }) => org_id === org.id) : entries
  }
}

/** Rows in the order in which they were created. */
export interface ChangedRows {
  /** To pass to the next call. */
  readonly position: number
  /** Whether these are all rows: what changed since is not known, as after a reset. */
  readonly all: boolean
  readonly tasks: readonly ReturnType<typeof viewTask>[]
  readonly documents: readonly ReturnType<typeof viewDocument>[]
  readonly notifications: readonly ReturnType<typeof viewNotification>[]
}

/** Returns the rows that were added or changed after a position; without one, or if it is no longer known: all. */
export function changedRows(org: Organization, since?: number): ChangedRows {
  org.settled()
  const { position } = org.changes
  const changes = since === undefined || since > position ? undefined : org.changes.after(since)
  const changed = new Set(
    changes?.map(({ resource, row }) => (resource === 'runs' ? org.tasks.get((row as Run).task_id) : row)),
  )
  const rows = <Row extends object>(all: readonly Row[]) =>
    changes ? (changed.size === 0 ? [] : all.filter((row) => changed.has(row))) : all
  return {
    position,
    all: !changes,
    tasks: rows(org.tasks.all()).map(viewTask),
    documents: rows(org.documents.all()).map(viewDocument),
    notifications: rows(org.notifications.all()).map(viewNotification),
  }
}
