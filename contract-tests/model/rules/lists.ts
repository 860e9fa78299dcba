/** §4: a list shows at least its newest entry, and each entry once. */

import type { OperationId } from '#contract/operation.ts'
import { valueAtPath } from '#traffic/exchange.ts'
import { type AnsweredRequest, isSuccess } from '../event.ts'
import {
  effectInterval,
  hasEndedBefore,
  isSameTrimmed,
  itemsWithIds,
  type ListItem,
  listIdentity,
  mayFallBetween,
  minDistinctiveLength,
  showsAllIds,
  stringAt,
} from '../matching.ts'
import type { RequirementId } from '../requirement-id.ts'
import type {
  CreationsByName,
  EffectInterval,
  Fact,
  KnownKey,
  KnownOrganization,
  ModelState,
} from '../state.ts'
import { declareModelRule, judgeEachItem, judgeFact, judgeSameText, type ModelRule } from '../violation.ts'

/** The newest resource created before a request, if its order is certain. */
function newestBefore(
  things: readonly ListedCandidate[],
  at: EffectInterval,
): (ListedCandidate & { readonly created: EffectInterval }) | undefined {
  let newest: (ListedCandidate & { readonly created: EffectInterval }) | undefined
  for (const thing of things) {
    const { created } = thing
    if (!created) continue
    if (!hasEndedBefore(created, at)) return undefined
    if (!newest || newest.created.from.seq < created.from.seq) newest = { ...thing, created }
  }
  const isAfter = (one: EffectInterval) =>
    newest !== undefined && (one === newest.created || hasEndedBefore(one, newest.created))
  return things.every(({ created }) => !created || isAfter(created)) ? newest : undefined
}

/** Creations at most this long apart, ms, may be listed in any order: a list may sort by whole seconds. */
const sameSecond = 1_000
/** The smallest number of items to which a service is assumed to cap a list. */
export const minListCap = 20

/**
 * A list, and the ids that it shows. `hasRoom`: a list of the same kind was longer, so that no cap has cut this one.
 */
interface ConsideredList {
  readonly at: EffectInterval
  readonly ids: ReadonlySet<string>
  readonly hasRoom: boolean
}

/**
 * The items that a list must show whatever its cap is: all if it has room, or else those between an older and a newer
 * one that it shows.
 */
function certainlyListed(
  things: readonly ListedCandidate[],
  { at, ids, hasRoom }: ConsideredList,
  consistency: number,
): CertainCandidate[] {
  const certain = things.filter(
    (one): one is CertainCandidate => one.created !== undefined && one.id !== undefined && !one.mayLeave,
  )
  let [oldest, newest]: (EffectInterval | undefined)[] = []
  for (const { id, created } of certain) {
    if (!ids.has(id)) continue
    if (!oldest || hasEndedBefore(created, oldest)) oldest = created
    if (!newest || hasEndedBefore(newest, created)) newest = created
  }
  const apart = ids.size < minListCap ? 0 : sameSecond
  const isBetween = ({ created }: CertainCandidate) =>
    oldest && newest && hasEndedBefore(oldest, created, apart) && hasEndedBefore(created, newest, apart)
  return certain.filter((one) => hasEndedBefore(one.created, at, consistency) && (hasRoom || isBetween(one)))
}

/** A resource that a list may show. */
interface ListedCandidate {
  readonly id: string | undefined
  /** True if a list may leave it out or move it: a task that was run may be done with. */
  readonly mayLeave?: boolean
  readonly created?: EffectInterval | undefined
  /** True if it may be deleted, or may not be the newest. */
  readonly isDoubtful?: boolean
  /** The requirement that it is listed, if that is a more exact one than the rule's. */
  readonly requirement?: RequirementId | undefined
}

/** A candidate whose id and creation were observed. */
type CertainCandidate = ListedCandidate & { readonly id: string; readonly created: EffectInterval }

/**
 * Rules that the newest resource is listed: at once as a SHOULD (LIST-PROMPT), and after the consistency time as
 * required. `shows` selects candidates; undefined: cannot be judged.
 */
