/** What all checks of a run share, whichever organization they test. */
import { randomUUID } from 'node:crypto'
import type { Exchange } from '#traffic/exchange.ts'
import { Recorder } from '../client/recorder.ts'
import { Budget } from './budget.ts'
import { Gate } from './gate.ts'
import { Lateness } from './lateness.ts'
import { Patience } from './patience.ts'
import type { Settings } from './terms.ts'

/** A key that the run has created. */
export interface MadeKey {
  readonly id: string | undefined
  readonly secret: string
  /** Other strings of the response that may work as a key. */
  readonly others: readonly string[]
  /** The number of the exchange that returned it. */
  readonly shownBy: number
}

export class RunState {
  /** Marks everything that the run creates. */
  readonly runId: string
  readonly recorder = new Recorder()
  readonly budget: Budget
  readonly patience: Patience
  /** To the second organization. */
  readonly gate = new Gate()
  /** Held while credits of the second organization are spent, or its balance has to stand still. */
  readonly otherBalance = new Gate()
  /** Held while unread notifications are counted. */
  readonly unreadCount = new Gate()
  readonly lateness = new Lateness()
  /** The violations so far: what follows from one is no violation of its own. */
  readonly violations: { readonly id: string; readonly evidence: readonly Exchange[] }[] = []
  /** Why the service became unreachable; undefined: it answers. */
  unreachable: string | undefined
  /** Activity of others was seen in the organization. */
  disturbed = false
  /** Other checks run at the same time: what fails is repeated alone. */
  overlapped = false
  /** The requirement whose check runs alone; undefined: none does. */
  alone: string | undefined
  /** The check that is repeated was violated in the second organization too, so interference by others is unlikely. */
  confirming = false
  /** How often checks have been repeated because others may have interfered; evidence is then taken anew. */
  attempt = 0
  /** The names of the shared evidence that was taken, in order. */
  readonly evidence = new Set<string>()
  #named = 0
  readonly #selected: ReadonlySet<string> | undefined

  /** planned: credits that the selected requirements may spend together; selected: their ids, undefined: all. */
  constructor(settings: Settings, planned?: number, selected?: ReadonlySet<string>) {
    this.#selected = selected
    this.runId = settings.runId ?? `verify-${randomUUID().slice(0, 8)}`
    this.budget = new Budget(settings.readOnly ? 0 : settings.maxCredits, planned)
    this.patience = new Patience(settings.runTimeout)
  }

  /** Whether a requirement is selected: shared evidence leaves out what serves only others. */
  wants(id: string): boolean {
    return this.#selected?.has(id) ?? true
  }

  /** Whether shared evidence serves one of these: the one whose check runs alone, else those that are selected. */
  isFor(...ids: readonly string[]): boolean {
    return this.alone === undefined ? ids.some((id) => this.wants(id)) : ids.includes(this.alone)
  }

  /** A unique text, marked with the run id. */
  name(what: string): string {
    return `${what} (${this.runId}-${++this.#named})`
  }

  /** The marks of unique texts in a text. */
  namesIn(text: string): string[] {
    return [...text.matchAll(/\(([\w-]+-\d+)\)/g)].flatMap(([mark, name]) =>
      name?.startsWith(this.runId) ? [mark] : [],
    )
  }
}
