/** §5 Authentication: key routes require a key, cookie routes a session, and neither accepts the other. */

import type { OperationId } from '#contract/operation.ts'
import { type Exchange, idAsText, valueAtPath } from '#traffic/exchange.ts'
import { rethrowUnlessNotExercised } from '../client/check-errors.ts'
import type { CallOptions } from '../client/client.ts'
import { assumeNewKeyWorks } from '../fixtures/key-use.ts'
import { findKeyInList } from '../fixtures/keys.ts'
import { whoamiOfSecondKey } from '../fixtures/organizations.ts'
import { sharedDocument, sharedTask, unknownIdLike } from '../fixtures/resources.ts'
import { sendRequestAsUnauthorized, type UnauthorizedCaller } from '../fixtures/unauthorized.ts'
import { assumePositiveControl } from '../fixtures/valid-requests.ts'
import { bearerHeader, isHeaderSafe, type TestContext } from '../harness/context.ts'
import { assumeAccepted, assumeRefused, documentedRefusals } from '../harness/expect.ts'
import {
  cookieAuthorizedOperations,
  keyAuthorizedOperations,
  ruleAnchorOfOperation,
  traitsOfOperation,
} from '../harness/operations.ts'
import { must, type Requirement, should } from '../harness/requirement.ts'
import type { OperatorInput } from '../harness/terms.ts'
import type { RequirementId } from '../model/requirement-id.ts'
import type { RuleAnchor } from '../model/rule-anchor.ts'
import { ignoredOrganizationIdRequirement } from './organization-sent.ts'

/**
 * An unauthorized caller: its name in requirement ids, the section, what it sends, the rules, and the input it needs.
 */
type Unauthorized = readonly [
  name: UnauthorizedCaller,
  section: string,
  credentials: string,
  rules: readonly RuleAnchor[],
  needs?: readonly OperatorInput[],
]

const refusedFirst = ['unauthorized-first', 'error-unauthorized'] as const

const withoutKey: readonly Unauthorized[] = [
  ['MISSING', '§5.3', 'without an API key', ['bearer-header', ...refusedFirst]],
  ['INVALID', '§5.3', 'with an invalid API key', refusedFirst],
  ['SESSION', '§5.1', 'with a browser session and no API key', ['bearer-header'], ['session']],
]

const withoutSession: readonly Unauthorized[] = [
  [
    'MISSING',
    '§5.4, §7',
    'without a browser session',
    ['bearer-header', 'session-routes', ...refusedFirst],
    ['session'],
  ],
  ['INVALID', '§5.4, §7', 'with an invalid session cookie', ['session-routes', ...refusedFirst], ['session']],
  ['KEY', '§5.4', 'with an API key and no browser session', ['session-routes'], ['session']],
]

/** Requirements that hold only if nobody else marks notifications of the organization. */
const countsOfUnread = ['NOTIFICATION-NEW-COUNTED', 'NOTIFICATION-READ-COUNT'] as const

const unauthorized = (
  operation: OperationId,
  [name, section, credentials, rules, needs = []]: Unauthorized,
  writes: boolean,
): Requirement =>
  must(`AUTH-${name}-${operation}` as RequirementId, section, operation, { writes, needs })
    .tests('key-by-default', ruleAnchorOfOperation(operation), ...rules)
    .explains(...(name === 'MISSING' && operation === 'readNotification' ? countsOfUnread : []))
    .states(`${operation} ${credentials} returns 401 unauthorized.`)
    .judged((t) => sendRequestAsUnauthorized(t, name, operation))