const newestIsListed = (
  name: string,
  requirement: RequirementId,
  anchor: string,
  [operation, create]: readonly [list: OperationId, create: OperationId],
  { promptly = true, mayBeDeleted = false } = {},
) => ({
  shows(
    things: (
      org: KnownOrganization,
      event: AnsweredRequest,
      state: ModelState,
    ) => readonly ListedCandidate[] | undefined,
  ): ModelRule[] {
    const listed = (id: string, violated: RequirementId, promptFormOf?: string) =>
      declareModelRule(id, violated, anchor, [operation], { promptFormOf, attributableToOthers: true }).judge(
        (org, event, state) => {
          const made = isSuccess(event.answer) ? (things(org, event, state) ?? []) : []
          const at = effectInterval(event)
          const entries = listedItemsOf(event)
          const isLate = ({ created }: ListedCandidate) =>
            created !== undefined && hasEndedBefore(created, at, state.consistency)
          const [isPrompt, last] = [promptFormOf !== undefined, newestBefore(made, at)]
          // In an empty list, no newer item can have displaced one that is overdue.
          const hasRoom = !isPrompt && entries.length === 0 && !(last && isLate(last))
          const newest = hasRoom ? newestBefore(made.filter(isLate), at) : last
          // Listed fields of landing pages are not published.
          if (!newest || !showsAllIds(event.answer.json, listName(event))) return undefined
          const { id, created, isDoubtful, mayLeave, requirement: exact } = newest
          if (id === undefined || isDoubtful || (hasRoom && mayLeave)) return undefined
          if (isPrompt && isLate(newest)) return undefined
          const named = (!isPrompt && exact) || violated
          if (entries.some((one) => one.id === id)) return { confirms: [named] }
          if (!isPrompt && !isLate(newest)) return undefined
          if (
            org.pendingCreations.some((one) => one.operation === create && mayFallBetween(one, created, at))
          )
            return undefined
          if ((state.lastUnowned.get(create) ?? 0) > created.from.seq) return undefined
          if (create === 'createTask' && mayShowTaskOfState(org, entries, created, at)) return undefined
          return {
            requirement: named,
            expected: `the new ${name.replaceAll('-', ' ')} ${id}`,
            actual: `${entries.length} others`,
            evidence: [created.eventId],
          }
        },
      )
    const late = listed(`${name}-listed`, requirement)
    const complete = declareModelRule(`${name}-left-out`, requirement, anchor, [operation]).judge(
      (org, event, state) => {
        const made = isSuccess(event.answer) ? things(org, event, state) : undefined
        if (!made || !showsAllIds(event.answer.json, listName(event))) return undefined
        const ids = idsOf(listedItemsOf(event))
        const longest = org.longestLists.get(listIdentity(event))
        const most = longest?.entries.length ?? 0
        const lists = [
          { at: effectInterval(event), ids, hasRoom: ids.size < most },
          ...(longest && ids.size > most
            ? [{ at: longest, ids: idsOf(longest.entries), hasRoom: true }]
            : []),
        ]
        let isJudged = false
        for (const list of lists) {
          const wanted = certainlyListed(made, list, state.consistency)
          const missing = wanted.find(({ id }) => !list.ids.has(id))
          if (missing)
            return {
              requirement: missing.requirement ?? requirement,
              expected: `the ${name.replaceAll('-', ' ')} ${missing.id}, since the list has no cap`,
              actual: `${list.ids.size} others`,
              evidence: [missing.created.eventId, list.at.eventId],
            }
          isJudged ||= wanted.length > 0
        }
        return isJudged || undefined
      },
    )
    return [
      late,
      ...(promptly ? [listed(`${name}-listed-promptly`, 'LIST-PROMPT', late.id)] : []),
      ...(mayBeDeleted ? [] : [complete]),
    ]
  },
})

/**
 * True if a list may show the task of the state `agent_busy`, set up since `created`: one that nobody created and no
 * list showed before.
 */
const mayShowTaskOfState = (
  { arrangedStates, tasks }: KnownOrganization,
  entries: readonly ListItem[],
  created: EffectInterval,
  at: EffectInterval,
): boolean =>
  (arrangedStates.get('agent_busy') ?? []).some((one) => mayFallBetween(one, created, at)) &&
  entries.some(({ id }) => {
    const known = tasks.get(id)
    return !known?.created && (known?.text?.eventId ?? Number.POSITIVE_INFINITY) > created.eventId
  })

