/**
 * The fault rules of a mock, in the order in which they were added. The first matching rule applies; rules of the
 * organization come before those for all organizations, and replace those of the same id.
 */
import type { OperationId } from '#contract/operation.ts'
import { asItIs, type Changes, type Was } from '../core/changes.ts'
import { shortOf } from '../core/random.ts'
import type { FaultsState, OwnFaultsState, RuleDraft, RuleReport } from './rule.ts'
import { draftOf, FaultRule } from './rule.ts'

export class Faults {
  readonly #firstSeed: string
  /** That of rules that name none. */
  #seed: string
  readonly #permanent: readonly RuleDraft[]
  #forAll: FaultRule[] = []
  readonly #own = new Map<string, FaultRule[]>()
  /** The last number given to a rule: for each organization and, under null, for all. */
  readonly #added = new Map<string | null, number>()
  /** Organizations that were started with their own rules instead of the initial ones for all. */
  readonly #separate = new Set<string>()
  readonly #created = new Map<string, readonly RuleDraft[]>()

  /** `permanent`: rules that a reset restores. */
  constructor(seed: string, permanent: readonly RuleDraft[]) {
    this.#firstSeed = seed
    this.#seed = seed
    this.#permanent = permanent
    this.start(seed, permanent)
  }

  /** Replaces all rules, until a reset: those of one organization, or those of all. */
  start(seed: string, drafts: readonly RuleDraft[], org_id?: string): void {
    if (org_id === undefined) {
      this.#seed = seed
      for (const index of [this.#own, this.#added, this.#separate]) index.clear()
      this.#forAll = []
      for (const draft of drafts) this.#add(draft, seed, true)
      for (const id of this.#created.keys()) this.#addCreated(id)
      return
    }
    this.#clear(org_id)
    this.#separate.add(org_id)
    for (const draft of drafts) this.#add({ ...draft, org_id }, seed)
  }

  /** Adds the rules that an organization is created with. Repeated calls for an organization do nothing. */
  create(org_id: string, drafts: readonly RuleDraft[]): void {
    if (drafts.length === 0 || this.#created.has(org_id)) return
    this.#created.set(org_id, drafts)
    this.#addCreated(org_id)
  }

  add(draft: RuleDraft): RuleReport {
    return this.#add(draft, this.#seed).report(this.#seed, draft.org_id)
  }

  /** Returns what to do to a request, and counts it as a change of the organization; undefined: nothing. */
  match(operation: OperationId, org_id: string, changes?: Changes) {
    const own = this.#own.size > 0 ? this.#own.get(org_id) : undefined
    for (const rules of own ? [own, this.#forAll] : [this.#forAll])
      for (const rule of rules) {
        const fired =
          rules === own || this.#applies(rule, org_id) ? rule.match(operation, org_id, changes) : undefined
        if (fired) return fired.fault.kind === 'ok' ? undefined : fired
      }
    return undefined
  }

  list(org_id?: string): RuleReport[] {
    const own = org_id === undefined ? [...this.#own.values()].flat() : (this.#own.get(org_id) ?? [])
    const forAll = this.#forAll.filter((rule) => org_id === undefined || this.#applies(rule, org_id))
    return [...own, ...forAll].map((rule) => rule.report(this.#seed, org_id))
  }

  /** Removes a rule; returns false if there is none with that id (for that organization). */
  remove(id: string, org_id?: string): boolean {
    const removeFrom = (rules: FaultRule[]) => {
      const at = rules.findIndex((rule) => rule.id === id)
      if (at >= 0) rules.splice(at, 1)
      return at >= 0
    }
    if (org_id !== undefined) return removeFrom(this.#own.get(org_id) ?? [])
    return removeFrom(this.#forAll) || [...this.#own.values()].some(removeFrom)
  }

  /** Restores the permanent rules with zero counts; for one organization: removes its rules and counts. */
  reset(org_id?: string): void {
    if (org_id === undefined) return void this.start(this.#firstSeed, this.#permanent)
    this.#clear(org_id)
    this.#addCreated(org_id)
  }

  /** Returns the rules for all organizations, without counts, for a snapshot. */
  dump(): FaultsState {
    const rules = this.#forAll.map((rule) => ({ ...rule.state, first: rule.first }))
    return { added: this.#added.get(null) ?? 0, rules }
  }

  /** Returns the rules of an organization and the counts of every rule for it, for a snapshot. */
  dumpOf(org_id: string, was: Was = asItIs): OwnFaultsState {
    const own = this.#own.get(org_id) ?? []
    const counts = this.#rulesOf(org_id).flatMap((rule) => {
      const now = rule.countsOf(org_id)
      const then = now && was(now)
      return then && (then === now || then.matched > 0) ? [[rule.id, { ...then }] as const] : []
    })
    return {
      apart: this.#separate.has(org_id),
      added: this.#added.get(org_id) ?? 0,
      rules: own.map((rule) => rule.state),
      counts: Object.fromEntries(counts),
    }
  }

  /** Replaces all rules by those of a snapshot; `seed`: that of rules that name none. */
  restore({ added, rules }: FaultsState, seed: string): void {
    this.#created.clear()
    this.start(seed, [])
    for (const state of rules) this.#add(draftOf(state), state.seed, state.first)
    this.#added.clear()
    this.#added.set(null, added)
  }

  restoreOf(org_id: string, state: OwnFaultsState): void {
    this.#clear(org_id)
    if (state.apart) this.#separate.add(org_id)
    for (const rule of state.rules) this.#add({ ...draftOf(rule), org_id }, rule.seed)
    this.#added.set(org_id, state.added)
    for (const rule of this.#rulesOf(org_id)) {
      const count = Object.hasOwn(state.counts, rule.id) ? state.counts[rule.id] : undefined
      if (count) rule.restore(org_id, count)
    }
  }

  #addCreated(org_id: string): void {
    for (const draft of this.#created.get(org_id) ?? []) this.#add({ ...draft, org_id }, this.#seed)
  }

  /** Discards the rules of an organization, and the counts of the others for it. */
  #clear(org_id: string): void {
    this.#own.delete(org_id)
    this.#added.delete(org_id)
    this.#separate.delete(org_id)
    for (const rule of this.#forAll) rule.reset(org_id)
  }

  #applies(rule: FaultRule, org_id: string): boolean {
    if (this.#separate.has(org_id) && rule.first) return false
    return !this.#own.get(org_id)?.some(({ id }) => id === rule.id)
  }

  /** The rules of an organization, and those for all that none of them replaces. */
  #rulesOf(org_id: string): FaultRule[] {
    const own = this.#own.get(org_id) ?? []
    return [...own, ...this.#forAll.filter(({ id }) => !own.some((one) => one.id === id))]
  }

  /** Rules are numbered per organization, so that adding one does not affect other organizations. */
  #add(draft: RuleDraft, seed: string, first = false): FaultRule {
    const { org_id } = draft
    const number = (this.#added.get(org_id ?? null) ?? 0) + 1
    this.#added.set(org_id ?? null, number)
    const id = draft.id ?? (org_id === undefined ? `f${number}` : `f_${shortOf(org_id)}_${number}`)
    const rule = new FaultRule(id, draft, seed, first)
    if (org_id === undefined) this.#forAll.push(rule)
    // A rule that it replaces starts anew if it ever applies again.
    else for (const replaced of this.#forAll) if (replaced.id === id) replaced.reset(org_id)
    if (org_id !== undefined) this.#own.set(org_id, [...(this.#own.get(org_id) ?? []), rule])
    return rule
  }
}
