/** Long lists of tasks and documents: a resource is created after many others, and its list must show it. */
import { hasSuccessStatus, idAsText, itemsOf, valueAtPath } from '#traffic/exchange.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import { decodedPathId } from '#traffic/malformed-input.ts'
import { clientWithOtherKey } from '../fixtures/key-use.ts'
import { pollListForItem } from '../fixtures/late-effects.ts'
import { expectListed } from '../fixtures/other-clients.ts'
import { clientWithCharset, ownSuccessfulExchangesOf } from '../fixtures/resources.ts'
import type { TestContext } from '../harness/context.ts'
import { createdIdIn, ruleAnchorOfOperation } from '../harness/operations.ts'
import { must, type Requirement } from '../harness/requirement.ts'
import {
  documentKindDefinition,
  newestInListCheckTraits,
  nullAt,
  type ResourceKindDefinition,
  zeroAt,
} from './resource-kinds.ts'

/**
 * Creates a resource after many others of its kind; returns its id and a list that should contain it, polled until it
 * does.
 */
export const createResourceAmongMany = (t: TestContext, kind: ResourceKindDefinition) =>
  t.evidence(`newest ${kind.name}`, async () => {
    const { name, create, read, list, all, make, makeNth } = kind
    const created = new Set(ownSuccessfulExchangesOf(t, create).map(createdIdIn))
    const listed = ownSuccessfulExchangesOf(t, list).flatMap((one) =>
      itemsOf(one).map((item) => idAsText(valueAtPath(item, 'id'))),
    )
    const missing = Math.max(
      many.ofEach,
      many.listed - created.union(new Set(listed)).size,
      // Ids of both kinds are mostly made alike.
      create === 'createTask' ? many.created - created.size : 0,
    )
    const clients = [t.main, t.main, clientWithCharset(t)] as const
    const makeOne = (_: unknown, nth: number) => makeNth(t, nth, clients[nth % clients.length] ?? t.main)
    const made = await Promise.all(Array.from({ length: missing }, makeOne))
    for (const at of kind === documentKindDefinition ? [zeroAt, nullAt] : [zeroAt]) {
      const { id } = made[at] ?? {}
      if (id !== undefined) await t.call(read, { id })
    }
    // A list may be kept for each key until that key creates something, so that the last items are made by another key.
    const before = await t.call(list, all)
    const other = await clientWithOtherKey(t)
    const fewer = hasSuccessStatus(before) ? Math.max(0, many.listed - itemsOf(before).length) : 0
    await Promise.all(Array.from({ length: fewer }, () => make(t, t.name(name), other)))
    // The newest item is the last one in the order of their names, too.
    const { id } = await make(t, t.name(`zz ${name}`), other)
    const newestOnes = await pollListForItem(t, list, id, all)
    const old = oldOne(t, kind)
    if (old !== undefined) await t.call(read, { id: old })
    // A finished task may be cached for everybody.
    if (old !== undefined && create === 'createTask' && t.settings.otherApiKey)
      await t.other.call(read, { id: old })
    return { id, list: newestOnes }
  })

/**
 * The id of a resource that lists must keep however much is created later: the first task that ran, a filed document.
 */
function oldOne(t: TestContext, { create }: ResourceKindDefinition): string | undefined {
  const [run] = create === 'createTask' ? ownSuccessfulExchangesOf(t, 'runTask') : []
  if (run) return decodedPathId(run)
  const made = ownSuccessfulExchangesOf(t, create)
  const kept = made.find(({ requestBody }) => isFiled(parseJson(requestBody))) ?? made[0]
  return kept && createdIdIn(kept)
}

const isFiled = (body: unknown) =>
  typeof valueAtPath(body, 'folder_id') === 'string' && typeof valueAtPath(body, 'content_md') === 'string'

/**
 * Least numbers of many resources: in a list, which short lists cut off; created, which short id counters cannot count;
 * and of each way in which one of many is made.
 */
const many = { listed: 51, created: 51, ofEach: 5 } as const

/**
 * Declares the requirement that a list contains the newest of many items. Its check runs last, since it creates so
 * many.
 */
export const declareNewestListedRequirement = (kind: ResourceKindDefinition): Requirement => {
  const { prefix, name, list, allName } = kind
  return must(`${prefix}-LISTED-LAST`, '§4', list, newestInListCheckTraits)
    .tests('list-contents', ruleAnchorOfOperation(list))
    .explains('LIST-PROMPT')
    .states(`${allName} contains the newest ${name} even if there are many ${name}s.`)
    .experiment('many', async (t) => {
      const seen = await createResourceAmongMany(t, kind)
      expectListed(t, seen.list, seen.id, `new ${name}`)
    })
}
