/** §5, §7: requests that are refused wherever they are sent: without a valid credential, or with bad input. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { isAbsent } from '#traffic/exchange.ts'
import { isFromGateway } from '../../client/recorder.ts'
import { type Answered, type Credential, isSuccess } from '../event.ts'
import { brief } from '../matching.ts'
import { refusals as allowed, describe, isRefused, type Refusal } from '../refusal.ts'
import { type Finding, type Rule, required, rule } from '../violation.ts'
import { isDocumented, mayHold } from './admission.ts'

/** What the answer to a request that must be refused says. */
function refused({ operation, answer }: Answered, refusal: Refusal): Finding {
  const { status, json } = answer
  // Limits, outages, sizes, and routes that are not offered say nothing of the credential or the body.
  if (isFromGateway(answer) || [413, 429, 503].includes(status) || isAbsent({ operation, status }))
    return undefined
  // Of a body that is not JSON nothing can be said.
  if (refusal[status] !== undefined && json === undefined) return undefined
  return required(isRefused(answer, refusal), describe(refusal), brief(answer))
}

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
    { once: true, asker: 'nobody' },
  ).judge((_, event, state) => {
    if (event.credential !== credential) return undefined
    // What else is wrong with it may be seen first.
    if (!isSuccess(event.answer) && !isDocumented(event, state)) return undefined
    return refused(event, allowed.unauthorized)
  })

type Fields = Readonly<Record<string, unknown>>
const isFields = (body: unknown): body is Fields =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
const isStructured = (value: unknown) => typeof value === 'object' && value !== null
const isScalar = (value: unknown) => typeof value === 'number' || typeof value === 'boolean'

/** Bad bodies by the name in the id of their requirement; `field`: the one that the operation requires. */
const badBodies = {
  MALFORMED: ({ content }) => content === 'not-json',
  EMPTY: ({ content }) => content === 'none',
  'NOT-OBJECT': ({ body }) => body !== undefined && !isFields(body),
  MISSING: ({ body }, field) => isFields(body) && body[field] === undefined,
  'WRONG-TYPE': ({ body }, field) => isFields(body) && isStructured(body[field]),
  NULL: ({ body }, field) => isFields(body) && body[field] === null,
  SCALAR: ({ body }, field) => isFields(body) && isScalar(body[field]),
} as const satisfies Record<string, (event: Answered, field: string) => boolean>

export type BadBody = keyof typeof badBodies
const every = Object.keys(badBodies) as BadBody[]

/** The bad bodies that each operation refuses. */
export const refusedBodies = [
  ['createTask', 'text', every],
  ['createDocument', 'title', every],
  ['createKey', 'name', ['MALFORMED', 'MISSING', 'WRONG-TYPE', 'SCALAR']],
  ['createLandingPage', '', ['MALFORMED']],
  ['generateCreative', 'prompt', ['MALFORMED', 'MISSING', 'WRONG-TYPE', 'NULL']],
] as const satisfies readonly (readonly [OperationId, field: string, names: readonly BadBody[]])[]

const badInput = (operation: OperationId, field: string, name: BadBody): Rule =>
  rule(
    `bad-input-${name.toLowerCase()}-${operation}`,
    `INPUT-${name}-${operation}`,
    'error-invalid-request',
    [operation],
    { once: true },
  ).judge((org, event) => {
    if (!badBodies[name](event, field) || event.key !== undefined) return undefined
    const { status } = event.answer
    const isPaid = routeOf(operation).cost > 0
    if (isPaid && (status === 402 || mayHold('next_creative_fails', org, event))) return undefined
    return refused(event, allowed.badInput)
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
