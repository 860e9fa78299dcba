/** The faults of a mock: rules in the order in which they were added; the first that has something to say counts. */
import type { OperationId } from '#contract/operation.ts'
import { FaultRule, type Fired, type RuleDraft, type RuleReport } from './rule.ts'

export class Faults {
  readonly #seed: string
  readonly #permanent: readonly RuleDraft[]
  #rules: FaultRule[] = []
  #added = 0

  /** `permanent`: rules that a reset brings back. */
  constructor(seed: string, permanent: readonly RuleDraft[]) {
    this.#seed = seed
    this.#permanent = permanent
    this.reset()
  }

  /** Adds a rule; answers it. */
  add(draft: RuleDraft): RuleReport {
    this.#added++
    const rule = new FaultRule(`f${this.#added}`, draft, this.#seed)
    this.#rules.push(rule)
    return rule.report
  }

  /** What is to be done to a request, counted; undefined: nothing. */
  meet(operation: OperationId, org_id: string): Fired | undefined {
    for (const rule of this.#rules) {
      const fired = rule.meet(operation, org_id)
      if (fired) return fired.instruction.kind === 'ok' ? undefined : fired
    }
    return undefined
  }

  /** All rules, or those that touch an organization. */
  list(org_id?: string): RuleReport[] {
    return this.#rules
      .map(({ report }) => report)
      .filter((one) => org_id === undefined || one.org_id === null || one.org_id === org_id)
  }

  /** Removes a rule; false where there is none of that id (for that organization). */
  remove(id: string, org_id?: string): boolean {
    const left = this.#rules.filter(
      (rule) => rule.id !== id || (org_id !== undefined && rule.draft.org_id !== org_id),
    )
    const found = left.length < this.#rules.length
    this.#rules = left
    return found
  }

  /** Back to the rules of the start, with fresh counts; for one organization: removes its rules and counts. */
  reset(org_id?: string): void {
    if (org_id !== undefined) {
      this.#rules = this.#rules.filter((rule) => rule.draft.org_id !== org_id)
      for (const rule of this.#rules) rule.reset(org_id)
      return
    }
    this.#rules = []
    this.#added = 0
    for (const draft of this.#permanent) this.add(draft)
  }
}
