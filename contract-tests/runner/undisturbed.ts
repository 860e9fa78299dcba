/** Which findings of the model nobody else can have caused, although others could in another run. Pure. */
import type { Exchange } from '#traffic/exchange.ts'
import { showsStrangers } from '../evidence/strangers.ts'
import type { ModelEvent, ModelViolation } from '../model/index.ts'

/** Times that a contradiction must be seen: others may once do and undo something between two readings. */
const times = 2

/** The rules that object to a balance that our own work does not explain. */
const ofBalances = new Set(['credits-explained-whoami', 'refund-comes'])

/**
 * The violations that count without being tried again: those that others cannot cause, and those that they can cause
 * only by paid work, if answers showed them several times where every balance is explained by our own work and no
 * list shows a task of somebody else. A provider state may be without effect, so that nothing rests on it here.
 */
export function certain(
  violations: readonly ModelViolation[],
  history: readonly ModelEvent[],
  exchanges: readonly Exchange[],
): ModelViolation[] {
  const tenants = new Map(history.map(({ id, tenant }) => [id, tenant]))
  const arranged = new Set(history.flatMap(({ kind, id }) => (kind === 'arranged' ? id : [])))
  const counted = violations.filter(({ because }) => !because.some((id) => arranged.has(id)))
  const tenantOf = ({ because }: ModelViolation) => tenants.get(because.at(-1) ?? 0)
  const disturbed = new Set(violations.filter(({ rule }) => ofBalances.has(rule)).map(tenantOf))
  const isShared = showsStrangers(exchanges)
  return violations.filter((one) => {
    if (one.others !== 'paid') return !one.others
    const alike = counted.filter(({ rule }) => rule === one.rule)
    return (
      !isShared &&
      alike.includes(one) &&
      alike.length >= times &&
      !alike.some((same) => disturbed.has(tenantOf(same)))
    )
  })
}
