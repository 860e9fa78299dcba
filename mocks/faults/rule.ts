/** Fault rules: what to do to which requests, how often; each counts what it met and what it did. */
import type { OperationId } from '#contract/operation.ts'
import { createRandom, type SeededRandom } from '../core/random.ts'
import { concerns, type Instruction, instructionText, parseInstruction } from './instruction.ts'
import type { CountState, RuleState } from './state.ts'

/** A rule as it is written. */
export interface RuleDraft {
  /** Undefined: the next number. */
  readonly id?: string | undefined
  /** Undefined: every operation. */
  readonly operation?: OperationId | undefined
  /** Undefined: every organization, each on its own count. */
  readonly org_id?: string | undefined
  /** What to do, in turn. */
  readonly faults: readonly Instruction[]
  /** How often, for each organization; undefined: a list once through, a single fault for ever. */
  readonly times?: number | undefined
  /** Share of requests, 0 to 1. */
  readonly rate?: number | undefined
  /** Requests to let pass first. */
  readonly after?: number | undefined
  readonly seed?: string | undefined
  /** Never more than so many faults in a row on one operation of an organization. */
  readonly mostInARow?: number | undefined
}

/** A rule and what it has done so far: to one organization where it is asked for that, else to all. */
export interface RuleReport {
  readonly id: string
  readonly operation: OperationId | null
  readonly org_id: string | null
  readonly faults: readonly string[]
  /** Null: no end. */
  readonly times: number | null
  readonly rate: number
  readonly after: number
  /** Requests that it was asked about. */
  readonly matched: number
  /** Requests to which it did something. */
  readonly fired: number
  /** What is left to do, for the organization to which it has done most; null: no end. */
  readonly remaining: number | null
}

interface Count {
  matched: number
  /** Places in the list that were taken. */
  used: number
  fired: number
  readonly inARow: Map<OperationId, number>
  readonly chance: SeededRandom
}

/** What a rule says about a request. */
export interface Fired {
  readonly instruction: Instruction
  readonly reason: string
}

export class FaultRule {
  readonly id: string
  readonly draft: RuleDraft
  readonly seed: string
  readonly #times: number
  readonly #counts = new Map<string, Count>()

  constructor(id: string, draft: RuleDraft, seed: string) {
    this.id = id
    this.draft = draft
    this.seed = draft.seed ?? seed
    this.#times = draft.times ?? (draft.faults.length > 1 ? draft.faults.length : Number.POSITIVE_INFINITY)
  }

  /** What to do to a request, counted; undefined: nothing, as far as this rule goes. */
  match(operation: OperationId, org_id: string): Fired | undefined {
    const { draft } = this
    if (draft.operation !== undefined && draft.operation !== operation) return undefined
    if (draft.org_id !== undefined && draft.org_id !== org_id) return undefined
    const count = this.#countOf(org_id)
    const instruction = draft.faults[count.used % draft.faults.length]
    if (!instruction || !concerns(operation, instruction)) return undefined
    count.matched++
    if (count.matched <= (draft.after ?? 0) || count.used >= this.#times) return undefined
    if (!this.#strikes(count, operation)) return undefined
    count.used++
    if (instruction.kind !== 'ok') count.fired++
    return { instruction, reason: this.#reason(instruction, count) }
  }

  /** What it has done: to one organization, or to all. */
  report(org_id?: string): RuleReport {
    const { operation, faults, rate, after } = this.draft
    const counts = [...this.#counts].filter(([id]) => org_id === undefined || id === org_id)
    const sum = (of: 'matched' | 'fired') => counts.reduce((total, [, count]) => total + count[of], 0)
    const used = Math.max(0, ...counts.map(([, count]) => count.used))
    return {
      id: this.id,
      operation: operation ?? null,
      org_id: this.draft.org_id ?? null,
      faults: faults.map(instructionText),
      times: finite(this.#times),
      rate: rate ?? 1,
      after: after ?? 0,
      matched: sum('matched'),
      fired: sum('fired'),
      remaining: finite(Math.max(0, this.#times - used)),
    }
  }

  /** Forgets what it counted: of one organization, or of all. */
  reset(org_id?: string): void {
    if (org_id === undefined) this.#counts.clear()
    else this.#counts.delete(org_id)
  }

  /** The rule itself, without its counts. */
  get state(): RuleState {
    const { operation, faults, rate, after, mostInARow } = this.draft
    return {
      id: this.id,
      operation: operation ?? null,
      faults: faults.map(instructionText),
      times: finite(this.#times),
      rate: rate ?? null,
      after: after ?? 0,
      seed: this.seed,
      most_in_a_row: mostInARow ?? null,
    }
  }

  /** What it counted of an organization; undefined: nothing yet. */
  dump(org_id: string): CountState | undefined {
    const count = this.#counts.get(org_id)
    if (!count) return undefined
    const { matched, used, fired, inARow, chance } = count
    return { matched, used, fired, in_a_row: Object.fromEntries(inARow), chance: chance.dump() }
  }

  restore(org_id: string, { in_a_row, chance, ...numbers }: CountState): void {
    const count = Object.assign(this.#countOf(org_id), numbers)
    count.inARow.clear()
    for (const [operation, n] of Object.entries(in_a_row)) count.inARow.set(operation as OperationId, n)
    count.chance.restore(chance)
  }

  #countOf(org_id: string): Count {
    const known = this.#counts.get(org_id)
    if (known) return known
    const chance = createRandom(this.seed, 'fault', this.id, org_id)
    const fresh = { matched: 0, used: 0, fired: 0, inARow: new Map<OperationId, number>(), chance }
    this.#counts.set(org_id, fresh)
    return fresh
  }

  #strikes(count: Count, operation: OperationId): boolean {
    const { rate, mostInARow } = this.draft
    if (rate === undefined) return true
    const row = count.inARow.get(operation) ?? 0
    const lucky = count.chance.fraction() >= rate || (mostInARow !== undefined && row >= mostInARow)
    count.inARow.set(operation, lucky ? 0 : row + 1)
    return !lucky
  }

  #reason(instruction: Instruction, count: Count): string {
    const left = finite(this.#times - count.used)
    return `rule=${this.id}; fault=${instructionText(instruction)}${left === null ? '' : `; remaining=${left}`}`
  }
}

const finite = (n: number) => (Number.isFinite(n) ? n : null)

/** The rule of a state, as it is written. */
export function draftOf({
  id,
  operation,
  faults,
  times,
  rate,
  after,
  seed,
  most_in_a_row,
}: RuleState): RuleDraft {
  return {
    id,
    operation: operation ?? undefined,
    faults: faults.flatMap((word) => parseInstruction(word) ?? []),
    times: times ?? Number.POSITIVE_INFINITY,
    rate: rate ?? undefined,
    after,
    seed,
    mostInARow: most_in_a_row ?? undefined,
  }
}
