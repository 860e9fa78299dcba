/** Rules on isolation: an organization neither sees nor changes another's resources (§1, §5.2). */

import type { OperationId } from '#contract/operation.ts'
import { idAsText, valueAtPath } from '#traffic/exchange.ts'
import { type AnsweredRequest, areDistinctTenants, isSuccess } from '../event.ts'
import {
  effectInterval,
  hasEndedBefore,
  hasValueWhere,
  isBlank,
  isRandomId,
  itemsWithIds,
  listIdentity,
  mayFallBetween,
  minDistinctCharacters,
  minDistinctiveLength,
  quotedJson,
  statusAndCode,
} from '../matching.ts'
import { documentedRefusals, judgeRefusal } from '../refusal.ts'
import type { RequirementId } from '../requirement-id.ts'
import {
  type EffectInterval,
  emptyNotificationKnowledge,
  type KnownOrganization,
  type ModelState,
  type TextOwnership,
} from '../state.ts'
import { declareModelRule, judgeEachItem, judgeFact, type ModelRule } from '../violation.ts'
import { keyOfRequest, operationsWithApiKey } from './keys.ts'
import { emptyTaskKnowledge, mayAnyRunPrecede, tasksIn } from './tasks.ts'

type Kind = 'task' | 'document' | 'key' | 'page'

/** The field that holds the name of a resource, by its kind. */
const names: Readonly<Record<Kind, string>> = {
  task: 'text',
  document: 'title',
  key: 'name',
  page: 'business_name',
}

const isolated = (
  operation: OperationId,
  requirement: RequirementId,
  anchor: string,
  kind: Kind,
  shown: (json: unknown) => readonly { readonly id: string; readonly item: unknown }[],
  isMeant: (event: AnsweredRequest) => boolean = () => true,
): ModelRule =>
  declareModelRule(requirement.toLowerCase().replace('isolation', 'isolated'), requirement, anchor, [
    operation,
  ]).judge((own, event, state) => {
    const { answer, tenant } = event
    if (!isSuccess(answer) || state.organizations.size < 2 || !isMeant(event)) return undefined
    return judgeEachItem(shown(answer.json), event, ({ id, item }) => {
      const text = valueAtPath(item, names[kind])
      if (isBlank(text) || thingOf(own, kind, id)?.created) return undefined
      const same = thingsOfOthers(state, tenant, kind, id).find(
        ({ created, name }) => created && name === text,
      )
      return (
        same && judgeFact(false, 'nothing of another organization', quotedJson(text), same.created?.eventId)
      )
    })
  })

/** A resource of an organization, by its id. */
function thingOf(
  org: KnownOrganization | undefined,
  kind: Kind,
  id: string,
): { created?: EffectInterval | undefined; name: unknown } | undefined {
  if (kind === 'key') return [...(org?.keys.values() ?? [])].findLast((key) => key.id === id)
  if (kind === 'page') return org?.pages.get(id)
  const task = kind === 'task' ? org?.tasks.get(id) : undefined
  const document = kind === 'document' ? org?.documents.get(id) : undefined
  if (task) return { created: task.created, name: task.text?.value }
  return document && { created: document.created, name: document.fields.title?.value }
}

/** Resources of other organizations with an id. */
const thingsOfOthers = (
  { owners, organizations }: ModelState,
  tenant: string | null,
  kind: Kind,
  id: string,
) =>
  (owners.get(`${kind} ${id}`) ?? [])
    .filter((owner) => areDistinctTenants(owner, tenant))
    .flatMap((owner) => thingOf(organizations.get(owner), kind, id) ?? [])

