/** Fault rules: what to do to which requests, how often; each counts what it met and what it did. */
import type { OperationId } from '#contract/operation.ts'
import { type Chance, createChance } from '../world.ts'
import { concerns, type Instruction, instructionText } from './instruction.ts'

/** A rule as it is written. */
export interface RuleDraft {
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

/** A rule and what it has done so far. */
export interface RuleReport {
  readonly id: string
  readonly operation: OperationId | null
  readonly org_id: string | null
  readonly faults: readonly string[]
  readonly times: number | null
  readonly rate: number
  readonly after: number
  /** Requests that it was asked about. */
  readonly matched: number
  /** Requests to which it did something. */
  readonly fired: number
  /** What is left to do, for an organization that has met none of it; null: no end. */
  readonly remaining: number | null
}

interface Count {
  matched: number
  used: number
  readonly inARow: Map<OperationId, number>
  readonly chance: Chance
}

/** What a rule says about a request. */
export interface Fired {
  readonly instruction: Instruction
  readonly reason: string
}

export class FaultRule {
  readonly id: string
  readonly draft: RuleDraft
  readonly #times: number
  readonly #seed: string
  readonly #counts = new Map<string, Count>()
  #matched = 0
  #fired = 0

  constructor(id: string, draft: RuleDraft, seed: string) {
    this.id = id
    this.draft = draft
    this.#times = draft.times ?? (draft.faults.length > 1 ? draft.faults.length : Number.POSITIVE_INFINITY)
    this.#seed = draft.seed ?? seed
  }

  /** What to do to a request, counted; undefined: nothing, as far as this rule goes. */
  meet(operation: OperationId, org_id: string): Fired | undefined {
    const { draft } = this
    if (draft.operation !== undefined && draft.operation !== operation) return undefined
    if (draft.org_id !== undefined && draft.org_id !== org_id) return undefined
    const count = this.#countOf(org_id)
    const instruction = draft.faults[count.used % draft.faults.length]
    if (!instruction || !concerns(operation, instruction)) return undefined
    this.#matched++
    count.matched++
    if (count.matched <= (draft.after ?? 0) || count.used >= this.#times) return undefined
    if (!this.#strikes(count, operation)) return undefined
    count.used++
    if (instruction.kind !== 'ok') this.#fired++
    return { instruction, reason: this.#reason(instruction, count) }
  }

  get report(): RuleReport {
    const { operation, org_id, faults, rate, after } = this.draft
    const used = Math.max(0, ...[...this.#counts.values()].map((count) => count.used))
    return {
      id: this.id,
      operation: operation ?? null,
      org_id: org_id ?? null,
      faults: faults.map(instructionText),
      times: Number.isFinite(this.#times) ? this.#times : null,
      rate: rate ?? 1,
      after: after ?? 0,
      matched: this.#matched,
      fired: this.#fired,
      remaining: Number.isFinite(this.#times) ? Math.max(0, this.#times - used) : null,
    }
  }

  /** Forgets what it counted: of one organization, or of all. */
  reset(org_id?: string): void {
    if (org_id !== undefined) return void this.#counts.delete(org_id)
    this.#counts.clear()
    this.#matched = 0
    this.#fired = 0
  }

  #countOf(org_id: string): Count {
    const known = this.#counts.get(org_id)
    if (known) return known
    const chance = createChance([this.#seed, 'fault', this.id, org_id].join('\u0000'))
    const fresh = { matched: 0, used: 0, inARow: new Map<OperationId, number>(), chance }
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
    const left = Number.isFinite(this.#times) ? `; remaining=${this.#times - count.used}` : ''
    return `rule=${this.id}; fault=${instructionText(instruction)}${left}`
  }
}
