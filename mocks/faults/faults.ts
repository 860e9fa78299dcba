/**
 * The faults of a mock: rules in the order in which they were added; the first that has something to say counts,
 * those of the organization before those for all.
 */
import type { OperationId } from '#contract/operation.ts'
import { shortOf } from '../core/id-prefix.ts'
import { draftOf, FaultRule, type Fired, type RuleDraft, type RuleReport } from './rule.ts'
import type { FaultsState, OwnFaultsState } from './state.ts'

export class Faults {
  readonly #seed: string
  readonly #permanent: readonly RuleDraft[]
  #forAll: FaultRule[] = []
  readonly #own = new Map<string, FaultRule[]>()
  /** How many rules were given a number: for each organization, and, under null, for all. */
  readonly #added = new Map<string | null, number>()
  /** Rules that all began with. */
  readonly #first = new Set<FaultRule>()
  /** Organizations that began with other rules instead of those. */
  readonly #apart = new Set<string>()
  /** Rules that an organization is created with, beside those for all. */
  readonly #founded = new Map<string, readonly RuleDraft[]>()

  /** `permanent`: rules that a reset brings back. */
  constructor(seed: string, permanent: readonly RuleDraft[]) {
    this.#seed = seed
    this.#permanent = permanent
    this.begin(seed, permanent)
  }

  /** Begins anew with rules in place of the permanent ones, until a reset: for one organization, or for all. */
  begin(seed: string, drafts: readonly RuleDraft[], org_id?: string): void {
    if (org_id === undefined) {
      for (const index of [this.#own, this.#added, this.#first, this.#apart]) index.clear()
      this.#forAll = []
      for (const draft of drafts) this.#first.add(this.#add(draft, seed))
      for (const one of this.#founded.keys()) this.#foundAgain(one)
      return
    }
    this.#clear(org_id)
    this.#apart.add(org_id)
    for (const draft of drafts) this.#add({ ...draft, org_id }, seed)
  }

  /** Gives an organization the rules that it is founded with; once, whatever becomes of them. */
  found(org_id: string, drafts: readonly RuleDraft[]): void {
    if (drafts.length === 0 || this.#founded.has(org_id)) return
    this.#founded.set(org_id, drafts)
    for (const draft of drafts) this.#add({ ...draft, org_id }, this.#seed)
  }

  /** Adds a rule; answers it. */
  add(draft: RuleDraft): RuleReport {
    return this.#add(draft, this.#seed).report(draft.org_id)
  }

  /** What is to be done to a request, counted; undefined: nothing. */
  match(operation: OperationId, org_id: string): Fired | undefined {
    const own = this.#own.size > 0 ? this.#own.get(org_id) : undefined
    const fired = (own && this.#ask(own, operation, org_id)) ?? this.#ask(this.#forAll, operation, org_id)
    return fired?.instruction.kind === 'ok' ? undefined : fired
  }

  /** All rules; or those that touch an organization, with what they did to it. */
  list(org_id?: string): RuleReport[] {
    const own = org_id === undefined ? [...this.#own.values()].flat() : (this.#own.get(org_id) ?? [])
    const forAll = this.#forAll.filter((rule) => org_id === undefined || this.#concerns(rule, org_id))
    return [...own, ...forAll].map((rule) => rule.report(org_id))
  }

  /** Removes a rule; false where there is none of that id (of that organization). */
  remove(id: string, org_id?: string): boolean {
    const gone = (rules: FaultRule[]) => {
      const at = rules.findIndex((rule) => rule.id === id)
      if (at >= 0) rules.splice(at, 1)
      return at >= 0
    }
    if (org_id !== undefined) return gone(this.#own.get(org_id) ?? [])
    return gone(this.#forAll) || [...this.#own.values()].some(gone)
  }

  /** Back to the rules of the start, with fresh counts; for one organization: removes its rules and counts. */
  reset(org_id?: string): void {
    if (org_id !== undefined) {
      this.#clear(org_id)
      this.#foundAgain(org_id)
    } else {
      this.begin(this.#seed, this.#permanent)
    }
  }

  /** The rules for all, without what they counted. */
  dump(): FaultsState {
    const rules = this.#forAll.map((rule) => ({ ...rule.state, first: this.#first.has(rule) }))
    return { added: this.#added.get(null) ?? 0, rules }
  }

  /** What there is of an organization: its own rules, and what all that concern it have counted. */
  dumpOf(org_id: string): OwnFaultsState {
    const own = this.#own.get(org_id) ?? []
    const counts = [...own, ...this.#forAll].map((rule) => [rule.id, rule.dump(org_id)] as const)
    return {
      apart: this.#apart.has(org_id),
      added: this.#added.get(org_id) ?? 0,
      rules: own.map((rule) => rule.state),
      counts: Object.fromEntries(counts.flatMap(([id, count]) => (count ? [[id, count]] : []))),
    }
  }

  /** Puts other rules in the place of all there are. */
  restore({ added, rules }: FaultsState): void {
    this.#founded.clear()
    this.begin(this.#seed, [])
    for (const state of rules) {
      const rule = this.#add(draftOf(state), state.seed)
      if (state.first) this.#first.add(rule)
    }
    this.#added.clear()
    this.#added.set(null, added)
  }

  /** Puts other rules in the place of an organization's own, and other counts in that of what was counted of it. */
  restoreOf(org_id: string, state: OwnFaultsState): void {
    this.#clear(org_id)
    if (state.apart) this.#apart.add(org_id)
    for (const rule of state.rules) this.#add({ ...draftOf(rule), org_id }, rule.seed)
    this.#added.set(org_id, state.added)
    for (const rule of [...(this.#own.get(org_id) ?? []), ...this.#forAll]) {
      const count = Object.hasOwn(state.counts, rule.id) ? state.counts[rule.id] : undefined
      if (count) rule.restore(org_id, count)
    }
  }

  #foundAgain(org_id: string): void {
    for (const draft of this.#founded.get(org_id) ?? []) this.#add({ ...draft, org_id }, this.#seed)
  }

  /** Forgets the rules of an organization, and what the others counted of it. */
  #clear(org_id: string): void {
    this.#own.delete(org_id)
    this.#added.delete(org_id)
    this.#apart.delete(org_id)
    for (const rule of this.#forAll) rule.reset(org_id)
  }

  #ask(rules: readonly FaultRule[], operation: OperationId, org_id: string): Fired | undefined {
    for (const rule of rules) {
      const fired = this.#concerns(rule, org_id) ? rule.match(operation, org_id) : undefined
      if (fired) return fired
    }
    return undefined
  }

  #concerns(rule: FaultRule, org_id: string): boolean {
    return this.#apart.size === 0 || !this.#apart.has(org_id) || !this.#first.has(rule)
  }

  /** Numbers are counted for each organization, so that what one adds changes nothing for another. */
  #add(draft: RuleDraft, seed: string): FaultRule {
    const { org_id } = draft
    const number = (this.#added.get(org_id ?? null) ?? 0) + 1
    this.#added.set(org_id ?? null, number)
    const id = draft.id ?? (org_id === undefined ? `f${number}` : `f_${shortOf(org_id)}_${number}`)
    const rule = new FaultRule(id, draft, seed)
    if (org_id === undefined) this.#forAll.push(rule)
    else this.#own.set(org_id, [...(this.#own.get(org_id) ?? []), rule])
    return rule
  }
}
