/** Turns a step into a request: references become ids from earlier answers, `{tag}` becomes the tag of the case. */
import { type Exchange, hasSuccessStatus, idAsText, itemsOf, valueAtPath } from '#traffic/exchange.ts'
import { parseJsonBody } from '../../client/answer.ts'
import { bearerHeader, type TestContext } from '../../harness/context.ts'
import { createdIdIn } from '../../harness/operations.ts'
import type { CallStep, ResourceRef, StepCredential, StepTenant } from '../step.ts'
import type { PreparedRequest } from './transport.ts'

/**
 * The caller and the headers for a credential that no step creates: a key or session of the operator, an invalid key,
 * or none.
 */
export function callerWithCredentials(
  { settings }: TestContext,
  tenant: StepTenant,
  credential: Exclude<StepCredential, object>,
): Pick<PreparedRequest, 'caller' | 'credentials'> {
  const { apiKey, otherApiKey, sessionCookie, otherSessionCookie } = settings
  if (credential === 'none') return { caller: 'nobody', credentials: {} }
  if (credential === 'invalid')
    return { caller: 'stranger', credentials: bearerHeader('no-such-key-0123456789') }
  const isMain = tenant === 'main'
  if (credential === 'key')
    return { caller: tenant, credentials: bearerHeader((isMain ? apiKey : otherApiKey) ?? '') }
  const cookie = (isMain ? sessionCookie : otherSessionCookie) ?? ''
  return { caller: isMain ? 'session' : 'other', credentials: { cookie } }
}

/** The last answer to each request, by its step. */
type Answers = ReadonlyMap<number, Exchange>

/** The id to which a step's reference points; undefined if the resource was not created or listed. */
export function resolveReference(answers: Answers, ref: ResourceRef | string): string | undefined {
  if (typeof ref === 'string') return ref
  const answer = answers.get('createdBy' in ref ? ref.createdBy : ref.listed)
  if (!answer || !hasSuccessStatus(answer)) return undefined
  if ('createdBy' in ref) return createdIdIn(answer)
  const matching = itemsOf(answer).filter((one) => valueAtPath(one, 'read') === !ref.unread)
  return idAsText(valueAtPath(matching[ref.nth], 'id'))
}

/** The request of a step with ids and texts filled in; undefined if a resource that it refers to was never created. */
export function bindRequest(
  t: TestContext,
  answers: Answers,
  tag: string,
  call: CallStep,
): PreparedRequest | undefined {
  const resource = call.target === undefined ? undefined : resolveReference(answers, call.target)
  const authentication = authenticate(t, answers, call.tenant, call.credential)
  if (!authentication || (call.target !== undefined && resource === undefined)) return undefined
  const body = withTag(call.body, tag)
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const json = text === undefined ? undefined : parseJsonBody(text)
  return {
    operation: call.operation,
    ...(call.credential === 'none' || call.credential === 'invalid'
      ? { tenant: null, credential: call.credential === 'none' ? 'missing' : 'invalid' }
      : { tenant: call.tenant }),
    resource,
    query: withTag(call.query, tag) as CallStep['query'],
    body: json,
    ...(text && json === undefined ? { content: 'not-json' } : {}),
    text,
    ...authentication,
  }
}

function authenticate(
  t: TestContext,
  answers: Answers,
  tenant: StepTenant,
  credential: StepCredential,
): Pick<PreparedRequest, 'caller' | 'credentials' | 'key'> | undefined {
  if (typeof credential !== 'object') return callerWithCredentials(t, tenant, credential)
  const answer = answers.get(credential.createdBy)
  const secret = answer && valueAtPath(answer.json, 'secret')
  if (!answer || typeof secret !== 'string') return undefined
  return { caller: 'created key', credentials: bearerHeader(secret), key: answer.number }
}

/** Replaces `{tag}` in all texts of a value. */
function withTag(value: unknown, tag: string): unknown {
  if (typeof value === 'string') return value.replaceAll('{tag}', tag)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => withTag(one, tag))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTag(one, tag)]))
}