/** Requirements: each route refuses requests without its kind of credential. */
export const authenticationRequirements: Requirement[] = [
  ...withoutKey.flatMap((one) =>
    keyAuthorizedOperations.map((operation) =>
      unauthorized(operation, one, traitsOfOperation(operation).writes),
    ),
  ),
  ...cookieAuthorizedOperations.flatMap((operation) =>
    withoutSession.map((one) => unauthorized(operation, one, true)),
  ),
  should('AUTH-SCHEME-CASE', '§5.1', 'whoami')
    .tests('bearer-case')
    .states('The Bearer scheme name is case-insensitive (RFC 9110 §11.1).')
    .judged(async (t) => {
      await assumePositiveControl(t, 'whoami')
      const client = t.as('main', { authorization: `bearer ${t.settings.apiKey}` })
      const exchange = await client.call('whoami')
      // The key may have been lost meanwhile.
      if (exchange.status === 401) assumeAccepted(await t.call('whoami'))
      return [exchange]
    }, 'exchange'),
  must('AUTH-ORGANIZATION', '§5.2', 'whoami', { needs: ['other_key'] })
    .tests('organization-by-credential', 'org-id', 'organization-from-key')
    .explains('AUTH-STABLE-ORGANIZATION', 'CREDITS-PROMPT')
    .states(
      'The key determines the organization: keys of two organizations get different org ids from whoami.',
    )
    .judged(async (t) => {
      await assumePositiveControl(t, 'whoami')
      assumeAccepted(await whoamiOfSecondKey(t))
    }),
]

/** Requests with an error besides the missing key. */
const faulty: readonly {
  readonly operation: 'getTask' | 'getDocument' | 'createTask' | 'createDocument'
  readonly fault: string
  readonly ask: (t: TestContext) => Promise<CallOptions>
  /** Media type with which the request is sent once more. */
  readonly contentType?: string
}[] = [
  {
    operation: 'getTask',
    fault: 'of an unknown task',
    ask: async (t) => ({ id: unknownIdLike((await sharedTask(t)).id), invented: 'alike' }),
  },
  {
    operation: 'getDocument',
    fault: 'of an unknown document',
    ask: async (t) => ({ id: unknownIdLike((await sharedDocument(t)).id), invented: 'alike' }),
  },
  {
    operation: 'createTask',
    fault: 'without text',
    ask: async () => ({ body: {} }),
    contentType: 'text/plain',
  },
  { operation: 'createDocument', fault: 'without title', ask: async () => ({ body: '{"summary":' }) },
]

const keyFirst = faulty.map(({ operation, fault, ask, contentType }) =>
  must(`AUTH-FIRST-${operation}`, '§5.3', operation, traitsOfOperation(operation))
    .tests(ruleAnchorOfOperation(operation), ...refusedFirst)
    .explainsSameStatus(`AUTH-MISSING-${operation}`)
    .states(
      `${operation} ${fault} and without an API key returns 401 unauthorized, since authentication is checked first.`,
    )
    .judged(async (t) => {
      assumeRefused(await sendRequestAsUnauthorized(t, 'MISSING', operation), documentedRefusals.unauthorized)
      const asked = await ask(t)
      const other = contentType === undefined ? [] : [{ ...asked, headers: { 'content-type': contentType } }]
      return Promise.all([asked, ...other].map((one) => t.nobody.call(operation, one)))
    }, 'exchange'),
)

/** Authentication comes first, although many frameworks negotiate the media type before it. */
const beforeNegotiation = must('AUTH-FIRST-whoami', '§5.3', 'whoami')
  .tests('whoami', 'unauthorized-first', 'error-unauthorized')
  .states('whoami with an Accept header for XML alone and without an API key returns 401 unauthorized.')
  .judged(async (t) => {
    assumeRefused(await sendRequestAsUnauthorized(t, 'MISSING', 'whoami'), documentedRefusals.unauthorized)
    return [await t.nobody.call('whoami', { headers: { accept: 'application/xml' } })]
  }, 'exchange')

/** A credential with bytes that RFC 9110 allows in a header and that no key contains. */
const notAscii = 'Bearer \xe9\xff'

/** Requirements that a route accepts only its own kind of credential, and only in the header for that kind. */
export const credentialKindRequirements: Requirement[] = [
  ...keyFirst,
  beforeNegotiation,

  must('AUTH-MALFORMED', '§5.1, §5.3', 'whoami')
    .tests('malformed-input', 'bearer-header', 'unauthorized-first', 'error-unauthorized')
    .states('An Authorization header without an API key returns 401 unauthorized.')
    .judged(async (t) => {
      await assumePositiveControl(t, 'whoami')
      const given = ['Bearer', 'Basic Og==', 'Bearer Bearer', notAscii]
      return Promise.all(given.map((authorization) => t.as('stranger', { authorization }).call('whoami')))
    }, 'exchange'),

  ignoredOrganizationIdRequirement,
]

