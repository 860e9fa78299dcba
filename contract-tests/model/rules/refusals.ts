/** §5, §7: requests that are refused wherever they are sent: without a valid credential, or with bad input. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { isFromGateway } from '../../client/recorder.ts'
import { type Answered, type Credential, isSuccess } from '../event.ts'
import { brief, codeOf } from '../matching.ts'
import { type Finding, type Rule, rule } from '../violation.ts'
import { isDocumented, mayHold } from './admission.ts'

/** What the answer to a request that must be refused says. `expected`: the refusals that are allowed. */
function refused({ operation, answer }: Answered, expected: string, allowed: Refusal): Finding {
  const { status, json } = answer
  if (isFromGateway(answer) || isElsewhere(operation, status)) return undefined
  const code = allowed[status]
  // Of a body that is not JSON nothing can be said.
  if (code !== undefined && json === undefined) return undefined
  const isRefusal = code === null || (code !== undefined && code === codeOf(answer))
  return isRefusal || { expected, actual: brief(answer), because: [] }
}

/** The allowed statuses, each with the code that it must have; null: any. */
type Refusal = Readonly<Record<number, string | null>>

/** Statuses that say nothing of the credential or the body: limits, outages, sizes, and routes that are not offered. */
const isElsewhere = (operation: OperationId, status: number): boolean =>
  [413, 429, 503].includes(status) ||
  (routeOf(operation).set === 'extended' && [404, 405, 501].includes(status))

const operationsOf = (auth: 'key' | 'cookie') => operationIds.filter((id) => routeOf(id).auth === auth)

/** What is sent in place of a valid credential, by the kind that the route takes. */
const credentials: Readonly<Record<'key' | 'cookie', readonly Credential[]>> = {
  key: ['missing', 'invalid', 'session'],
  cookie: ['missing', 'invalid', 'key'],
}

const withoutAccess = (credential: Credential, operation: OperationId): Rule =>
  rule(
    `unauthorized-${credential}-${operation}`,
    `AUTH-${credential.toUpperCase()}-${operation}`,
    'error-unauthorized',
    [operation],
    { once: true, withoutAccess: true },
  ).judge((_, event) => {
    if (event.credential !== credential) return undefined
    // What else is wrong with it may be seen first.
    if (!isSuccess(event.answer) && !isDocumented(event)) return undefined
    return refused(event, '401 unauthorized', { 401: 'unauthorized' })
  })

type Fields = Readonly<Record<string, unknown>>
const isFields = (body: unknown): body is Fields =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
const isStructured = (value: unknown) => typeof value === 'object' && value !== null
const isScalar = (value: unknown) => typeof value === 'number' || typeof value === 'boolean'

/** Bad bodies by the name in the id of their requirement; `field`: the one that the operation requires. */
const badBodies: Readonly<Record<string, (event: Answered, field: string) => boolean>> = {
  MALFORMED: ({ content }) => content === 'not-json',
  EMPTY: ({ content }) => content === 'none',
  'NOT-OBJECT': ({ body }) => body !== undefined && !isFields(body),
  MISSING: ({ body }, field) => isFields(body) && body[field] === undefined,
  NULL: ({ body }, field) => isFields(body) && body[field] === null,
  'WRONG-TYPE': ({ body }, field) => isFields(body) && isStructured(body[field]),
  SCALAR: ({ body }, field) => isFields(body) && isScalar(body[field]),
}

/** The bad bodies that each operation refuses. */
export const refusedBodies: readonly (readonly [OperationId, field: string, names: readonly string[]])[] = [
  ['createTask', 'text', Object.keys(badBodies)],
  ['createDocument', 'title', Object.keys(badBodies)],
  ['createKey', 'name', ['MALFORMED', 'MISSING', 'WRONG-TYPE', 'SCALAR']],
  ['createLandingPage', '', ['MALFORMED']],
  ['generateCreative', 'prompt', ['MALFORMED', 'MISSING', 'WRONG-TYPE', 'NULL']],
]

const badInputCodes = { 400: 'invalid_request', 409: 'invalid_request', 422: null }

const badInput = (operation: OperationId, field: string, name: string): Rule =>
  rule(
    `bad-input-${name.toLowerCase()}-${operation}`,
    `INPUT-${name}-${operation}`,
    'error-invalid-request',
    [operation],
    { once: true },
  ).judge((org, event) => {
    if (!badBodies[name]?.(event, field) || event.key !== undefined) return undefined
    const { status } = event.answer
    const isPaid = routeOf(operation).cost > 0
    if (isPaid && (status === 402 || mayHold('next_creative_fails', org, event))) return undefined
    return refused(
      event,
      '400 invalid_request, or 409 invalid_request, or 422 with any error code',
      badInputCodes,
    )
  })

export const refusals: readonly Rule[] = [
  ...(['key', 'cookie'] as const).flatMap((auth) =>
    credentials[auth].flatMap((credential) =>
      operationsOf(auth).map((operation) => withoutAccess(credential, operation)),
    ),
  ),
  ...refusedBodies.flatMap(([operation, field, names]) =>
    names.map((name) => badInput(operation, field, name)),
  ),
]
