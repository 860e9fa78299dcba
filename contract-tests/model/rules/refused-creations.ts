/** Creations that were refused: nothing of them is listed (§7). */

import type { OperationId } from '#contract/operation.ts'
import { refusalsWithoutEffect } from '../creations.ts'
import { effectInterval, hasEndedBefore, isSameTrimmed, listIdentity, stringAt } from '../matching.ts'
import { badInputStatuses } from '../refusal.ts'
import type { RequirementId } from '../requirement-id.ts'
import type { ModelState } from '../state.ts'
import { declareModelRule, judgeEachItem, judgeFact, type ModelRule } from '../violation.ts'
import { listedItemsOf } from './lists.ts'

/** A list, and what creates its items. */
type ListAndCreation = readonly [list: OperationId, create: OperationId]

/** True if any organization has asked for a resource of the same name in another request, which may have created it. */
const isAskedAgain = ({ organizations }: ModelState, create: OperationId, shown: string) =>
  [...organizations.values()].some(
    ({ createdNames, pendingCreations }) =>
      createdNames.has(`${create} ${shown}`) ||
      pendingCreations.some((one) => isSameTrimmed(one.name, shown)),
  )

/** Rules that a list shows nothing whose creation was refused, unless its creation was requested again. */
const notCreated = (
  kind: 'TASK' | 'DOCUMENT' | 'KEY' | 'LANDING-PAGE',
  [operation, create]: ListAndCreation,
  name: string,
): ModelRule[] =>
  refusalsWithoutEffect
    .filter(([status]) => kind !== 'KEY' || status === 401)
    .map(([status, prefix, anchor]) =>
      declareModelRule(
        `not-created-${status}-${kind.toLowerCase()}`,
        `${prefix}-${kind}` as RequirementId,
        anchor,
        [operation],
        {
          attributableToOthers: true,
        },
      ).judge((_, event, state) => {
        const names = state.refusedCreations.get(create)?.get(status)
        return judgeEachItem(names?.size ? listedItemsOf(event) : undefined, event, ({ id, item }) => {
          const shown = stringAt(item, name)?.trim() ?? ''
          const refused = names?.get(shown)
          if (!refused || isAskedAgain(state, create, shown)) return undefined
          return judgeFact(
            false,
            `nothing that was refused with ${status}`,
            `${id} with its ${name}`,
            refused.eventId,
          )
        })
      }),
    )

/** Rule that a list shows nothing new whose creation was refused as bad input. */
const notLeft = (requirement: RequirementId, [operation, create]: ListAndCreation, name: string): ModelRule =>
  declareModelRule(`leftover-${create}`, requirement, 'error-invalid-request', [operation], {
    attributableToOthers: true,
  }).judge((org, event, state) => {
    const before = org.longestLists.get(listIdentity(event))
    const asked = badInputStatuses.flatMap((status) => state.refusedCreations.get(create)?.get(status) ?? [])
    if (!before || asked.every(({ size }) => size === 0)) return undefined
    return judgeEachItem(listedItemsOf(event), event, ({ id, item }) => {
      const shown = stringAt(item, name)?.trim()
      if (shown === undefined) return undefined
      const refused = asked.map((names) => names.get(shown)).find((one) => one !== undefined)
      // A creation may be refused since an item of that name exists already.
      if (!refused || !hasEndedBefore(before, refused) || !hasEndedBefore(refused, effectInterval(event)))
        return undefined
      if ((state.lastUnowned.get(create) ?? 0) > before.from.seq || isAskedAgain(state, create, shown))
        return undefined
      if (before.entries.some((one) => one.id === id)) return undefined
      return judgeFact(
        false,
        'nothing that was refused as bad input',
        `${id} with its ${name}`,
        refused.eventId,
      )
    })
  })

/** Rules that what a refused request asked for is not created. */
export const refusedCreationRules: readonly ModelRule[] = [
  ...notCreated('TASK', ['listTasks', 'createTask'], 'text'),
  ...notCreated('DOCUMENT', ['listDocuments', 'createDocument'], 'title'),
  ...notCreated('KEY', ['listKeys', 'createKey'], 'name'),
  ...notCreated('LANDING-PAGE', ['listLandingPages', 'createLandingPage'], 'business_name'),
  notLeft('LEFTOVER-createTask', ['listTasks', 'createTask'], 'text'),
  notLeft('LEFTOVER-createDocument', ['listDocuments', 'createDocument'], 'title'),
]
