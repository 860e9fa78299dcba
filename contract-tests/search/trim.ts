/** Makes lists of steps smaller without changing what they do, and complete where they spend credits. */
import { field } from '#traffic/exchange.ts'
import { isPaid, tenantsOf } from './closure.ts'
import { creations, isCreation } from './inventory.ts'
import { type CallStep, callsOf, type Ref, refersTo, type Step, type Tenant } from './step.ts'

/** Without the waits for ends of runs that are not among the steps. */
export function withoutIdleEnds(steps: readonly Step[]): Step[] {
  const going = new Set<number | undefined>()
  return steps.filter((step) => {
    for (const { operation, of } of callsOf(step))
      if (operation === 'runTask' && typeof of === 'object' && 'made' in of) going.add(of.made)
    return step.kind !== 'end' || going.delete(refersTo(step)[0])
  })
}

/** The tasks of an organization whose runs the steps do not await. */
export function goingAfter(steps: readonly Step[], tenant: Tenant): Ref[] {
  const going = new Map<number, Ref>()
  for (const step of steps) {
    for (const { operation, of, tenant: own } of callsOf(step))
      if (operation === 'runTask' && own === tenant && typeof of === 'object' && 'made' in of)
        going.set(of.made, of)
    if (step.kind === 'end') for (const made of refersTo(step)) going.delete(made)
  }
  return [...going.values()]
}

/** The steps with another thing made after each that is used: what mixes things up needs two. */
export function withNeighbours(steps: readonly Step[], next: () => number): Step[] {
  const used = new Set(steps.flatMap(refersTo))
  return steps.flatMap((step): Step[] => {
    if (step.kind !== 'call' || !used.has(step.at) || !isCreation(step.operation)) return [step]
    const [, member] = creations[step.operation]
    const name = `Another ${String(field(step.body, member))}`
    return [step, { ...step, at: next(), body: { ...(step.body as object), [member]: name } }]
  })
}

/** The same steps, all with the key of the operator in place of created ones. */
export function mergedClients(steps: readonly Step[]): Step[] {
  const merged = (call: CallStep): CallStep => (typeof call.as === 'object' ? { ...call, as: 'key' } : call)
  return steps
    .filter((step) => !(step.kind === 'call' && step.operation === 'createKey'))
    .map((step) =>
      step.kind === 'burst'
        ? { ...step, calls: step.calls.map(merged) }
        : step.kind === 'call'
          ? merged(step)
          : step,
    )
}

/** Credits to begin with, where the steps spend some and arrange none before. */
export function withCredits(steps: Step[], next: () => number): Step[] {
  const paid = steps.filter(isPaid)
  const tenants = [...new Set(paid.flatMap(tenantsOf))] as ('main' | 'other')[]
  const missing = tenants.filter((tenant) => {
    const spends = steps.findIndex((step) => isPaid(step) && tenantsOf(step).includes(tenant))
    const arranges = steps.findIndex(
      (step) => step.kind === 'state' && step.state === 'credits' && step.tenant === tenant,
    )
    return arranges < 0 || arranges > spends
  })
  const credits = 2 * paid.flatMap(callsOf).length + 3
  return [
    ...missing.map(
      (tenant): Step => ({ kind: 'state', at: next(), tenant, state: 'credits', params: { credits } }),
    ),
    ...steps,
  ]
}
