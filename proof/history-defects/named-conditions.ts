/** Conditions and mutations that named history defects alone have. */
import type { Key } from '#mocks/core/resources.ts'
import type { Mutation } from '../mutations/mutation.ts'
import type { MutableJsonObject } from '../mutations/reply.ts'
import { rejectCredentials, replaceHandler } from '../mutations/rules.ts'
import { statelessCondition } from './conditions.ts'
import {
  type Condition,
  createLazyWeakLookup,
  isUndeletedKey,
  keysCreatedThroughApi,
  type Occasion,
} from './occasion.ts'
import { isByCreatedKey, whenConcurrentWithOthers } from './triggers.ts'

/** A copy of a condition that counts only the occasions (a request with its answer) for which `of` returns true. */
export const conditionLimitedTo = <C extends Condition>(of: (one: Occasion) => boolean, condition: C): C => ({
  ...condition,
  of,
})

/** True if both of a pair are the same. */
export const areTwoEqual = ([one, other]: readonly unknown[]) => one === other
/** Number of items that a list shows; `name`: the field that has them. */
export const countOfItems = ({ answer }: Occasion, name = 'items') =>
  (answer as Record<string, unknown[]>)[name]?.length ?? 0
/** Keys that were created through the API and not deleted. */
export const undeletedCreatedKeys = ({ org }: Occasion) => keysCreatedThroughApi(org).filter(isUndeletedKey)

/**
 * A mutation that refuses created keys depending on how they were used before. `n`: the number of uses, this one
 * included; `last`: the time of the use before, ms since the epoch.
 */
export const refuseCreatedKeysWhere = (
  is: (uses: { n: number; last: number }, now: number) => boolean,
): Mutation => {
  const known = createLazyWeakLookup<{ n: number; last: number }, Key>(() => ({
    n: 0,
    last: Number.POSITIVE_INFINITY,
  }))
  return rejectCredentials((_, { org, key }) => {
    if (!key || org.keys.all()[0] === key) return false
    const uses = known(key)
    uses.n++
    const isRefused = is(uses, org.clock.now())
    uses.last = org.clock.now()
    return isRefused
  })
}

/** A condition that is always met. */
export const alwaysMetCondition: Condition & { readonly says: string } = {
  says: 'whenever that is done',
  ...statelessCondition(() => true),
}
/** True if three or more requests arrive at once. */
export const areThreeOrMoreAtOnce = ({ place }: Occasion) => place.size >= 3
/** True for a request that arrives at the same time as others, and is not the first of them. */
export const isLaterConcurrentRequest = (one: Occasion) => one.place.rank > 0

/** The newest document of the organization. */
export const newestDocument = ({ org }: Occasion) => org.documents.newest(1)[0]
/** The titles of the two newest documents. */
export const titlesOfNewestDocuments = ({ org }: Occasion) =>
  org.documents.newest(2).map(({ title }) => title)
/** True if the two newest documents have one title. */
export const isNewestTitleRepeated = (one: Occasion) => areTwoEqual(titlesOfNewestDocuments(one))
/** The number of keys that are not deleted and newer than the one that an occasion names. */
export const countOfNewerKeys = ({ org, id }: Occasion) =>
  keysCreatedThroughApi(org)
    .slice(
      0,
      Math.max(
        0,
        keysCreatedThroughApi(org).findIndex((key) => key.id === id),
      ),
    )
    .filter(isUndeletedKey).length

/** A condition that holds for requests that arrive at once with a run request by a created key. */
export const concurrentWithCreatedKeyRun: Condition = {
  ...whenConcurrentWithOthers(0, 'runTask'),
  ofEverybody: true,
  create() {
    const groups = new WeakSet<object>()
    return {
      fires: ({ place }) => groups.has(place.operations),
      note(one) {
        if (one.occasionKind === 'runTask' && isByCreatedKey(one)) groups.add(one.place.operations)
      },
    }
  },
}

/**
 * A mutation: a document whose title was refused before, in a request with other fields, gets the id of the document
 * created before it.
 */
export function reuseIdAfterRefusedTitle(): Mutation {
  const refused = new Set<unknown>()
  const last = new Map<string | null, unknown>()
  return {
    async middleware({ request, operation }, next) {
      if (operation !== 'createDocument') return next(request)
      const caller = request.headers.get('authorization')
      const title = /"title":"([^"]*)"/.exec(await request.clone().text())?.[1]
      const response = await next(request)
      if ((response.status === 400 || response.status === 422) && title) refused.add(title)
      if (response.status >= 300) return response
      const body = (await response.json()) as { item: MutableJsonObject }
      if (refused.delete(title) && last.has(caller)) body.item.id = last.get(caller)
      last.set(caller, body.item.id)
      return Response.json(body, { status: response.status })
    },
  }
}

/** A mutation: documents for every nth folder are filed in the folder before it. */
export function mergeEveryNthFolder(nth: number): Mutation {
  const folders = createLazyWeakLookup(() => [] as string[])
  return replaceHandler('createDocument', (call, usual) => {
    const { folder_id } = call.body
    const known = folders(call.org)
    if (!folder_id) return usual(call)
    if (!known.includes(folder_id)) known.push(folder_id)
    const at = known.indexOf(folder_id)
    const filedAt = (at + 1) % nth === 0 ? at - 1 : at
    return usual({ ...call, body: { ...call.body, folder_id: known[filedAt] as string } })
  })
}