/** Rule that an answer neither reveals nor changes a resource of another organization. */
const unmentioned = (
  operation: 'getTask' | 'getDocument' | 'runTask',
  requirement: RequirementId,
  kind: 'task' | 'document',
): ModelRule =>
  declareModelRule(`unmentioned-${operation}`, requirement, 'organization-by-credential', [operation]).judge(
    (own, event, state) => {
      const { answer, tenant, resource = '' } = event
      const isRun = operation === 'runTask'
      if ((isSuccess(answer) && !isRun) || thingOf(own, kind, resource)?.created) return undefined
      const isUnique = isRandomId(resource)
      const other = thingsOfOthers(state, tenant, kind, resource).find(({ created }) => created || isUnique)
      if (!other) return undefined
      const { created, name } = other
      const isTelling =
        created !== undefined && typeof name === 'string' && name.length >= minDistinctiveLength
      const mention = isTelling ? textsIn(answer.json).find((text) => text.includes(name)) : undefined
      if (mention !== undefined)
        return judgeFact(false, 'nothing of another organization', quotedJson(mention), created?.eventId)
      if (isRun && isSuccess(answer) && created && isUnique)
        return judgeFact(false, '404 not_found', statusAndCode(answer), created.eventId)
      // A run may be refused for want of credits first, and a request with a deleted key with 401.
      if (isRun || answer.status === 401) return isTelling || undefined
      // A resource whose creation was not seen may belong to anybody.
      if (!created && (answer.status === 404 || answer.status >= 500)) return undefined
      return judgeRefusal(event, documentedRefusals.notFound, created?.eventId)
    },
  )

const listOfAllDocuments = listIdentity({ operation: 'listDocuments', query: { all: '1' } })

const single = (member: string) => (json: unknown) => {
  const item = valueAtPath(json, member)
  const id = idAsText(valueAtPath(item, 'id'))
  return id === undefined ? [] : [{ id, item }]
}

/** Every text in a value. */
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(textsIn)
    : typeof value === 'string'
      ? [value]
      : []

/** True if an organization has a task with a text. */
const hasText = ({ tasks }: KnownOrganization, value: string) =>
  hasValueWhere(tasks.values(), ({ text }) => text?.value.trim() === value)

/** Known texts contained in another text, with their owners. */
function* partsOf(
  whole: string,
  told: ModelState['knownTexts'],
): Generator<readonly [string, readonly TextOwnership[]]> {
  for (const [length, texts] of told)
    for (let at = 0; at + length <= whole.length; at++) {
      const part = whole.slice(at, at + length)
      const tellers = texts.get(part)
      if (tellers) yield [part, tellers]
    }
}

