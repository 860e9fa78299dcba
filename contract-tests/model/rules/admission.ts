/** §4, §7: which answers a valid request may get, by its class and by the circumstances. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { isFromGateway } from '../../client/recorder.ts'
import { type Answered, isSuccess } from '../event.ts'
import { brief, intervalOf, isBefore, sameAs } from '../matching.ts'
import { type Interval, type Organization, type State, staysAfter, unknownOrganization } from '../state.ts'
import { type Rule, required, rule } from '../violation.ts'

const ofPaid: Partial<Record<OperationId, string>> = {
  runTask: 'RUN-ACCEPTED',
  generateCreative: 'CREATIVE-ACCEPTED',
}

/** The id of the requirement that valid requests of an operation are accepted. */
export const acceptanceOf = (operation: OperationId): string => ofPaid[operation] ?? `ACCEPTS-${operation}`

/** Whether a state may have been in force for a request. `consistency`: ms in which its teardown may still not show. */
export function mayHold(
  state: string,
  { arranged }: Organization,
  event: Answered,
  consistency = 0,
): boolean {
  const at = intervalOf(event)
  return (arranged.get(state) ?? []).some(
    ({ from, to }) => from.place < at.to.place && !isBefore({ to }, at, consistency),
  )
}

/** Whether an outage that was arranged may go on: a teardown without effect is the provider's fault, not the service's. */
function mayBeOut(org: Organization, event: Answered, consistency: number): boolean {
  if (mayHold('unavailable', org, event, consistency)) return true
  const at = intervalOf(event)
  const intervals = org.arranged.get('unavailable') ?? []
  return intervals.some(({ from, to }) => from.place < at.to.place && to !== null && org.served < to.place)
}

const isAccepted = (event: Answered, org: Organization) => validityOf(event, org) === 'accepted'

/** Operations that no state of other things forbids: a text or a title may be there twice. */
const unconditional: readonly OperationId[] = ['createTask', 'createDocument', 'getTask', 'getDocument']

/** When a valid request must not be answered with a status, by that. */
const wrongAt: Readonly<Record<number, (event: Answered, org: Organization) => boolean>> = {
  // Whether a created key works is judged by the rules for keys.
  401: ({ key }) => key === undefined,
  402: ({ operation }) => routeOf(operation).cost === 0,
  400: isAccepted,
  422: isAccepted,
  409: (event, org) => unconditional.includes(event.operation) && isAccepted(event, org),
  404: (event, org) =>
    routeOf(event.operation).set === 'core' && event.resource === undefined && isAccepted(event, org),
}

/** The same of all other statuses. */
const isErrorWrong = ({ answer }: Answered) => answer.status >= 500

const mayBeMadeToFail = (event: Answered, org: Organization) =>
  event.operation === 'generateCreative' && mayHold('next_creative_fails', org, event)

const admitted = (operation: OperationId): Rule =>
  rule(`admitted-${operation}`, acceptanceOf(operation), 'success-status', [operation], { once: true }).judge(
    (org, event, state) => {
      const { answer } = event
      const validity = validityOf(event, org)
      if (validity === undefined || isFromGateway(answer)) return undefined
      if (isSuccess(answer)) return true
      const isOutage =
        answer.status === 503 ? mayBeOut(org, event, state.consistency) : mayHold('unavailable', org, event)
      if (answer.status >= 500 && (isOutage || mayBeMadeToFail(event, org))) return undefined
      const expected = 'a success (any 2xx), since the request is valid'
      if (answer.status === 503) {
        const before = org.unavailable.get(sameAs(event)) ?? []
        if (before.length < staysAfter - 1) return undefined
        return required(false, expected, `${brief(answer)}, again and again`, ...before)
      }
      const isRefused = (wrongAt[answer.status] ?? isErrorWrong)(event, org)
      // It may be why.
      const limited = org.limited && org.limited.value < event.sent.place ? org.limited.by : undefined
      return isRefused ? required(false, expected, brief(answer), limited) : undefined
    },
  )

export const admission: readonly Rule[] = [
  ...operationIds.map(admitted),
  // A generation may fail, and how that is answered is not published.
  rule(
    'unavailable-unarranged',
    'UNAVAILABLE-UNARRANGED',
    'error-unavailable',
    operationIds.filter((operation) => operation !== 'generateCreative'),
    { once: true, direct: true },
  ).judge((org, event, state) => {
    const { answer } = event
    if (validityOf(event, org) === undefined || isFromGateway(answer)) return undefined
    if (answer.status === 503 && mayBeOut(org, event, state.consistency)) return undefined
    return required(answer.status !== 503, 'an answer: no outage was arranged', brief(answer))
  }),
]

