/** Fills steps in: references by the answers of earlier steps, texts by the tag of the executor, and credentials. */
import { type Exchange, field, idOf, isAccepted, items } from '#traffic/exchange.ts'
import { parseBody } from '../client/answer.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { createdId } from '../harness/operations.ts'
import type { CallStep, Credential, Ref, Tenant } from './step.ts'
import type { Request } from './wire.ts'

/** The credentials of an organization, other than a created key. */
export function credentialsOf(
  { settings }: TestContext,
  tenant: Tenant,
  as: Exclude<Credential, object>,
): Pick<Request, 'caller' | 'credentials'> {
  const { apiKey, otherApiKey, sessionCookie, otherSessionCookie } = settings
  if (as === 'none') return { caller: 'nobody', credentials: {} }
  if (as === 'invalid') return { caller: 'stranger', credentials: bearer('no-such-key-0123456789') }
  const isMain = tenant === 'main'
  if (as === 'key') return { caller: tenant, credentials: bearer((isMain ? apiKey : otherApiKey) ?? '') }
  const cookie = (isMain ? sessionCookie : otherSessionCookie) ?? ''
  return { caller: isMain ? 'session' : 'other', credentials: { cookie } }
}

/** The last answer to each request, by its step. */
type Answers = ReadonlyMap<number, Exchange>

/** The id that a reference stands for; undefined: there is none. */
export function resolve(answers: Answers, ref: Ref | string): string | undefined {
  if (typeof ref === 'string') return ref
  const answer = answers.get('made' in ref ? ref.made : ref.listed)
  if (!answer || !isAccepted(answer)) return undefined
  if ('made' in ref) return createdId(answer)
  const fitting = items(answer).filter((one) => field(one, 'read') === !ref.unread)
  return idOf(field(fitting[ref.nth], 'id'))
}

/** The request of a step; undefined: what it refers to does not exist. */
export function fillIn(t: TestContext, answers: Answers, tag: string, call: CallStep): Request | undefined {
  const resource = call.of === undefined ? undefined : resolve(answers, call.of)
  const authentication = authenticate(t, answers, call.tenant, call.as)
  if (!authentication || (call.of !== undefined && resource === undefined)) return undefined
  const body = tagged(call.body, tag)
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const json = text === undefined ? undefined : parseBody(text)
  return {
    operation: call.operation,
    ...(call.as === 'none' || call.as === 'invalid'
      ? { tenant: null, credential: call.as === 'none' ? 'missing' : 'invalid' }
      : { tenant: call.tenant }),
    resource,
    query: tagged(call.query, tag) as CallStep['query'],
    body: json,
    ...(text && json === undefined ? { content: 'not-json' } : {}),
    text,
    ...authentication,
  }
}

function authenticate(
  t: TestContext,
  answers: Answers,
  tenant: Tenant,
  as: Credential,
): Pick<Request, 'caller' | 'credentials' | 'key'> | undefined {
  if (typeof as !== 'object') return credentialsOf(t, tenant, as)
  const answer = answers.get(as.made)
  const secret = answer && field(answer.json, 'secret')
  if (!answer || typeof secret !== 'string') return undefined
  return { caller: 'created key', credentials: bearer(secret), key: answer.number }
}

/** A value with a tag in its texts. */
function tagged(value: unknown, tag: string): unknown {
  if (typeof value === 'string') return value.replaceAll('{tag}', tag)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => tagged(one, tag))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, tagged(one, tag)]))
}
