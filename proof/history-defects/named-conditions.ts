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

/** Restricts a condition to the occasions (handled requests or ends of runs) for which `of` returns true. */
export const conditionLimitedTo = <C extends Condition>(of: (one: Occasion) => boolean, condition: C): C => ({
  ...condition,
  of,
})

/** True if the two values of a pair are the same. */
export const areTwoEqual = ([one, other]: readonly unknown[]) => one === other
/** The number of items in the list of an answer; `name`: the field that holds the list. */
export const countOfItems = ({ answer }: Occasion, name = 'items') =>
  (answer as Record<string, unknown[]>)[name]?.length ?? 0
/** The keys of the organization that were created through the API and not deleted. */
export const undeletedCreatedKeys = ({ org }: Occasion) => keysCreatedThroughApi(org).filter(isUndeletedKey)

/**
 * Creates a mutation (a change of a mock) that refuses keys created through the API depending on how they were used
 * before. `n`: the number of uses, this one included; `last`: the time of the previous use, ms since the epoch.
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
/** True if three or more requests arrived at once. */
export const areThreeOrMoreAtOnce = ({ place }: Occasion) => place.size >= 3
/** True if a request arrived at the same time as others and is not the first of them. */
export const isLaterConcurrentRequest = (one: Occasion) => one.place.rank > 0

/** The newest document of the organization on an occasion. */
export const newestDocument = ({ org }: Occasion) => org.documents.newest(1)[0]
/** The titles of the two newest documents. */
export const titlesOfNewestDocuments = ({ org }: Occasion) =>
  org.documents.newest(2).map(({ title }) => title)
/** True if the two newest documents have the same title. */
export const isNewestTitleRepeated = (one: Occasion) => areTwoEqual(titlesOfNewestDocuments(one))
/** The number of undeleted keys that are newer than the key which a request names. */
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

/** A condition that is met for requests that arrive at once with a run request by a created key. */
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
 * Creates a mutation by which a new document gets the id of the document created before it, if a request with the same
 * title was refused earlier.
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

/** Creates a mutation by which documents for every nth folder are filed in the folder before that. */
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