/** Rules: nothing of another organization is shown or changed. */
export const isolationRules: readonly ModelRule[] = [
  isolated('getTask', 'ISOLATION-GET-TASK', 'error-not-found', 'task', single('task')),
  isolated('getDocument', 'ISOLATION-GET-DOCUMENT', 'error-not-found', 'document', single('item')),
  // A document that the service gives to everybody would be in the list of all documents.
  declareModelRule('isolated-shown-document', 'ISOLATION-GET-DOCUMENT', 'error-not-found', ['getDocument'], {
    attributableToOthers: true,
  }).judge((own, { answer, resource = '', tenant }, state) => {
    const all = own.longestLists.get(listOfAllDocuments)
    if (!isSuccess(answer) || !all || state.organizations.size < 2) return undefined
    if (!isRandomId(resource) || own.documents.get(resource)?.created) return undefined
    const [other] = thingsOfOthers(state, tenant, 'document', resource)
    const isForeign =
      other?.name === valueAtPath(answer.json, 'item', 'title') &&
      !all.entries.some(({ id }) => id === resource)
    return judgeFact(
      !other || !isForeign,
      'nothing of another organization',
      quotedJson(other?.name),
      all.eventId,
    )
  }),
  unmentioned('getTask', 'ISOLATION-GET-TASK', 'task'),
  unmentioned('getDocument', 'ISOLATION-GET-DOCUMENT', 'document'),
  unmentioned('runTask', 'ISOLATION-RUN-TASK', 'task'),
  // A server in front may refuse it, so that the service never saw the request.
  declareModelRule('foreign-run-refused', 'ISOLATION-RUN-TASK', 'error-not-found', ['runTask'], {
    attributableToOthers: true,
  }).judge((own, event, state) => {
    const { answer, tenant, resource = '' } = event
    if (isSuccess(answer) || answer.status === 401 || answer.status >= 500) return undefined
    if (!isRandomId(resource) || own.tasks.get(resource)?.created) return undefined
    const { created } = thingsOfOthers(state, tenant, 'task', resource).find((one) => one.created) ?? {}
    if (!created) return undefined
    if (answer.status === 404) return true
    const { notFound, noCredits } = documentedRefusals
    return judgeRefusal(event, { ...notFound, ...noCredits }, created.eventId)
  }),
  isolated('listTasks', 'ISOLATION-LIST-TASKS', 'organization-by-credential', 'task', itemsWithIds),
  ...(['DOCUMENTS', 'FILED', 'UNFILED'] as const).map((kind) =>
    isolated(
      'listDocuments',
      `ISOLATION-LIST-${kind}`,
      'organization-by-credential',
      'document',
      itemsWithIds,
      ({ query = {} }) =>
        kind === ('all' in query ? 'DOCUMENTS' : 'folder_id' in query ? 'FILED' : 'UNFILED'),
    ),
  ),
  isolated('listKeys', 'ISOLATION-LIST-KEYS', 'organization-by-credential', 'key', (json) =>
    itemsWithIds(json, 'keys'),
  ),
  isolated(
    'listLandingPages',
    'ISOLATION-LIST-LANDING-PAGES',
    'organization-by-credential',
    'page',
    itemsWithIds,
  ),
  declareModelRule(
    'isolated-listNotifications',
    'ISOLATION-LIST-NOTIFICATIONS',
    'organization-by-credential',
    ['listNotifications'],
  ).judge((own, { answer, tenant }, { knownTexts, owners, organizations }) => {
    if (!isSuccess(answer)) return undefined
    const fresh = itemsWithIds(answer.json).filter(({ id }) => !own.notifications.get(id)?.firstListed)
    // Sequential ids may be equal in two organizations.
    for (const { id } of fresh.filter(({ id }) => new Set(id).size >= minDistinctCharacters)) {
      const others = owners.get(`notification ${id}`) ?? []
      const other = others.find((one) => areDistinctTenants(one, tenant))
      const seen = organizations.get(other ?? '')?.notifications.get(id)?.firstListed
      if (seen) return judgeFact(false, 'nothing of another organization', id, seen.eventId)
    }
    // The id of an organization's own item may equal that of another organization's task.
    for (const shown of fresh.flatMap(({ item }) => textsIn({ ...Object(item), id: undefined })))
      for (const [value, tellers] of partsOf(shown, knownTexts)) {
        const other = tellers.find((one) => areDistinctTenants(one.tenant, tenant))
        if (!other || own.tasks.has(value) || hasText(own, value)) continue
        return {
          expected: 'nothing of another organization',
          actual: quotedJson(shown),
          evidence: [other.created.eventId],
        }
      }
    const isKnown = organizations
      .entries()
      .some(([other, { notifications }]) => notifications.size > 0 && areDistinctTenants(other, tenant))
    return (
      isKnown ||
      hasValueWhere(knownTexts.values(), (texts) =>
        hasValueWhere(
          texts.values(),
          ([first]) => first !== undefined && areDistinctTenants(first.tenant, tenant),
        ),
      ) ||
      undefined
    )
  }),
  declareModelRule(
    'isolated-readNotification',
    'ISOLATION-READ-NOTIFICATION',
    'notification-marking',
    ['listNotifications'],
    { attributableToOthers: true },
  ).judge(({ notifications }, event) => {
    const at = effectInterval(event)
    const isTried = hasValueWhere(notifications.values(), ({ foreignRequests }) => foreignRequests.length > 0)
    return judgeEachItem(isTried ? itemsWithIds(event.answer.json) : undefined, event, ({ id, item }) => {
      const { lastSeenUnread, seenRead, markRequests, foreignRequests } =
        notifications.get(id) ?? emptyNotificationKnowledge
      const mark = lastSeenUnread && foreignRequests.find((one) => mayFallBetween(one, lastSeenUnread, at))
      if (!mark || seenRead || markRequests.some((one) => mayFallBetween(one, lastSeenUnread, at)))
        return undefined
      const expected = `read: false of ${id}, which only another organization marked`
      return judgeFact(
        valueAtPath(item, 'read') !== true,
        expected,
        'read: true',
        lastSeenUnread.eventId,
        mark.eventId,
      )
    })
  }),
  declareModelRule('isolated-runTask', 'ISOLATION-RUN-TASK', 'error-not-found', ['getTask', 'listTasks'], {
    attributableToOthers: true,
  }).judge(({ tasks }, event) => {
    const at = effectInterval(event)
    const isTried = hasValueWhere(tasks.values(), ({ foreignRequests }) => foreignRequests.length > 0)
    return judgeEachItem(isTried ? tasksIn(event) : undefined, event, ({ id, item }) => {
      const { created, runs, foreignRequests } = tasks.get(id) ?? emptyTaskKnowledge
      const run = foreignRequests.find((one) => mayFallBetween(one, one, at))
      const isFinished = valueAtPath(event.answer.json, 'finished') === true
      const hasRun = isFinished || valueAtPath(item, 'status') === 'in_progress'
      if (!created || !run || mayAnyRunPrecede(runs, at)) return undefined
      const expected = `a task that never ran: only another organization asked to run ${id}`
      return judgeFact(
        !hasRun,
        expected,
        isFinished ? 'finished: true' : 'in_progress',
        created.eventId,
        run.eventId,
      )
    })
  }),
  declareModelRule(
    'isolated-deleteKey',
    'ISOLATION-DELETE-KEY',
    'organization-by-credential',
    operationsWithApiKey,
    {
      attributableToOthers: true,
    },
  ).judge((org, event) => {
    const key = keyOfRequest(org, event)
    const at = effectInterval(event)
    const deletion = key?.foreignRequests.find((one) => mayFallBetween(one, key.created, at))
    if (!key?.firstAccepted || !deletion || !hasEndedBefore(key.firstAccepted, at)) return undefined
    if (key.deletionRequests.some((one) => mayFallBetween(one, key.created, at))) return undefined
    return judgeFact(
      event.answer.status !== 401,
      'a key that only another organization deleted',
      statusAndCode(event.answer),
      key.firstAccepted.eventId,
      deletion.eventId,
    )
  }),
]

