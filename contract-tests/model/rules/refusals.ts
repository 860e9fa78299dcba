/** Rules on requests that must be refused: without a valid credential, or with bad input (§5, §7). */

import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { idAsText, valueAtPath } from '#traffic/exchange.ts'
import { mayInputBeRejectedUpstream } from '#traffic/malformed-input.ts'
import { type AnsweredRequest, type CredentialKind, isSuccess } from '../event.ts'
import { statusAndCode } from '../matching.ts'
import { documentedRefusals as allowed, judgeRefusal } from '../refusal.ts'
import type { RequirementId } from '../requirement-id.ts'
import { declareModelRule, judgeFact, type ModelRule } from '../violation.ts'
import { isWellFormedRequest, mayProviderStateBeActive } from './admission.ts'

const operationsOf = (auth: 'key' | 'cookie') => operationIds.filter((id) => routeOf(id).auth === auth)

/** Credentials without access, by the kind that a route takes. */
const credentials: Readonly<Record<'key' | 'cookie', readonly CredentialKind[]>> = {
  key: ['missing', 'invalid', 'session'],
  cookie: ['missing', 'invalid', 'key'],
}

const withoutAccess = (credential: CredentialKind, operation: OperationId): ModelRule =>
  declareModelRule(
    `unauthorized-${credential}-${operation}`,
    `AUTH-${credential.toUpperCase()}-${operation}` as RequirementId,
    'error-unauthorized',
    [operation],
    { oneSightSuffices: true, audience: 'nobody' },
  ).judge((_, event, state) => {
    if (event.credential !== credential || hasOtherError(event)) return undefined
    // Other errors in the request may be found first.
    if (!isSuccess(event.answer) && !isWellFormedRequest(event, state)) return undefined
    return judgeRefusal(event, allowed.unauthorized)
  })

/** Operations whose requests without a key are tried with another error as well. */
const withOtherErrors = ['whoami', 'getTask', 'getDocument', 'createTask', 'createDocument'] as const

/** True for a request without a credential that also has another error, such as a bad body or an unknown id. */
function hasOtherError(event: AnsweredRequest): boolean {
  const { operation, credential, invented, negotiatesContent } = event
  if (credential !== 'missing') return false
  if (operation === 'whoami') return negotiatesContent === true
  if (operation === 'getTask' || operation === 'getDocument') return invented === 'alike'
  const [, field, names] = refusedBodyKinds.find(([one]) => one === operation) ?? []
  const isCreation = operation === 'createTask' || operation === 'createDocument'
  const isBad = negotiatesContent === true || names?.some((name) => badBodies[name](event, field ?? ''))
  return isCreation && isBad === true
}

const keyFirst = (operation: (typeof withOtherErrors)[number]): ModelRule =>
  declareModelRule(
    `unauthorized-first-${operation}`,
    `AUTH-FIRST-${operation}`,
    'unauthorized-first',
    [operation],
    {
      audience: 'nobody',
    },
  ).judge((_, event) => (hasOtherError(event) ? judgeRefusal(event, allowed.unauthorized) : undefined))

const keyAuthorizedOperations = operationsOf('key')

/**
 * Credentials in a wrong form or place: the requirement about each, its anchor, its kind, and the operations where it
 * is judged.
 */
const misused = [
  ['KEY-WHOLE', 'unauthorized-first', 'altered', ['whoami']],
  ['KEY-ONLY-SECRET', 'unauthorized-first', 'public', ['whoami']],
  ['AUTH-MALFORMED', 'bearer-header', 'malformed', ['whoami']],
  ['AUTH-SCHEME', 'bearer-header', 'scheme', keyAuthorizedOperations],
  ['AUTH-AS-KEY', 'unauthorized-first', 'session-as-key', ['whoami']],
  ['AUTH-AS-SESSION', 'session-routes', 'key-as-session', ['listKeys']],
] as const satisfies readonly (readonly [RequirementId, string, CredentialKind, readonly OperationId[]])[]

const ofNobody = { audience: 'nobody' } as const

/**
 * Rules that requests are refused with 401 if their credential has a wrong form or place, or if they lack one and have
 * another error as well.
 */
