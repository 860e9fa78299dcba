/** Checks every input before anything is tested: the URL, keys, cookies and the states endpoint. */

import { hasSuccessStatus, idAsText, valueAtPath } from '#traffic/exchange.ts'
import { catalogue } from '../catalogue/index.ts'
import { bodyTooSlowText, isConnectionReset, requestFailureReason } from '../client/answer.ts'
import type { Target } from '../client/target.ts'
import { bearerHeader, isHeaderSafe } from '../harness/context.ts'
import { isCheck, type Requirement } from '../harness/requirement.ts'
import type { Need, SuiteSettings } from '../harness/terms.ts'
import { visibleKeyPrefix } from '../model/matching.ts'
import {
  describeMissingAnswer,
  describePreflightAnswer,
  getBelowApi,
  isHtmlAnswer,
  type PreflightTarget,
  type SuiteInputName,
  UnusableInputError,
} from './preflight-inputs.ts'
import { createPreflightSender, type PreflightAnswer, type PreflightSender } from './preflight-requests.ts'
import { proveProviderStates } from './preflight-states.ts'
import { omissionReason, unmetPrerequisiteError } from './selection.ts'

/**
 * The reason why the service cannot be tested with these settings, in one line; undefined if it can be. Spends no
 * credits.
 */
export async function preflightProblem(
  target: Target,
  settings: SuiteSettings,
  requirements: readonly Requirement[] = catalogue,
): Promise<string | undefined> {
  const send = createPreflightSender(target, settings)
  let asked = 'a request'
  const ask: PreflightSender = (url, options) => {
    asked = `${options?.method ?? 'GET'} ${new URL(url).pathname}`
    return send(url, options)
  }
  try {
    await proveInputs({ ask, target, settings }, needsOf(requirements, settings))
    return undefined
  } catch (error) {
    if (error instanceof UnusableInputError) return error.message
    return `${target.baseUrl} did not answer ${asked} before the run: ${requestFailureReason(error)}`
  }
}

async function proveInputs(tried: PreflightTarget, needs: ReadonlySet<Need>): Promise<void> {
  const { settings } = tried
  const { apiKey, otherApiKey, sessionCookie, otherSessionCookie, readOnly } = settings
  await proveBaseUrl(tried)
  if (otherApiKey && needs.has('other_key')) await proveOtherKey(tried, otherApiKey)
  if (sessionCookie && needs.has('session')) {
    await proveCookie(tried, 'sessionCookie', sessionCookie)
    if (!readOnly) await proveOwner(tried, 'sessionCookie', sessionCookie, apiKey, '--api-key')
    else if (otherApiKey) await proveListedOwner(tried, sessionCookie, otherApiKey)
  }
  if (otherSessionCookie && needs.has('other_session')) {
    await proveCookie(tried, 'otherSessionCookie', otherSessionCookie)
    if (!readOnly && otherApiKey)
      await proveOwner(tried, 'otherSessionCookie', otherSessionCookie, otherApiKey, '--other-api-key')
  }
  if (!settings.statesUrl || readOnly || ![...needs].some((need) => need.startsWith('state:'))) return
  const org = await organizationOf(tried, apiKey)
  if (org !== undefined) await proveProviderStates({ ...tried, org }, needs)
}

/** Needs of the selected requirements, as far as the settings supply them. */
function needsOf(requirements: readonly Requirement[], settings: SuiteSettings): Set<Need> {
  const checks = requirements.filter(isCheck).filter((check) => {
    return (
      omissionReason(check, settings) === undefined && unmetPrerequisiteError(settings, check) === undefined
    )
  })
  return new Set(checks.flatMap(({ needs }) => needs))
}

/** Two routes that only read, and the fields of a success, of which one is enough to know it by. */
const routes = {
  '/whoami': ['org', 'plan', 'credits'],
  '/tasks': ['items', 'usedToday', 'limit', 'remaining'],
}

/**
 * Proves that the base URL is that of this API. @throws UnusableInput if both routes refuse the key, or neither answers
 * like this API.
 */