/** Authorization headers that contain the key, but not as a Bearer token: the key alone, with another word, encoded. */
function otherSchemes(key: string): readonly string[][] {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  return [
    [key],
    [`Bearer token ${key}`, `Basic ${key}`, `Token ${key}`, `ApiKey ${key}`, `X Bearer ${key}`],
    [`Basic ${base64(`${key}:`)}`, `Basic ${base64(`key:${key}`)}`],
  ]
}

/** Names under which other services accept a key. */
const names = ['api_key', 'key', 'apikey', 'token', 'access_token']
const headers = ['x-api-key', 'api-key', 'x-auth-token', 'x-access-token', 'x-authorization']

const operations = ['whoami', 'listTasks', 'listDocuments', 'listNotifications'] as const

/** Continues only with a route that accepts the key and refuses requests without one. */
async function assumeKeyRequired(t: TestContext, operation: (typeof operations)[number]): Promise<void> {
  await assumePositiveControl(t, operation)
  assumeRefused(await sendRequestAsUnauthorized(t, 'MISSING', operation), documentedRefusals.unauthorized)
}

/** A way to send the key. */
type Way = Pick<CallOptions, 'query' | 'headers'>

const inHeaders = (key: string): Way[] => headers.map((name) => ({ headers: { [name]: key } }))

const inQueryAndCookies = (key: string): Way[] =>
  names.flatMap((name): Way[] => [
    { query: { [name]: key } },
    { headers: { cookie: `${name}=${encodeURIComponent(key)}` } },
  ])

/** Sends a request with a key in all of these places together. */
function sendIn(t: TestContext, operation: (typeof operations)[number], ways: readonly Way[]) {
  const cookie = ways.flatMap(({ headers }) => headers?.cookie ?? []).join('; ')
  const headers = Object.assign({}, ...ways.map(({ headers }) => headers), cookie && { cookie })
  const query = Object.assign({}, ...ways.map(({ query }) => query))
  return t.as('stranger', headers).call(operation, { query })
}

/** Sends a key that the clean-up deletes, in every place that a requirement is about. */
const sendEverywhere = (t: TestContext, operation: (typeof operations)[number]) =>
  t.evidence(`key everywhere ${operation}`, async () => {
    const { value } = await assumeNewKeyWorks(t)
    return sendIn(t, operation, [...inHeaders(value), ...inQueryAndCookies(value)])
  })

/** The answers to a key in wrong places: in all places at once and, unless that gives 401, in each alone. */
async function tryPlaces(t: TestContext, ways: readonly Way[]): Promise<Exchange[]> {
  const answers: Exchange[] = []
  const isShared =
    !t.run.exclusive && t.settings.sessionCookie && !t.settings.readOnly && t.run.wants('AUTH-QUERY')
  for (const operation of operations) {
    await assumeKeyRequired(t, operation)
    if (isShared && (await sendEverywhere(t, operation).catch(rethrowUnlessNotExercised))?.status === 401)
      continue
    // A service may refuse parameters that it does not know, and then says nothing of the rest.
    const together = await sendIn(t, operation, ways)
    answers.push(together)
    if (together.status === 401) continue
    for (const way of ways) answers.push(await sendIn(t, operation, [way]))
  }
  return answers
}

/** Continues only if an unknown token is refused. */
async function assumeUnknownTokenRefused(t: TestContext): Promise<void> {
  assumeRefused(await sendRequestAsUnauthorized(t, 'INVALID', 'whoami'), documentedRefusals.unauthorized)
}

/** The answers to these values as API keys, if they can stand in a header. */
const callsWith = (t: TestContext, values: readonly string[]): Promise<Exchange[]> =>
  Promise.all(values.filter(isHeaderSafe).map((one) => t.as('stranger', bearerHeader(one)).call('whoami')))

