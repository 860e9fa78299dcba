/**
 * The fault rules of a mock, in the order in which they were added. The first matching rule applies; rules of the
 * organization come before those for all organizations, and replace those of the same id.
 */
import type { OperationId } from '#contract/operation.ts'
import type { ChangeHistory, HistoricalRowReader } from '../core/changes.ts'
import { shortIdOf } from '../core/random.ts'
import {
  type AppliedRule,
  createFaultRule,
  type FaultRule,
  type FaultRuleDraft,
  type FaultRuleWithCounts,
  ruleDraftOfState,
  type SavedFaultRules,
  type SavedOrganizationFaultRules,
} from './rule.ts'

const none: readonly never[] = []

/** An empty set of rules: of one organization, or for all organizations. */
const noRules = () => ({
  list: [] as FaultRule[],
  /** The last number given to a rule. */
  added: 0,
  /** True if the organization was started with rules of its own in place of the initial ones for all. */
  apart: false,
  /** Ids of rules for all that do not apply to the organization. */
  without: new Set<string>(),
})
type Rules = ReturnType<typeof noRules>

/** The collection of a mock's fault rules, with counts of their uses. */
export type FaultRules = ReturnType<typeof createFaultRules>

/**
 * Creates the collection of a mock's fault rules. `firstSeed`: the seed of rules that name none; `permanent`: the rules
 * that a reset restores.
 */