const createdWithin = <T extends { readonly created?: EffectInterval | undefined }>(
  things: ReadonlyMap<string, T>,
  isMeant: (one: T) => boolean = () => true,
  requirementOf: (one: T) => RequirementId | undefined = () => undefined,
  mayLeave: (one: T) => boolean = () => false,
): readonly ListedCandidate[] =>
  [...things]
    .filter(([, one]) => isMeant(one))
    .map(([id, one]) => ({
      ...{ id, created: one.created, requirement: requirementOf(one), mayLeave: mayLeave(one) },
    }))

/** The keys that a list may show: a deleted key is left out once its deletion must show, unless the list has it. */
function keysIn(
  org: KnownOrganization,
  event: AnsweredRequest,
  { consistency }: ModelState,
): ListedCandidate[] {
  const listed = listedItemsOf(event)
  const own = new Set([...org.keys.values()].map(({ id }) => id))
  const firstLists = listed.filter(({ id }) => !own.has(id)).map(({ id }) => org.listedKeys.get(id))
  // A newer key of somebody else may take the place of one in a short list.
  const mayBeOlder = (created: EffectInterval) =>
    firstLists.some((first) => !first || !hasEndedBefore(first, created))
  const isGone = ({ id, deleted }: KnownKey) =>
    deleted &&
    hasEndedBefore(deleted, effectInterval(event), consistency) &&
    !listed.some((one) => one.id === id)
  return [...org.keys.values()]
    .filter((key) => !isGone(key))
    .map(({ id, created, deletionRequests }) => ({
      id,
      created,
      isDoubtful: deletionRequests.length > 0 || mayBeOlder(created),
    }))
}

const ofDocuments = ['listDocuments', 'createDocument'] as const
const ofPages = ['listLandingPages', 'createLandingPage'] as const

const newestListed: readonly ModelRule[] = [
  ...newestIsListed('task', 'TASK-LISTED', 'list-contents', ['listTasks', 'createTask']).shows(({ tasks }) =>
    createdWithin(tasks, undefined, undefined, ({ runs }) => runs.length > 0),
  ),
  ...newestIsListed('document', 'DOC-ALL', 'list-contents', ofDocuments).shows(({ documents }, { query }) =>
    query?.all === '1'
      ? createdWithin(documents, undefined, ({ fields }) => (fields.folder_id ? 'DOC-ALL-FILED' : undefined))
      : undefined,
  ),
  ...newestIsListed('filed-document', 'DOC-FOLDER', 'list-documents', ofDocuments, { promptly: false }).shows(
    ({ documents }, { query }) => {
      const folder = query?.all === undefined ? query?.folder_id : undefined
      return folder === undefined
        ? undefined
        : createdWithin(documents, ({ fields }) => fields.folder_id?.value === folder)
    },
  ),
  ...newestIsListed('unfiled-document', 'DOC-UNFILED', 'list-documents', ofDocuments, {
    promptly: false,
  }).shows(({ documents }, { query = {} }) =>
    Object.keys(query).length === 0
      ? createdWithin(documents, ({ isOutsideFolders }) => isOutsideFolders === true)
      : undefined,
  ),
  ...newestIsListed('key', 'KEY-LISTED', 'list-keys', ['listKeys', 'createKey'], {
    mayBeDeleted: true,
  }).shows(keysIn),
  ...newestIsListed('landing-page', 'LANDING-PAGE-LISTED', 'list-landing-pages', ofPages).shows(({ pages }) =>
    createdWithin(pages),
  ),
]

const listName = ({ operation }: AnsweredRequest) => (operation === 'listKeys' ? 'keys' : 'items')

const idsOf = (entries: readonly { readonly id: string }[]): ReadonlySet<string> =>
  new Set(entries.map(({ id }) => id))

/** The items, each with its id, of the list in an answer. */
export const listedItemsOf = (event: AnsweredRequest): readonly ListItem[] =>
  itemsWithIds(event.answer.json, listName(event))

/** True if an entry and a creation with its text both came after an earlier list. */
function cameWith(
  { longestLists }: KnownOrganization,
  event: AnsweredRequest,
  { lastUnowned }: ModelState,
  id: string,
  { last }: CreationsByName,
  create: OperationId,
): boolean {
  const before = longestLists.get(listIdentity(event))
  if (!before || !hasEndedBefore(before, last) || !hasEndedBefore(last, effectInterval(event))) return false
  return (lastUnowned.get(create) ?? 0) < before.from.seq && !before.entries.some((one) => one.id === id)
}

