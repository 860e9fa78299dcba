/** §5 Authentication: key routes require a key, cookie routes a session, and neither accepts the other. */
import type { OperationId } from '#contract/operation.ts'
import { whoamiElsewhere } from '../evidence/organizations.ts'
import { callAs, type Stranger } from '../evidence/unauthorized.ts'
import { assumePositiveControl } from '../evidence/valid-requests.ts'
import { assumeAccepted, expectRefused, expectThat, refusals } from '../harness/expect.ts'
import { cookieOperations, creates, keyOperations } from '../harness/operations.ts'
import { must, type Requirement, should } from '../harness/requirement.ts'
import type { OperatorInput } from '../harness/terms.ts'

/** A caller without access: the name in the id, the section, what it sends, and the input it needs. */
type Unauthorized = readonly [
  name: Stranger,
  section: string,
  credentials: string,
  needs?: readonly OperatorInput[],
]

const withoutKey: readonly Unauthorized[] = [
  ['MISSING', '§5.3', 'without an API key'],
  ['INVALID', '§5.3', 'with an invalid API key'],
  ['SESSION', '§5.1', 'with a browser session and no API key', ['session']],
]

const withoutSession: readonly Unauthorized[] = [
  ['MISSING', '§5.4, §7', 'without a browser session', ['session']],
  ['INVALID', '§5.4, §7', 'with an invalid session cookie', ['session']],
  ['KEY', '§5.4', 'with an API key and no browser session', ['session']],
]

const unauthorized = (
  operation: OperationId,
  [name, section, credentials, needs = []]: Unauthorized,
  writes: boolean,
): Requirement =>
  must(`AUTH-${name}-${operation}`, section, operation, { writes, needs })
    .states(`${operation} ${credentials} returns 401 unauthorized.`)
    .check(async (t) => void expectRefused(await callAs(t, name, operation), refusals.unauthorized))

export const authentication: Requirement[] = [
  ...withoutKey.flatMap((one) =>
    keyOperations.map((operation) => unauthorized(operation, one, creates(operation))),
  ),
  ...cookieOperations.flatMap((operation) => withoutSession.map((one) => unauthorized(operation, one, true))),
  should('AUTH-SCHEME-CASE', '§5.1', 'whoami')
    .states('The Bearer scheme name is case-insensitive (RFC 9110 §11.1).')
    .check(async (t) => {
      await assumePositiveControl(t, 'whoami')
      const client = t.as('main', { authorization: `bearer ${t.settings.apiKey}` })
      const exchange = await client.call('whoami')
      expectThat(exchange.status !== 401, 'the same answer as with "Bearer"', '401', exchange)
    }),
  must('AUTH-ORGANIZATION', '§5.2', 'whoami', { needs: ['other_key'] })
    .states(
      'The key determines the organization: keys of two organizations get different org ids from whoami.',
    )
    .judged(async (t) => {
      await assumePositiveControl(t, 'whoami')
      assumeAccepted(await whoamiElsewhere(t))
    }),
]
