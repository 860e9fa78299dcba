/**
 * The fault rules of a mock, in the order in which they were added. The first matching rule applies; rules of the
 * organization come before those for all organizations, and replace those of the same id.
 */
import type { OperationId } from '#contract/operation.ts'
import { asItIs, type Changes, type Was } from '../core/changes.ts'
import { shortOf } from '../core/random.ts'
import type { FaultsState, OwnFaultsState, RuleDraft, RuleReport } from './rule.ts'
import { draftOf, FaultRule } from './rule.ts'

/** The rules of one organization, or those for all. */
class Rules {
  list: FaultRule[] = []
  /** The last number given to a rule. */
  added = 0
  /** Whether the organization was started with these instead of the initial ones for all. */
  apart = false
}

export class Faults {
  readonly #firstSeed: string
  /** That of rules that name none. */
  #seed: string
  readonly #permanent: readonly RuleDraft[]
  #forAll = new Rules()
  readonly #own = new Map<string, Rules>()
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
    if (org_id !== undefined) {
      this.#clear(org_id)
      this.#ownOf(org_id).apart = true
      for (const draft of drafts) this.#add({ ...draft, org_id }, seed)
      return
    }
    this.#seed = seed
    this.#own.clear()
    this.#forAll = new Rules()
    for (const draft of drafts) this.#add(draft, seed, true)
    for (const id of this.#created.keys()) this.#addCreated(id)
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
    for (const rule of this.#rulesOf(org_id)) {
      const fired = rule.match(operation, org_id, changes)
      if (fired) return fired.fault.kind === 'ok' ? undefined : fired
    }
    return undefined
  }

  list(org_id?: string): RuleReport[] {
    const own = [...this.#own.values()].flatMap(({ list }) => list)
    const rules = org_id === undefined ? [...own, ...this.#forAll.list] : this.#rulesOf(org_id)
    return rules.map((rule) => rule.report(this.#seed, org_id))
  }

  /** Removes a rule; returns false if there is none with that id (for that organization). */
  remove(id: string, org_id?: string): boolean {
    const of = org_id === undefined ? [this.#forAll, ...this.#own.values()] : [this.#own.get(org_id)]
    return of.some((rules) => {
      const at = rules?.list.findIndex((rule) => rule.id === id) ?? -1
      if (at >= 0) rules?.list.splice(at, 1)
      return at >= 0
    })
  }

  /** Restores the permanent rules with zero counts; for one organization: removes its rules and counts. */
  reset(org_id?: string): void {
    if (org_id === undefined) return void this.start(this.#firstSeed, this.#permanent)
    this.#clear(org_id)
    this.#addCreated(org_id)
  }

  /** Returns the rules for all organizations, without counts, for a snapshot. */
  dump(): FaultsState {
    const { added, list } = this.#forAll
    return { added, rules: list.map((rule) => ({ ...rule.state, first: rule.first })) }
  }

  /** Returns the rules of an organization and the counts of every rule for it, for a snapshot. */
  dumpOf(org_id: string, was: Was = asItIs): OwnFaultsState {
    const { apart, added, list } = this.#own.get(org_id) ?? new Rules()
    const counts = this.#rulesOf(org_id).flatMap((rule) => {
      const now = rule.counts.get(org_id)
      const then = now && was(now)
      return then && (then === now || then.matched > 0) ? [[rule.id, { ...then }] as const] : []
    })
    return { apart, added, rules: list.map((rule) => rule.state), counts: Object.fromEntries(counts) }
  }

  /** Replaces all rules by those of a snapshot; `seed`: that of rules that name none. */
  restore({ added, rules }: FaultsState, seed: string): void {
    this.#created.clear()
    this.start(seed, [])
    for (const state of rules) this.#add(draftOf(state), state.seed, state.first)
    this.#forAll.added = added
  }

  restoreOf(org_id: string, { apart, added, rules, counts }: OwnFaultsState): void {
    this.#clear(org_id)
    for (const rule of rules) this.#add({ ...draftOf(rule), org_id }, rule.seed)
    Object.assign(this.#ownOf(org_id), { apart, added })
    for (const rule of this.#rulesOf(org_id)) {
      const count = Object.hasOwn(counts, rule.id) ? counts[rule.id] : undefined
      if (count) rule.counts.set(org_id, { ...count })
    }
  }

  #addCreated(org_id: string): void {
    for (const draft of this.#created.get(org_id) ?? []) this.#add({ ...draft, org_id }, this.#seed)
  }

  /** Discards the rules of an organization, and the counts of the others for it. */
  #clear(org_id: string): void {
    this.#own.delete(org_id)
    for (const { counts } of this.#forAll.list) counts.delete(org_id)
  }

  #ownOf(org_id: string): Rules {
    const own = this.#own.get(org_id) ?? new Rules()
    this.#own.set(org_id, own)
    return own
  }

  /** The rules of an organization, and those for all that apply to it: none of its own replaces them. */
  #rulesOf(org_id: string): readonly FaultRule[] {
    const own = this.#own.get(org_id)
    if (!own || (own.list.length === 0 && !own.apart)) return this.#forAll.list
    const applies = ({ id, first }: FaultRule) =>
      !(own.apart && first) && !own.list.some((one) => one.id === id)
    return [...own.list, ...this.#forAll.list.filter(applies)]
  }

  /** Rules are numbered per organization, so that adding one does not affect other organizations. */
  #add(draft: RuleDraft, seed: string, first = false): FaultRule {
    const { org_id } = draft
    const rules = org_id === undefined ? this.#forAll : this.#ownOf(org_id)
    const number = ++rules.added
    const id = draft.id ?? (org_id === undefined ? `f${number}` : `f_${shortOf(org_id)}_${number}`)
    const rule = new FaultRule(id, draft, seed, first)
    rules.list.push(rule)
    // A rule that it replaces starts anew if it ever applies again.
    if (org_id !== undefined)
      for (const replaced of this.#forAll.list) if (replaced.id === id) replaced.counts.delete(org_id)
    return rule
  }
}