export function createFaultRules(firstSeed: string, permanent: readonly FaultRuleDraft[]) {
  /** Seed of rules that name none. */
  let seed = firstSeed
  let forAll = noRules()
  const own = new Map<string, Rules>()
  /** Organizations in the order in which each got its first rule. */
  const owners = new Set<string>()
  const created = new Map<string, readonly FaultRuleDraft[]>()
  /** The rules that apply to each organization that was asked for: the same list until they change. */
  const applied = new Map<string, readonly AppliedRule[]>()

  function ownOf(org_id: string): Rules {
    const rules = own.get(org_id) ?? noRules()
    own.set(org_id, rules)
    return rules
  }

  /** The rules of an organization, and those for all that apply to it, unless one of its own replaces them. */
  function rulesOf(org_id: string): readonly FaultRule[] {
    const rules = own.get(org_id)
    if (!rules) return forAll.list
    const applies = ({ id, first }: FaultRule) =>
      !(rules.apart && first) && !rules.without.has(id) && !rules.list.some((one) => one.id === id)
    return [...rules.list, ...forAll.list.filter(applies)]
  }

  /** Forgets which rules apply to one organization, or to all. */
  function changed(org_id?: string): void {
    if (org_id === undefined) applied.clear()
    else applied.delete(org_id)
  }

  /** Rules are numbered per organization, so that adding one does not affect other organizations. */
  function addWith(usualSeed: string, draft: FaultRuleDraft, first = false): FaultRule {
    const { org_id } = draft
    const rules = org_id === undefined ? forAll : ownOf(org_id)
    const number = ++rules.added
    const id = draft.id ?? (org_id === undefined ? `f${number}` : `f_${shortIdOf(org_id)}_${number}`)
    const rule = createFaultRule(id, draft, usualSeed, first)
    rules.list.push(rule)
    changed(org_id)
    if (org_id === undefined) {
      for (const { without } of own.values()) without.delete(id)
      return rule
    }
    owners.add(org_id)
    // If a replaced rule ever applies again, it starts anew.
    for (const replaced of forAll.list) if (replaced.id === id) replaced.counts.delete(org_id)
    return rule
  }

  function addCreated(org_id: string): void {
    for (const draft of created.get(org_id) ?? []) addWith(seed, { ...draft, org_id })
  }

  /** Discards the rules of an organization, and what the rules for all have counted for it. */
  function clear(org_id: string): void {
    own.delete(org_id)
    owners.delete(org_id)
    for (const { counts } of forAll.list) counts.delete(org_id)
    changed(org_id)
  }

  const faults = {
    /** Replaces all rules, until a reset: those of one organization, or those of all. */
    start(newSeed: string, drafts: readonly FaultRuleDraft[], org_id?: string): void {
      if (org_id !== undefined) {
        clear(org_id)
        ownOf(org_id).apart = true
        for (const draft of drafts) addWith(newSeed, { ...draft, org_id })
        return
      }
      seed = newSeed
      own.clear()
      owners.clear()
      forAll = noRules()
      changed()
      for (const draft of drafts) addWith(seed, draft, true)
      for (const id of created.keys()) addCreated(id)
    },
    /** Adds the rules that an organization is created with. Repeated calls for an organization do nothing. */
    create(org_id: string, drafts: readonly FaultRuleDraft[]): void {
      if (drafts.length === 0 || created.has(org_id)) return
      created.set(org_id, drafts)
      addCreated(org_id)
    },
    add: (draft: FaultRuleDraft): FaultRuleWithCounts => addWith(seed, draft).report(seed, draft.org_id),
    /** Returns the rules that apply to an organization, in their order; the list changes only by being replaced. */
    appliedTo(org_id: string): readonly AppliedRule[] {
      const known = applied.get(org_id)
      if (known) return known
      const rules = rulesOf(org_id)
      const list = rules.length === 0 ? none : rules.map((rule) => ({ rule, count: rule.countFor(org_id) }))
      applied.set(org_id, list)
      return list
    },
    /** Returns what to do to a request, and counts it as a change of the organization; undefined if that is nothing. */
    match(operation: OperationId, org_id: string, changes?: ChangeHistory) {
      for (const { rule, count } of faults.appliedTo(org_id)) {
        const fired = rule.match(operation, count, changes)
        if (fired) return fired.faults.length > 0 ? fired : undefined
      }
      return undefined
    },
    list(org_id?: string): FaultRuleWithCounts[] {
      const all = () => [...[...owners].flatMap((owner) => ownOf(owner).list), ...forAll.list]
      return (org_id === undefined ? all() : rulesOf(org_id)).map((rule) => rule.report(seed, org_id))
    },
    /** Removes a rule; returns false if there is none with that id (for that organization). */
    remove(id: string, org_id?: string): boolean {
      return (org_id === undefined ? [forAll, ...[...owners].map(ownOf)] : [own.get(org_id)]).some(
        (rules) => {
          const at = rules?.list.findIndex((rule) => rule.id === id) ?? -1
          if (at >= 0) rules?.list.splice(at, 1)
          if (at >= 0) changed(org_id)
          return at >= 0
        },
      )
    },
    /** Restores the permanent rules with zero counts; for one organization: removes its rules and counts. */
    reset(org_id?: string): void {
      if (org_id === undefined) return void faults.start(firstSeed, permanent)
      clear(org_id)
      addCreated(org_id)
    },
    /** Returns the rules for all organizations, without counts, for a snapshot. */
    dump(): SavedFaultRules {
      const { added, list } = forAll
      return { added, rules: list.map(({ state, first }) => ({ ...state, first })) }
    },
    /** Returns the rules of an organization and the counts of every rule for it, for a snapshot. */
    dumpOf(org_id: string): SavedOrganizationFaultRules {
      const { apart, added, list, without } = own.get(org_id) ?? noRules()
      const counts = rulesOf(org_id).flatMap((rule) => {
        const count = rule.counts.get(org_id)
        return count && count.matched > 0 ? [[rule.id, { ...count }] as const] : []
      })
      return {
        ...{ apart, added, rules: list.map(({ state }) => state), counts: Object.fromEntries(counts) },
        ...(without.size > 0 && { without: [...without] }),
      }
    },
    /**
     * Returns the rules that applied to an organization, with their counts of then, so that no others apply once
     * restored.
     */
    dumpAlone(
      org_id: string,
      rules: readonly AppliedRule[],
      was: HistoricalRowReader,
    ): SavedOrganizationFaultRules {
      const { added } = own.get(org_id) ?? noRules()
      const counts = rules.map(({ rule, count }) => [rule.id, { ...(was(count) ?? count) }] as const)
      return {
        ...{ apart: true, added, rules: rules.map(({ rule }) => rule.state) },
        ...{ counts: Object.fromEntries(counts), without: 'all' },
      }
    },
    /** Replaces all rules by those of a snapshot. `newSeed`: the seed of rules that name none. */
    restore({ added, rules }: SavedFaultRules, newSeed: string): void {
      created.clear()
      faults.start(newSeed, [])
      for (const state of rules) addWith(state.seed, ruleDraftOfState(state), state.first)
      forAll.added = added
    },
    restoreOf(
      org_id: string,
      { apart, added, rules, counts, without = [] }: SavedOrganizationFaultRules,
    ): void {
      clear(org_id)
      for (const rule of rules) addWith(rule.seed, { ...ruleDraftOfState(rule), org_id })
      const excluded = without === 'all' ? forAll.list.map(({ id }) => id) : without
      Object.assign(ownOf(org_id), { apart, added, without: new Set(excluded) })
      changed(org_id)
      for (const rule of rulesOf(org_id)) {
        const count = Object.hasOwn(counts, rule.id) ? counts[rule.id] : undefined
        if (count) rule.counts.set(org_id, { ...count })
      }
    },
  }
  faults.start(seed, permanent)
  return faults
}
