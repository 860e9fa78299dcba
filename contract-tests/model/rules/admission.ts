/** Statuses that valid requests may get, by their class and the circumstances (§4, §7). */

import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { isRouteAbsent } from '#traffic/exchange.ts'
import { isFromFrontServer, isFromGateway } from '../../client/recorder.ts'
import { type AnsweredRequest, isSuccess } from '../event.ts'
import { effectInterval, hasEndedBefore, requestSignature, statusAndCode } from '../matching.ts'
import { badInputStatuses, documentedErrorStatuses } from '../refusal.ts'
import type { RequirementId } from '../requirement-id.ts'
import {
  type EffectInterval,
  emptyOrganization,
  type KnownOrganization,
  type ModelState,
  minConsecutive503,
} from '../state.ts'
import { declareModelRule, judgeFact, type ModelRule, type RequirementWithAnchor } from '../violation.ts'
import { areOddRequestRulesApplicable } from './odd-requests.ts'

const paidRequirementIds: Partial<Record<OperationId, RequirementId>> = {
  runTask: 'RUN-ACCEPTED',
  generateCreative: 'CREATIVE-ACCEPTED',
}

/** The id of the requirement that valid requests of an operation are accepted. */
export const acceptanceRequirementId = (operation: OperationId): RequirementId =>
  paidRequirementIds[operation] ?? (`ACCEPTS-${operation}` as RequirementId)

/**
 * True if a provider state may have been in force for a request. `consistency`: the time, ms, for which its teardown
 * may not show.
 */
export function mayProviderStateBeActive(
  state: string,
  { arrangedStates }: KnownOrganization,
  event: AnsweredRequest,
  consistency = 0,
): boolean {
  const at = effectInterval(event)
  return (arrangedStates.get(state) ?? []).some(
    ({ from, to }) => from.seq < at.to.seq && !hasEndedBefore({ to }, at, consistency),
  )
}

/** True if an arranged outage may still hold: a teardown that does not end it is the fault of the provider states. */
function outageMayHold(org: KnownOrganization, event: AnsweredRequest, consistency: number): boolean {
  if (mayProviderStateBeActive('unavailable', org, event, consistency)) return true
  const at = effectInterval(event)
  const intervals = org.arrangedStates.get('unavailable') ?? []
  return intervals.some(({ from, to }) => from.seq < at.to.seq && to !== null && org.lastServedSeq < to.seq)
}

const isAccepted = (event: AnsweredRequest, org: KnownOrganization) => validityOf(event, org) === 'accepted'

/** Operations that no state conflicts with: what only reads, and what needs nothing else. */
const unconditionalOperations: readonly OperationId[] = [
  'createTask',
  'createDocument',
  ...operationIds.filter((operation) => routeOf(operation).method === 'GET'),
]

/** The requirement about unusual ids, by operation. */
const oddIdRequirementIds: Partial<Record<OperationId, RequirementId>> = {
  getTask: 'TASK-ODD-ID',
  getDocument: 'DOC-ODD-ID',
  runTask: 'RUN-ODD-ID',
  readNotification: 'NOTIFICATION-ODD-ID',
  deleteKey: 'KEY-ODD-ID',
}

/** True for a list with the query `all`, whose acceptance has a requirement of its own. */
const isOfAllDocuments = ({ operation, query }: AnsweredRequest) =>
  operation === 'listDocuments' && query?.all !== undefined

/**
 * The requirement about odd ids, if a request names a number that no double holds and that was not seen to be an id.
 */
function oddIdCause(
  { operation, resource = '' }: AnsweredRequest,
  validity: Validity,
): RequirementWithAnchor | undefined {
  const requirement = oddIdRequirementIds[operation]
  const isHuge = /^\d+$/.test(resource) && !Number.isSafeInteger(Number(resource))
  return requirement && isHuge && validity === 'documented' ? { requirement, anchor: 'odd-input' } : undefined
}

/** Conditions under which a status is wrong for a valid request. */
const isWrongStatus: Readonly<Record<number, (event: AnsweredRequest, org: KnownOrganization) => boolean>> = {
  // The rules for keys judge created keys.
  401: ({ key }) => key === undefined,
  402: ({ operation }) => routeOf(operation).cost === 0,
  400: isAccepted,
  422: isAccepted,
  409: (event, org) => unconditionalOperations.includes(event.operation) && isAccepted(event, org),
  404: (event, org) =>
    routeOf(event.operation).set === 'core' && event.resource === undefined && isAccepted(event, org),
}

