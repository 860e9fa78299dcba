/** Credentials of the operator that were accepted and then are refused for good: they expired, or were revoked. */
import { routeOf } from '#contract/operation.ts'
import { type Caller, type Exchange, hasSuccessStatus } from '#traffic/exchange.ts'
import type { Recorder } from './recorder.ts'
import { probePath, type RequestSender } from './request.ts'
import type { Target } from './target.ts'

/** The flag that each caller's credential comes from. */
const flags: Readonly<Record<'key' | 'cookie', Partial<Record<Caller, string>>>> = {
  key: { main: '--api-key', other: '--other-api-key' },
  cookie: { session: '--session-cookie', other: '--other-session-cookie' },
}
const header = { key: 'authorization', cookie: 'cookie' } as const
/** Operations that change nothing and show whether a credential is accepted. */
const harmless = { key: 'whoami', cookie: 'listKeys' } as const

/** Refusals in a row after which a credential counts as refused for good, and the time between them, ms. */
const refusals = 3
const between = 300

/** Number of created and deleted keys after which the deletion of one more is no explanation for a refused key. */
const harmlessSoFar = 6

/** The value of the header in which a request carries its credential. */
export const credentialHeaderValue = ({
  operation,
  requestHeaders,
}: Pick<Exchange, 'operation' | 'requestHeaders'>) => requestHeaders[header[routeOf(operation).auth]]

/**
 * Checks with further requests whether a credential of the operator is revoked, after a 401; returns the reason in one
 * line, or undefined if it is not.
 */
export async function diagnoseRevokedCredential(
  exchange: Exchange,
  target: Target,
  recorder: Pick<Recorder, 'exchanges' | 'sent' | 'moment' | 'revoked'>,
  settings: Pick<RequestSender, 'headers'> & { readonly timeout: number },
): Promise<string | undefined> {
  const { operation, caller, status } = exchange
  const { auth } = routeOf(operation)
  const [flag, credential] = [flags[auth][caller], credentialHeaderValue(exchange)]
  if (status !== 401 || flag === undefined || credential === undefined) return undefined
  const isIts = (one: Exchange) => credentialHeaderValue(one) === credential
  const at = recorder.exchanges.findLastIndex((one) => hasSuccessStatus(one) && isIts(one))
  const last = recorder.exchanges[at]
  if (!last) return undefined
  const headers = { ...settings.headers, [header[auth]]: credential }
  const { seq } = recorder.moment(target.now())
  for (let i = 0; i < refusals; i++) {
    await target.sleep(between)
    const again = await probePath(target, routeOf(harmless[auth]).path, headers, settings.timeout)
    if (again?.status !== 401) return undefined
  }
  // A key that got another answer meanwhile is not refused for good.
  const isOpened = (one: Exchange) => isIts(one) && one.status !== 401 && one.status < 500
  if (recorder.sent.some(({ sent, exchange }) => sent.seq > seq && exchange && isOpened(exchange)))
    return undefined
  const isOfKeys = ({ operation: meant }: Exchange) => meant === 'createKey' || meant === 'deleteKey'
  const [before, since] = [recorder.exchanges.slice(0, at), recorder.exchanges.slice(at + 1)]
  const mayBeWhy = (one: Exchange) => one.operation === 'deleteKey' && one.number < exchange.number
  if (auth === 'key' && before.filter(isOfKeys).length < harmlessSoFar && since.some(mayBeWhy))
    return undefined
  recorder.revoked.set(credential, last.number)
  const isRenewed = recorder.exchanges.some((one) => isIts(one) && one.headers['set-cookie'] !== undefined)
  const cause = isRenewed ? 'it was renewed by Set-Cookie, which is not followed, or expired' : 'it expired'
  return `${flag}: accepted until request ${last.number} and refused since (401): ${cause}, or the service revoked it`
}