async function proveBaseUrl(tried: PreflightTarget): Promise<void> {
  const { baseUrl } = tried.target
  const seen: PreflightAnswer[] = []
  for (const [path, fields] of Object.entries(routes)) {
    const received = await getBelowApi(tried, path, bearerHeader(tried.settings.apiKey)).catch((error) => {
      throw new UnusableInputError('baseUrl', describeMissingAnswer(baseUrl, requestFailureReason(error)))
    })
    if (isOfThisApi(received, fields)) return
    seen.push(received)
  }
  const [whoami, tasks] = seen as [PreflightAnswer, PreflightAnswer]
  if (seen.every(({ status }) => status === 401))
    throw new UnusableInputError(
      'apiKey',
      `${baseUrl} refuses it (401 on whoami and on tasks): ${describePreflightAnswer(whoami)}; or something in front of the service removes Authorization, as Squid does unless told otherwise`,
    )
  if (seen.every(isUnknownSuccess) && !isUnknownSuccess(await getBelowApi(tried, '/no-such-route', {})))
    return
  throw new UnusableInputError(
    'baseUrl',
    `${baseUrl} ${strangeness(baseUrl, whoami.status === 401 ? tasks : whoami)}`,
  )
}

/** True if an answer may be one of this API, be it a wrong one. */
function isOfThisApi(
  { status, json, headers, text, excess }: PreflightAnswer,
  fields: readonly string[],
): boolean {
  if (status === 401 || status === 404 || (status >= 300 && status < 400)) return false
  if (excess !== undefined)
    return excess !== bodyTooSlowText && /\bjson\b/i.test(headers['content-type'] ?? '')
  if (text.startsWith('\ufeff')) return true
  if (typeof json !== 'object' || json === null) return status === 500 && !isHtmlAnswer({ headers, text })
  if (status < 300) return fields.some((name) => Object.hasOwn(json, name))
  return status === 402 || status === 429 || status >= 500 || Object.hasOwn(json, 'error')
}

/** JSON without any field of this API: a wrong answer of it, unless every path answers alike. */
const isUnknownSuccess = ({ status, json }: PreflightAnswer) => status < 300 && typeof json === 'object'

function strangeness(baseUrl: string, received: PreflightAnswer): string {
  const { status, headers } = received
  const answer = `answers ${describePreflightAnswer(received)}`
  if (status >= 300 && status < 400) {
    const target = URL.parse(headers.location ?? '', `${baseUrl}/api/cli/whoami`)?.href ?? ''
    const [, intended] = /^(.+)\/api\/cli\/(?:whoami|tasks)\/?$/.exec(target) ?? []
    const advice = intended === undefined || intended === baseUrl ? '' : `; use ${intended}`
    return `redirects with ${describePreflightAnswer(received)}${advice}`
  }
  if (received.excess !== undefined) return `${answer} to GET /api/cli/whoami and tasks`
  if ([502, 503, 504].includes(status)) return `${answer}, from a gateway: no service behind it answers`
  return `${answer} to GET /api/cli/whoami or tasks, which is not this API`
}

const orgIn = ({ json }: PreflightAnswer) => idAsText(valueAtPath(json, 'org', 'id'))

/**
 * The organization of a key according to whoami; undefined if it does not say, or says something else the second time.
 * `fresh`: on new connections.
 */
async function organizationOf(
  tried: PreflightTarget,
  key: string,
  fresh = false,
): Promise<string | undefined> {
  const { ask, target } = tried
  const whoami = () => ask(`${target.baseUrl}/api/cli/whoami`, { headers: bearerHeader(key), fresh })
  const [first, second] = [await whoami(), await whoami()].map(orgIn)
  return first === second ? first : undefined
}

/**
 * ms for which a cache may keep an answer: after that, whoami is asked again before two keys count as of one
 * organization.
 */
const longestCache = 2_000