/** True if an error with a status that `isWrongStatus` does not have is wrong for a valid request. */
function isErrorWrong(event: AnsweredRequest, org: KnownOrganization): boolean {
  const { operation, answer } = event
  const { status } = answer
  if (status >= 500) return true
  if (documentedErrorStatuses.includes(status) || isRouteAbsent({ operation, status })) return false
  // A created key may be deleted, and refused with any status.
  return event.key === undefined && !isFromFrontServer(answer) && isAccepted(event, org)
}

const mayBeMadeToFail = (event: AnsweredRequest, org: KnownOrganization) =>
  event.operation === 'generateCreative' && mayProviderStateBeActive('next_creative_fails', org, event)

const acceptedRule = (operation: OperationId): ModelRule =>
  declareModelRule(
    `admitted-${operation}`,
    acceptanceRequirementId(operation),
    'success-status',
    [operation],
    {
      oneSightSuffices: true,
    },
  ).judge((org, event, state) => {
    const { answer } = event
    const validity = validityOf(event, org)
    if (validity === undefined || isFromGateway(answer)) return undefined
    if (isSuccess(answer)) return true
    if (areOddRequestRulesApplicable(event, state)) return undefined
    const isOutage =
      answer.status === 503
        ? outageMayHold(org, event, state.consistency)
        : mayProviderStateBeActive('unavailable', org, event)
    if (answer.status >= 500 && (isOutage || mayBeMadeToFail(event, org))) return undefined
    const expected = 'a success (any 2xx), since the request is valid'
    if (answer.status === 503) {
      const before = org.recentUnavailable.get(requestSignature(event)) ?? []
      if (before.length < minConsecutive503 - 1) return undefined
      return judgeFact(false, expected, `${statusAndCode(answer)}, again and again`, ...before)
    }
    const isRefused = (isWrongStatus[answer.status] ?? isErrorWrong)(event, org)
    if (!isRefused) return undefined
    const cause = answer.status >= 500 ? oddIdCause(event, validity) : undefined
    if (cause)
      return { expected: 'not found, or bad input', actual: statusAndCode(answer), evidence: [], cause }
    // A recent 429 may explain it.
    const limited =
      org.lastRateLimit && org.lastRateLimit.value < event.sent.seq ? org.lastRateLimit.eventId : undefined
    const evidence = limited === undefined ? [] : [limited]
    const requirement = isOfAllDocuments(event) && answer.status < 500 ? 'DOC-ALL' : undefined
    return { expected, actual: statusAndCode(answer), evidence, ...(requirement && { requirement }) }
  })

/** Rules that valid requests are accepted. */
export const acceptanceRules: readonly ModelRule[] = [
  ...operationIds.map(acceptedRule),
  declareModelRule('folder-still-taken', 'ACCEPTS-createDocument', 'success-status', ['createDocument'], {
    attributableToOthers: true,
  }).judge((org, event) => {
    const { folder_id: folder, ...body } = Object(event.body)
    const before = isText(folder) ? org.folders.get(folder) : undefined
    const at = effectInterval(event)
    if (!before || !hasEndedBefore(before, at) || validityOf({ ...event, body }, org) !== 'accepted')
      return undefined
    const isRefused = badInputStatuses.includes(event.answer.status)
    const expected = 'a success: the folder exists'
    return judgeFact(!isRefused, expected, statusAndCode(event.answer), before.eventId)
  }),
  // Generations may fail with an unpublished answer.
  declareModelRule(
    'unavailable-unarranged',
    'UNAVAILABLE-UNARRANGED',
    'error-unavailable',
    operationIds.filter((operation) => operation !== 'generateCreative'),
    { oneSightSuffices: true, neverConsequence: true },
  ).judge((org, event, state) => {
    const { answer } = event
    if (validityOf(event, org) === undefined || isFromGateway(answer)) return undefined
    if (answer.status === 503 && outageMayHold(org, event, state.consistency)) return undefined
    return judgeFact(answer.status !== 503, 'an answer: no outage was arranged', statusAndCode(answer))
  }),
]

/**
 * Validity of a request. `accepted`: nothing known lets a service refuse it. `documented`: well-formed, but possibly
 * refused. Undefined: odd or malformed.
 */
type Validity = 'accepted' | 'documented' | undefined

/** Texts up to this length are taken by every service; the real limit is not published. */
const maxSafeTextLength = 64
/** An id as services make them. */
const plainId = /^[\w.:~-]{1,64}$/

const isText = (value: unknown): value is string => typeof value === 'string'
const isPlain = (text: string) =>
  text.length <= maxSafeTextLength && text.trim() !== '' && !/\p{C}/u.test(text)