export const misplacedCredentialRules: readonly ModelRule[] = [
  ...withOtherErrors.map(keyFirst),
  ...misused.map(([requirement, anchor, credential, operations]) =>
    declareModelRule(`refused-${credential}`, requirement, anchor, operations, ofNobody).judge(
      (_, event, state) => {
        if (event.credential !== credential) return undefined
        // A lookalike of a key of the operator may be a key of somebody else.
        const shown = idAsText(valueAtPath(event.answer.json, 'org', 'id'))
        const own = [...state.organizations.values()].map(({ id }) => id?.value)
        if (credential === 'altered' && isSuccess(event.answer) && !own.includes(shown)) return undefined
        return judgeRefusal(event, allowed.unauthorized)
      },
    ),
  ),
  declareModelRule('refused-not-ascii', 'AUTH-MALFORMED', 'malformed-input', ['whoami'], ofNobody).judge(
    (_, event) =>
      // A server in front may refuse such a header in its own way.
      event.credential !== 'not-ascii' || mayInputBeRejectedUpstream(event.answer.status)
        ? undefined
        : judgeRefusal(event, allowed.unauthorized),
  ),
  ...(['header', 'query'] as const).map((place) =>
    declareModelRule(
      `no-access-by-${place}`,
      `AUTH-${place.toUpperCase()}` as RequirementId,
      'bearer-header',
      keyAuthorizedOperations,
      ofNobody,
    ).judge((_, { credential, answer }) => {
      if (credential === 'everywhere') return !isSuccess(answer) || undefined
      if (credential !== place) return undefined
      return judgeFact(!isSuccess(answer), 'a refusal', statusAndCode(answer))
    }),
  ),
]

type Fields = Readonly<Record<string, unknown>>
const isFields = (body: unknown): body is Fields =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
const isStructured = (value: unknown) => typeof value === 'object' && value !== null
const isScalar = (value: unknown) => typeof value === 'number' || typeof value === 'boolean'

/**
 * The test for each kind of bad body, by its name in ids of requirements. `field`: the one that the operation requires.
 */
const badBodies = {
  MALFORMED: ({ content }) => content === 'not-json',
  EMPTY: ({ content }) => content === 'none',
  'NOT-OBJECT': ({ body }) => body !== undefined && !isFields(body),
  // The required field under a name in another case is the kind CASE, which is only a SHOULD.
  MISSING: ({ body }, field) =>
    isFields(body) &&
    !Object.entries(body).some(([name, value]) => value !== undefined && name.toLowerCase() === field),
  'WRONG-TYPE': ({ body }, field) => isFields(body) && isStructured(body[field]),
  NULL: ({ body }, field) => isFields(body) && body[field] === null,
  CASE: ({ body }, field) =>
    isFields(body) &&
    body[field] === undefined &&
    Object.keys(body).some((name) => name.toLowerCase() === field),
  SCALAR: ({ body }, field) => isFields(body) && isScalar(body[field]),
} as const satisfies Record<string, (event: AnsweredRequest, field: string) => boolean>

/** A way in which a body is invalid, such as a missing field. */
export type BadBodyKind = keyof typeof badBodies
const bodiesOfAll = (Object.keys(badBodies) as BadBodyKind[]).filter((name) => name !== 'CASE')

/** For each operation that must refuse bad bodies: its required field, and the kinds of bad body. */
export const refusedBodyKinds = [
  ['createTask', 'text', bodiesOfAll],
  ['createDocument', 'title', [...bodiesOfAll, 'CASE']],
  ['createKey', 'name', ['MALFORMED', 'MISSING', 'WRONG-TYPE', 'SCALAR']],
  ['createLandingPage', '', ['MALFORMED']],
  ['generateCreative', 'prompt', ['MALFORMED', 'MISSING', 'WRONG-TYPE', 'NULL']],
] as const satisfies readonly (readonly [OperationId, field: string, names: readonly BadBodyKind[]])[]

const badInput = (operation: OperationId, field: string, name: BadBodyKind): ModelRule =>
  declareModelRule(
    `bad-input-${name.toLowerCase()}-${operation}`,
    `INPUT-${name}-${operation}` as RequirementId,
    'error-invalid-request',
    [operation],
    { oneSightSuffices: true },
  ).judge((org, event) => {
    if (!badBodies[name](event, field) || event.key !== undefined) return undefined
    const { status } = event.answer
    const isPaid = routeOf(operation).cost > 0
    if (isPaid && (status === 402 || mayProviderStateBeActive('next_creative_fails', org, event)))
      return undefined
    // A missing body has no media type, so that 415 suits it too.
    return judgeRefusal(event, name === 'EMPTY' ? { ...allowed.badInput, 415: null } : allowed.badInput)
  })

/** Rules that requests with a missing or wrong credential, and requests with an invalid body, are refused. */
export const credentialAndBodyRules: readonly ModelRule[] = [
  ...(['key', 'cookie'] as const).flatMap((auth) =>
    credentials[auth].flatMap((credential) =>
      operationsOf(auth).map((operation) => withoutAccess(credential, operation)),
    ),
  ),
  ...refusedBodyKinds.flatMap(([operation, field, names]) =>
    names.map((name) => badInput(operation, field, name)),
  ),
]