const withSession = { writes: true, needs: ['session'] } as const

/**
 * Requirements that a key is accepted in the Authorization header only, not in another header, the URL, a cookie or the
 * body.
 */
export const keyPlaceRequirements: Requirement[] = [
  must('AUTH-SCHEME', '§5.1', null)
    .tests('bearer-header')
    .states('An API key with no scheme, or a scheme other than Bearer, returns 401 unauthorized.')
    .judged(async (t) => {
      const kinds = otherSchemes(t.settings.apiKey)
      const answers: Exchange[] = []
      for (const [at, operation] of operations.entries()) {
        await assumeKeyRequired(t, operation)
        // The first route is tried with all, every other one with one of a kind.
        const kind = kinds[at % kinds.length] ?? []
        const sent = at === 0 ? kinds.flat() : kind.slice(-1)
        const calls = sent.map((authorization) => t.as('stranger', { authorization }).call(operation))
        answers.push(...(await Promise.all(calls)))
      }
      return answers
    }, 'exchange'),

  must('AUTH-HEADER', '§5.1', null)
    .tests('bearer-header')
    .states('An API key in a header other than Authorization gives no access.')
    .judged((t) => tryPlaces(t, inHeaders(t.settings.apiKey)), 'exchange'),

  // With a key that the clean-up deletes, since URLs are written to logs.
  must('AUTH-QUERY', '§5.1', null, { ...withSession, exclusive: true })
    .tests('bearer-header')
    .states('An API key in the query string, in a cookie or in the body gives no access.')
    .judged(async (t) => {
      const { value } = await assumeNewKeyWorks(t)
      const inBody = Object.fromEntries(names.map((name) => [name, value]))
      const body = { text: t.name('Task'), ...inBody }
      const answers = await tryPlaces(t, inQueryAndCookies(value))
      assumeRefused(
        await sendRequestAsUnauthorized(t, 'MISSING', 'createTask'),
        documentedRefusals.unauthorized,
      )
      return [...answers, await t.as('stranger', {}).call('createTask', { body })]
    }, 'exchange'),

  must('AUTH-AS-KEY', '§5.3', 'whoami', { needs: ['session'] })
    .tests('unauthorized-first')
    .states('The value of a session cookie sent as a Bearer token returns 401 unauthorized.')
    .judged(async (t) => {
      await assumeUnknownTokenRefused(t)
      const value = t.settings.sessionCookie?.split(';')[0]?.replace(/^[^=]*=/, '') ?? ''
      return callsWith(t, [value])
    }, 'exchange'),

  must('AUTH-AS-SESSION', '§5.4', 'listKeys', { needs: ['session'] })
    .tests('session-routes')
    .states('An API key sent as the value of the session cookie returns 401 unauthorized.')
    .judged(async (t) => {
      assumeRefused(
        await sendRequestAsUnauthorized(t, 'INVALID', 'listKeys'),
        documentedRefusals.unauthorized,
      )
      const name = t.settings.sessionCookie?.split('=')[0]
      const cookie = `${name}=${encodeURIComponent(t.settings.apiKey)}`
      return [await t.as('stranger', { cookie }).call('listKeys')]
    }, 'exchange'),

  must('KEY-ONLY-SECRET', '§5.3', 'listKeys', { ...withSession, exclusive: true })
    .tests('unauthorized-first')
    .states(
      'The id, prefix or name of a key, or its organization id, sent as an API key returns 401 unauthorized.',
    )
    .judged(async (t) => {
      await assumeUnknownTokenRefused(t)
      const { key, value, list } = await assumeNewKeyWorks(t)
      const entry = findKeyInList(list, key)
      const known = ['id', 'prefix', 'name'].flatMap((name) => idAsText(valueAtPath(entry, name)) ?? [])
      const sent = [...known, await t.orgId()].filter((one) => one !== value)
      return callsWith(t, sent)
    }, 'exchange'),
]