/** Body fields in which every service takes plain text. */
const plainTextFields: readonly string[] = ['text', 'title', 'name', 'content_md', 'summary', 'business_name']

/** True if a request is well-formed; an id must look like one that the service issued. */
export function isWellFormedRequest(event: AnsweredRequest, { organizations }: ModelState): boolean {
  const { resource } = event
  const isIssued = (org: KnownOrganization) => issuedBy(org).some((id) => isAlike(id, resource ?? ''))
  const isOdd = resource !== undefined && !plainId.test(resource) && !organizations.values().some(isIssued)
  return !isOdd && validityOf({ ...event, resource: resource && 'plain' }, emptyOrganization) !== undefined
}

/** True if two ids differ only in letters and digits. */
const isAlike = (a: string, b: string) => formOf(a) === formOf(b)
const formOf = (id: string) => id.replace(/[a-z]/gi, 'a').replace(/\d+/g, '0')

/** The ids that an organization has shown. */
function* issuedBy({ tasks, documents, notifications, keys }: KnownOrganization) {
  for (const [id, { created }] of [...tasks, ...documents]) if (created) yield id
  for (const [id, { firstListed }] of notifications) if (firstListed) yield id
  for (const { id } of keys.values()) if (id !== undefined) yield id
}

/** The validity of a request by what the history shows of it. */
function validityOf(event: AnsweredRequest, org: KnownOrganization): Validity {
  const ways = [ofBody(event, org), ofQuery(event), ofResource(event, org)]
  if (ways.includes(undefined)) return undefined
  return ways.includes('documented') ? 'documented' : 'accepted'
}

function ofBody({ operation, body, sent }: AnsweredRequest, org: KnownOrganization): Validity {
  const schema = routeOf(operation).body
  if (!schema) return body === undefined ? 'accepted' : undefined
  if (typeof body !== 'object' || body === null || !schema.safeParse(body).success) return undefined
  const fields = Object.entries(body)
  if (fields.some(([name]) => !Object.hasOwn(schema.shape, name))) return undefined
  const texts = fields.map(([, value]) => value)
  if (!texts.filter(isText).every((text) => text.isWellFormed() && !text.includes('\0'))) return undefined
  const isTaken = fields.every(
    ([name, value]) => plainTextFields.includes(name) && isText(value) && isPlain(value),
  )
  return isTaken && !mayBeTooMany(operation, org, sent.seq) ? 'accepted' : 'documented'
}

/** True if a service may refuse one more key or page: their number is not published. */
function mayBeTooMany(
  operation: AnsweredRequest['operation'],
  { keys, pages, pendingCreations }: KnownOrganization,
  at: number,
) {
  if (operation !== 'createKey' && operation !== 'createLandingPage') return false
  const isOpen = pendingCreations.some((one) => one.operation === operation && one.from.seq < at)
  return isOpen || (operation === 'createKey' ? keys : pages).size > 0
}

function ofQuery({ operation, query = {} }: AnsweredRequest): Validity {
  const names = Object.keys(query)
  if (names.length === 0) return operation === 'getInsights' ? 'documented' : 'accepted'
  if (!routeOf(operation).query?.safeParse(query).success) return undefined
  if (!Object.values(query).every(isPlain)) return undefined
  return operation === 'listDocuments' && names.join() === 'all' ? 'accepted' : 'documented'
}

/** First proof that the target of a request exists, by operation. */
const shownFirst: Partial<
  Record<
    OperationId,
    (org: KnownOrganization, event: AnsweredRequest, id: string) => EffectInterval | undefined
  >
> = {
  getTask: ({ tasks }, _, id) => tasks.get(id)?.created,
  getDocument: ({ documents }, _, id) => documents.get(id)?.created,
  readNotification: ({ notifications }, _, id) => notifications.get(id)?.firstListed,
  deleteKey: ({ keys }, event, id) =>
    [...keys.values()].findLast(
      (key) =>
        key.id === id &&
        [...key.deletionRequests, ...key.foreignRequests].every(({ eventId }) => eventId === event.id),
    )?.created,
}

function ofResource(event: AnsweredRequest, org: KnownOrganization): Validity {
  const { operation, resource } = event
  if (resource === undefined) return routeOf(operation).path.includes(':id') ? undefined : 'accepted'
  const known = shownFirst[operation]?.(org, event, resource)
  if (known && hasEndedBefore(known, effectInterval(event))) return 'accepted'
  return plainId.test(resource) ? 'documented' : undefined
}