/** Rule that no entry duplicates a created resource's text under an unknown id. */
const createdOnce = (
  requirement: RequirementId,
  anchor: string,
  [operation, create]: readonly [list: OperationId, create: OperationId],
  name: string,
  /** Earlier knowledge of an entry. */
  seenIn: (
    org: KnownOrganization,
    id: string,
  ) =>
    | { readonly created?: EffectInterval | undefined; readonly text?: Fact<string> | undefined }
    | undefined,
): ModelRule =>
  declareModelRule(`${create}-once`, requirement, anchor, [operation], { attributableToOthers: true }).judge(
    (org, event, state) => {
      const at = effectInterval(event)
      return judgeEachItem(listedItemsOf(event), event, ({ id, item }) => {
        const seen = seenIn(org, id)
        if (seen?.created) return undefined
        const shown = stringAt(item, name)?.trim() ?? ''
        const twin = shown === '' ? undefined : org.createdNames.get(`${create} ${shown}`)
        if (!twin || twin.created.eventId >= (seen?.text?.eventId ?? Number.POSITIVE_INFINITY))
          return undefined
        // Others may have given a short text, too, but hardly at the same time.
        if (shown.length < minDistinctiveLength && (seen || !cameWith(org, event, state, id, twin, create)))
          return undefined
        const isOpen = org.pendingCreations.some(
          (one) => isSameTrimmed(one.name, shown) && mayFallBetween(one, one, at),
        )
        return isOpen
          ? undefined
          : judgeFact(false, `nothing else with the ${name} of ${twin.id}`, id, twin.created.eventId)
      })
    },
  )

/** Rules on lists: they contain their newest item, and each item once. */
export const listRules: readonly ModelRule[] = [
  createdOnce('TASK-CREATED-ONCE', 'create-task', ['listTasks', 'createTask'], 'text', ({ tasks }, id) =>
    tasks.get(id),
  ),
  createdOnce('DOC-CREATED-ONCE', 'create-document', ofDocuments, 'title', ({ documents }, id) => {
    const seen = documents.get(id)
    return seen && { created: seen.created, text: seen.fields.title }
  }),
  declareModelRule('listed-once', 'LIST-IDS-UNIQUE', 'ids', [
    'listTasks',
    'listDocuments',
    'listNotifications',
    'listKeys',
  ]).judge((_, event) => {
    if (!isSuccess(event.answer)) return undefined
    const isOfKeys = event.operation === 'listKeys'
    const seen = new Map<string, unknown>()
    for (const { id, item } of listedItemsOf(event)) {
      const name = valueAtPath(item, 'name')
      const isOther = isOfKeys && name !== seen.get(id)
      const requirement = isOther ? 'KEY-ID-UNIQUE' : 'LIST-IDS-UNIQUE'
      if (seen.has(id)) return { requirement, expected: 'each id once', actual: `${id} twice`, evidence: [] }
      seen.set(id, name)
    }
    return { confirms: isOfKeys ? ['LIST-IDS-UNIQUE', 'KEY-ID-UNIQUE'] : ['LIST-IDS-UNIQUE'] }
  }),
  ...newestListed,
  declareModelRule('landing-page-name-listed', 'LANDING-PAGE-LISTED-SAME', 'landing-page-fields', [
    'listLandingPages',
  ]).judge(({ pages, pendingCreations }, event, { consistency }) => {
    const at = effectInterval(event)
    return judgeEachItem(listedItemsOf(event), event, ({ id, item }) => {
      const { lastChange, name } = pages.get(id) ?? {}
      const shown = valueAtPath(item, 'business_name')
      if (!lastChange || typeof shown !== 'string' || !hasEndedBefore(lastChange, at, consistency))
        return undefined
      if (
        pendingCreations.some((one) => isSameTrimmed(one.name, shown) && mayFallBetween(one, lastChange, at))
      )
        return undefined
      return judgeSameText(shown, name, `business_name of ${id}`, lastChange.eventId)
    })
  }),
]