/**
 * `accepted`: nothing that is known of the service lets it refuse the request as bad input.
 * `documented`: of the documented form, but it may be refused: an unknown thing, a restricted `kind`, a long text.
 * Undefined: odd or malformed.
 */
type Validity = 'accepted' | 'documented' | undefined

/** Longest text that every service takes, characters: how long one may be is not published. */
const longest = 64
/** An id as services make them. */
const plainId = /^[\w.:~-]{1,64}$/

const isText = (value: unknown): value is string => typeof value === 'string'
const isPlain = (text: string) => text.length <= longest && text.trim() !== '' && !/\p{C}/u.test(text)

/** Body fields whose plain texts every service takes. */
const alwaysTaken: readonly string[] = ['text', 'title', 'name', 'content_md', 'summary', 'business_name']

/** Whether a request has the documented form; its id has, where it looks like one that the service has issued. */
export function isDocumented(event: Answered, { organizations }: State): boolean {
  const { resource } = event
  const isIssued = (org: Organization) => issuedBy(org).some((id) => isAlike(id, resource ?? ''))
  const isOdd = resource !== undefined && !plainId.test(resource) && !organizations.values().some(isIssued)
  return !isOdd && validityOf({ ...event, resource: resource && 'plain' }, unknownOrganization) !== undefined
}

/** Whether two ids differ in letters and numbers alone. */
const isAlike = (a: string, b: string) => formOf(a) === formOf(b)
const formOf = (id: string) => id.replace(/[a-z]/gi, 'a').replace(/\d+/g, '0')

/** The ids that an organization has shown. */
function* issuedBy({ tasks, documents, notifications, keys }: Organization) {
  for (const [id, { born }] of [...tasks, ...documents]) if (born) yield id
  for (const [id, { seen }] of notifications) if (seen) yield id
  for (const { id } of keys.values()) if (id !== undefined) yield id
}

/** How valid a request is by what the history shows of it. */
function validityOf(event: Answered, org: Organization): Validity {
  const ways = [ofBody(event, org), ofQuery(event), ofResource(event, org)]
  if (ways.includes(undefined)) return undefined
  return ways.includes('documented') ? 'documented' : 'accepted'
}

function ofBody({ operation, body, sent }: Answered, org: Organization): Validity {
  const schema = routeOf(operation).body
  if (!schema) return body === undefined ? 'accepted' : undefined
  if (typeof body !== 'object' || body === null || !schema.safeParse(body).success) return undefined
  const fields = Object.entries(body)
  if (fields.some(([name]) => !Object.hasOwn(schema.shape, name))) return undefined
  const texts = fields.map(([, value]) => value)
  if (!texts.filter(isText).every((text) => text.isWellFormed() && !text.includes('\0'))) return undefined
  const isTaken = fields.every(
    ([name, value]) => alwaysTaken.includes(name) && isText(value) && isPlain(value),
  )
  return isTaken && !mayBeTooMany(operation, org, sent.place) ? 'accepted' : 'documented'
}

/** Whether a service may refuse one more: how many keys and pages there may be is not published. */
function mayBeTooMany(operation: Answered['operation'], { keys, pages, creating }: Organization, at: number) {
  if (operation !== 'createKey' && operation !== 'createLandingPage') return false
  const isOpen = creating.some((one) => one.operation === operation && one.from.place < at)
  return isOpen || (operation === 'createKey' ? keys : pages).size > 0
}

function ofQuery({ operation, query = {} }: Answered): Validity {
  const names = Object.keys(query)
  if (names.length === 0) return operation === 'getInsights' ? 'documented' : 'accepted'
  if (!routeOf(operation).query?.safeParse(query).success) return undefined
  if (!Object.values(query).every(isPlain)) return undefined
  return operation === 'listDocuments' && names.join() === 'all' ? 'accepted' : 'documented'
}

/** What shows first that the thing of a request exists, by its operation. */
const shownFirst: Partial<
  Record<OperationId, (org: Organization, event: Answered, id: string) => Interval | undefined>
> = {
  getTask: ({ tasks }, _, id) => tasks.get(id)?.born,
  getDocument: ({ documents }, _, id) => documents.get(id)?.born,
  readNotification: ({ notifications }, _, id) => notifications.get(id)?.seen,
  deleteKey: ({ keys }, event, id) =>
    [...keys.values()].findLast(
      (key) => key.id === id && [...key.deletions, ...key.foreign].every(({ by }) => by === event.id),
    )?.born,
}

function ofResource(event: Answered, org: Organization): Validity {
  const { operation, resource } = event
  if (resource === undefined) return routeOf(operation).path.includes(':id') ? undefined : 'accepted'
  const known = shownFirst[operation]?.(org, event, resource)
  if (known && isBefore(known, intervalOf(event))) return 'accepted'
  return plainId.test(resource) ? 'documented' : undefined
}