/** Proves that the second key is accepted where the first one is, and belongs to another organization. */
async function proveOtherKey(tried: PreflightTarget, other: string): Promise<void> {
  const { apiKey } = tried.settings
  const both = async (path: string) =>
    [
      await getBelowApi(tried, path, bearerHeader(apiKey)),
      await getBelowApi(tried, path, bearerHeader(other)),
    ] as const
  if (other === apiKey) throw new UnusableInputError('otherApiKey', 'it is the same key as --api-key')
  for (const path of ['/whoami', '/tasks']) {
    const [mine, theirs] = await both(path)
    if (!hasSuccessStatus(mine)) continue
    if (!hasSuccessStatus(theirs))
      throw new UnusableInputError(
        'otherApiKey',
        `refused: GET /api/cli${path} answers ${describePreflightAnswer(theirs)}`,
      )
    break
  }
  const mine = await organizationOf(tried, apiKey)
  if (mine === undefined || mine !== (await organizationOf(tried, other))) return
  // If they see different things although whoami names one organization, the service is wrong.
  for (const path of ['/whoami', '/tasks']) {
    const [mine, theirs] = await both(path)
    const [again] = await both(path)
    if (mine.text === again.text && mine.text !== theirs.text) return
  }
  // A cache that takes no notice of the key may answer both alike for a while.
  await tried.target.sleep(longestCache)
  if ((await organizationOf(tried, other)) !== mine) return
  // A service may take all requests of a connection for those of the first key in it.
  if ((await organizationOf(tried, other, true)) !== mine) return
  throw new UnusableInputError(
    'otherApiKey',
    `it belongs to the first organization: whoami reports ${mine} for both`,
  )
}

/** Proves that the routes of keys do not refuse the cookie. */
async function proveCookie(tried: PreflightTarget, input: SuiteInputName, cookie: string): Promise<void> {
  const list = await getBelowApi(tried, '/keys', { cookie })
  const { status } = list
  if (status === 401 || status === 403 || (status >= 300 && status < 400))
    throw new UnusableInputError(input, `refused: GET /api/cli/keys answers ${describePreflightAnswer(list)}`)
}

/** Proves that a key which the session creates opens the organization of the given key; deletes it again. */
async function proveOwner(
  tried: PreflightTarget,
  input: SuiteInputName,
  cookie: string,
  key: string,
  keyInput: string,
): Promise<void> {
  const { ask, target, settings } = tried
  const keys = `${target.baseUrl}/api/cli/keys`
  const headers = { cookie }
  const name = `Preflight (${settings.runId ?? 'verify'}-preflight)`
  const create = () => ask(keys, { method: 'POST', headers, body: { name } })
  const remove = (id: string) => ask(`${keys}/${encodeURIComponent(id)}`, { method: 'DELETE', headers })
  const listed = async () => (await keysOf(tried, cookie)).find((one) => valueAtPath(one, 'name') === name)
  const made = await create().catch(async (error) => {
    if (!isConnectionReset(error)) throw error
    // The key may have been created, and its secret is lost.
    const lost = idAsText(valueAtPath(await listed(), 'id'))
    if (lost !== undefined) await remove(lost)
    return create()
  })
  const secret = valueAtPath(made.json, 'secret')
  const id =
    idAsText(valueAtPath(made.json, 'key', 'id') ?? valueAtPath(made.json, 'id')) ??
    idAsText(valueAtPath(await listed(), 'id'))
  try {
    if (!hasSuccessStatus(made) || typeof secret !== 'string' || !isHeaderSafe(secret)) return
    const opened = await getBelowApi(tried, '/whoami', bearerHeader(secret))
    const [theirs, wanted] = [
      hasSuccessStatus(opened) ? orgIn(opened) : undefined,
      await organizationOf(tried, key),
    ]
    if (theirs === undefined || wanted === undefined || theirs === wanted) return
    throw new UnusableInputError(
      input,
      `the keys that it creates belong to the organization ${theirs}, ${keyInput} to ${wanted}: it is the session of that organization, or the service gives new keys to another one`,
    )
  } finally {
    if (id !== undefined && hasSuccessStatus(made)) await remove(id)
  }
}

/** Proves that the session is not that of the other organization, whose key its list would show; creates nothing. */
async function proveListedOwner(tried: PreflightTarget, cookie: string, other: string): Promise<void> {
  const prefixes = (await keysOf(tried, cookie)).map((one) =>
    visibleKeyPrefix(String(valueAtPath(one, 'prefix') ?? '')),
  )
  const shows = (whole: string) => prefixes.some((one) => one.length >= shortest && whole.startsWith(one))
  if (shows(other) && !shows(tried.settings.apiKey))
    throw new UnusableInputError(
      'sessionCookie',
      'its list of keys shows the key of the other organization, and not its own',
    )
}

/** The keys that a session lists. */
async function keysOf(tried: PreflightTarget, cookie: string): Promise<unknown[]> {
  const keys = valueAtPath((await getBelowApi(tried, '/keys', { cookie })).json, 'keys')
  return Array.isArray(keys) ? keys : []
}

/** Fewest characters of a prefix by which a key is known. */
const shortest = 6
