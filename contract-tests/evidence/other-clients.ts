/** What shows that somebody else uses the organization, and what that leaves open. */
import { type Exchange, field, idOf, isAccepted, items } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeIds, expectThat, itemIn } from '../harness/expect.ts'
import { createdId } from '../harness/operations.ts'

/** Whether activity of others was seen in the organization so far, in any way. */
export function seesOtherClients({ run, recorder }: TestContext): boolean {
  run.disturbed ||= showsOtherClients(recorder.exchanges)
  return run.disturbed
}

/**
 * Whether a later list of tasks, or of keys, shows one that neither the first list had nor the run has created, unless
 * its times tell that it was there before: a list that leaves some out may show others each time.
 */
export function showsOtherClients(
  exchanges: readonly Exchange[],
  operation: 'listTasks' | 'listKeys' = 'listTasks',
): boolean {
  const known = new Map<string, Set<string>>()
  const created = new Set(exchanges.map(createdId))
  const began = exchanges
    .values()
    .map((one) => lastTimeIn(madeBy(one)))
    .find((time) => time !== undefined)
  const isOld = (item: unknown) => {
    const time = lastTimeIn(item)
    return time !== undefined && began !== undefined && time < began
  }
  for (const one of exchanges) {
    if (one.operation !== operation || !isAccepted(one)) continue
    const list = items(one, operation === 'listKeys' ? 'keys' : undefined)
    const before = known.get(one.caller)
    const isStrange = (item: unknown) => {
      const id = idOf(field(item, 'id'))
      return id !== undefined && !before?.has(id) && !created.has(id) && !isOld(item)
    }
    if (before === undefined)
      known.set(one.caller, new Set(list.flatMap((item) => idOf(field(item, 'id')) ?? [])))
    else if (list.some(isStrange)) return true
  }
  return false
}

/** What a creation has answered. */
const madeBy = ({ operation, json }: Exchange) =>
  field(json, operation === 'createTask' ? 'task' : operation === 'createKey' ? 'key' : '')

/** The last time that something carries under any name, ms since the epoch; undefined: it carries none. */
function lastTimeIn(item: unknown): number | undefined {
  const times = Object.values(Object(item))
    .filter((value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value))
    .map((value) => Date.parse(String(value)))
    .filter(Number.isFinite)
  return times.length > 0 ? Math.max(...times) : undefined
}

/** Requires a list to contain the item with an id, unless others may have added what pushed it out of a short list. */
export function expectListed(t: TestContext, list: Exchange, id: string, what: string): void {
  const found = itemIn(list, id) !== undefined
  if (!found) assumeIds(list)
  if (!found && seesOtherClients(t))
    throw new NotExercised(`the list may show what somebody else added, not the ${what}`)
  expectThat(found, `the ${what} ${id} in items`, `${items(list).length} other items`, list)
}