/** Rules: a credential always belongs to the same organization. */
export const credentialOrganizationRules: readonly ModelRule[] = [
  declareModelRule('organization-stable', 'AUTH-STABLE-ORGANIZATION', 'org-id', ['whoami']).judge(
    ({ id }, { answer, key }, { confirmedRequirements }) => {
      const shown = idAsText(valueAtPath(answer.json, 'org', 'id'))
      if (!isSuccess(answer) || shown === undefined || !id) return undefined
      const stable = 'AUTH-STABLE-ORGANIZATION'
      if (shown === id.value) return key === undefined ? { confirms: [stable] } : true
      const requirement = key !== undefined && confirmedRequirements.has(stable) ? 'KEY-WORKS' : stable
      return { requirement, expected: `org.id: ${id.value}`, actual: shown, evidence: [id.eventId] }
    },
  ),
  declareModelRule('organization-own', 'AUTH-ORGANIZATION', 'org-id', ['whoami']).judge(
    (_, { tenant, answer }, { organizations }) => {
      const shown = idAsText(valueAtPath(answer.json, 'org', 'id'))
      if (!isSuccess(answer) || shown === undefined || organizations.size < 2) return undefined
      const own = tenant === null ? undefined : organizations.get(tenant)
      const isTwin = (one: KnownOrganization) => one !== own && one.id?.value === shown
      const twin = organizations.values().find(isTwin)?.id
      return judgeFact(!twin, 'an org.id of its own', `${shown}, as another organization`, twin?.eventId)
    },
  ),
]
