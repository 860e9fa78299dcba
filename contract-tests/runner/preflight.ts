/** Checks every input before anything is tested: the URL, keys, cookies and the states endpoint. */

import type { ProviderState } from '#contract/provider-state.ts'
import { idAsText, valueAtPath } from '#traffic/exchange.ts'
import { catalogue } from '../catalogue/index.ts'
import { bodyTooSlowText, isConnectionReset, requestFailureReason } from '../client/answer.ts'
import type { Target } from '../client/target.ts'
import { bearerHeader, isHeaderSafe } from '../harness/context.ts'
import { poll } from '../harness/deadlines.ts'
import { isCheck, type Requirement } from '../harness/requirement.ts'
import type { Need, SuiteSettings } from '../harness/terms.ts'
import { visibleKeyPrefix } from '../model/matching.ts'
import { createPreflightSender, type PreflightAnswer, type PreflightSender } from './preflight-requests.ts'
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
    if (error instanceof UnusableInput) return error.message
    return `${target.baseUrl} did not answer ${asked} before the run: ${requestFailureReason(error)}`
  }
}

async function proveInputs(tried: Tried, needs: ReadonlySet<Need>): Promise<void> {
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
  if (org !== undefined) await proveStates({ ...tried, org }, needs)
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

/** The flag and the variable of each input. */
const names = {
  baseUrl: '--base-url (WORK_AGENT_BASE_URL)',
  apiKey: '--api-key (WORK_AGENT_API_KEY)',
  otherApiKey: '--other-api-key (WORK_AGENT_OTHER_API_KEY)',
  sessionCookie: '--session-cookie (WORK_AGENT_SESSION_COOKIE)',
  otherSessionCookie: '--other-session-cookie (WORK_AGENT_OTHER_SESSION_COOKIE)',
  statesUrl: '--states-url (WORK_AGENT_STATES_URL)',
} as const

type InputName = keyof typeof names

/** Thrown if an input cannot be used; the message names it and what came, in one line. */
class UnusableInput extends Error {
  constructor(input: InputName, what: string) {
    super(`${names[input]}: ${what}`)
  }
}

/** The service under test, and how it is asked. */
interface Tried {
  readonly ask: PreflightSender
  readonly target: Target
  readonly settings: SuiteSettings
}

const get = ({ ask, target: { baseUrl } }: Tried, path: string, headers: Readonly<Record<string, string>>) =>
  ask(`${baseUrl}/api/cli${path}`, { headers })

/** `404 {"message":"Not Found"}`, `200 and HTML`: an answer in a few words. */
function briefly({ status, headers, text, json, excess }: PreflightAnswer): string {
  if (excess !== undefined) return `${status} with a body that ${excess}`
  if (status >= 300 && status < 400) return `${status} to ${headers.location ?? 'nowhere'}`
  if (isHtml({ headers, text })) return `${status} and HTML`
  if (text === '') return `${status} without a body`
  const shown = json === undefined ? text : JSON.stringify(json)
  return `${status} ${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}`
}

function isHtml({ headers, text }: Pick<PreflightAnswer, 'headers' | 'text'>): boolean {
  return /\bhtml\b/i.test(headers['content-type'] ?? '') || /^\s*<(?:!doctype|html)/i.test(text)
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
async function proveBaseUrl(tried: Tried): Promise<void> {
  const { baseUrl } = tried.target
  const seen: PreflightAnswer[] = []
  for (const [path, fields] of Object.entries(routes)) {
    const received = await get(tried, path, bearerHeader(tried.settings.apiKey)).catch((error) => {
      throw new UnusableInput('baseUrl', silence(baseUrl, requestFailureReason(error)))
    })
    if (isOfThisApi(received, fields)) return
    seen.push(received)
  }
  const [whoami, tasks] = seen as [PreflightAnswer, PreflightAnswer]
  if (seen.every(({ status }) => status === 401))
    throw new UnusableInput(
      'apiKey',
      `${baseUrl} refuses it (401 on whoami and on tasks): ${briefly(whoami)}; or something in front of the service removes Authorization, as Squid does unless told otherwise`,
    )
  if (seen.every(isUnknownSuccess) && !isUnknownSuccess(await get(tried, '/no-such-route', {}))) return
  throw new UnusableInput(
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
  if (typeof json !== 'object' || json === null) return status === 500 && !isHtml({ headers, text })
  if (status < 300) return fields.some((name) => Object.hasOwn(json, name))
  return status === 402 || status === 429 || status >= 500 || Object.hasOwn(json, 'error')
}

/** JSON without any field of this API: a wrong answer of it, unless every path answers alike. */
const isUnknownSuccess = ({ status, json }: PreflightAnswer) => status < 300 && typeof json === 'object'

function strangeness(baseUrl: string, received: PreflightAnswer): string {
  const { status, headers } = received
  const answer = `answers ${briefly(received)}`
  if (status >= 300 && status < 400) {
    const target = URL.parse(headers.location ?? '', `${baseUrl}/api/cli/whoami`)?.href ?? ''
    const [, intended] = /^(.+)\/api\/cli\/(?:whoami|tasks)\/?$/.exec(target) ?? []
    const advice = intended === undefined || intended === baseUrl ? '' : `; use ${intended}`
    return `redirects with ${briefly(received)}${advice}`
  }
  if (received.excess !== undefined) return `${answer} to GET /api/cli/whoami and tasks`
  if ([502, 503, 504].includes(status)) return `${answer}, from a gateway: no service behind it answers`
  return `${answer} to GET /api/cli/whoami or tasks, which is not this API`
}

/** The reason why there is no answer, and the remedy if TLS is the cause. */
function silence(url: string, reason: string): string {
  const other = url.startsWith('https:') ? url.replace('https:', 'http:') : url.replace('http:', 'https:')
  if (/SELF_SIGNED|UNABLE_TO_|CERT_|CERTIFICATE/.test(reason))
    return `the certificate of ${url} is not trusted (${reason}); --ca FILE adds its authority, --insecure accepts any`
  if (/ERR_SSL|EPROTO/.test(reason))
    return `${url} does not speak TLS (${reason}); use ${other} if it is plain HTTP`
  if (url.startsWith('http:') && /^(?:HPE_|UND_ERR_SOCKET|ECONNRESET)/.test(reason))
    return `${url} does not answer: ${reason}; use ${other} if it speaks TLS`
  return `${url} does not answer: ${reason}`
}

const isSuccess = ({ status }: PreflightAnswer) => status >= 200 && status < 300
const orgIn = ({ json }: PreflightAnswer) => idAsText(valueAtPath(json, 'org', 'id'))

/**
 * The organization of a key according to whoami; undefined if it does not say, or says something else the second time.
 * `fresh`: on new connections.
 */
async function organizationOf(tried: Tried, key: string, fresh = false): Promise<string | undefined> {
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
async function proveOtherKey(tried: Tried, other: string): Promise<void> {
  const { apiKey } = tried.settings
  const both = async (path: string) =>
    [await get(tried, path, bearerHeader(apiKey)), await get(tried, path, bearerHeader(other))] as const
  if (other === apiKey) throw new UnusableInput('otherApiKey', 'it is the same key as --api-key')
  for (const path of ['/whoami', '/tasks']) {
    const [mine, theirs] = await both(path)
    if (!isSuccess(mine)) continue
    if (!isSuccess(theirs))
      throw new UnusableInput('otherApiKey', `refused: GET /api/cli${path} answers ${briefly(theirs)}`)
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
  throw new UnusableInput(
    'otherApiKey',
    `it belongs to the first organization: whoami reports ${mine} for both`,
  )
}

/** Proves that the routes of keys do not refuse the cookie. */
async function proveCookie(tried: Tried, input: InputName, cookie: string): Promise<void> {
  const list = await get(tried, '/keys', { cookie })
  const { status } = list
  if (status === 401 || status === 403 || (status >= 300 && status < 400))
    throw new UnusableInput(input, `refused: GET /api/cli/keys answers ${briefly(list)}`)
}

/** Proves that a key which the session creates opens the organization of the given key; deletes it again. */
async function proveOwner(
  tried: Tried,
  input: InputName,
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
    if (!isSuccess(made) || typeof secret !== 'string' || !isHeaderSafe(secret)) return
    const opened = await get(tried, '/whoami', bearerHeader(secret))
    const [theirs, wanted] = [isSuccess(opened) ? orgIn(opened) : undefined, await organizationOf(tried, key)]
    if (theirs === undefined || wanted === undefined || theirs === wanted) return
    throw new UnusableInput(
      input,
      `the keys that it creates belong to the organization ${theirs}, ${keyInput} to ${wanted}`,
    )
  } finally {
    if (id !== undefined && isSuccess(made)) await remove(id)
  }
}

/** Proves that the session is not that of the other organization, whose key its list would show; creates nothing. */
async function proveListedOwner(tried: Tried, cookie: string, other: string): Promise<void> {
  const prefixes = (await keysOf(tried, cookie)).map((one) =>
    visibleKeyPrefix(String(valueAtPath(one, 'prefix') ?? '')),
  )
  const shows = (whole: string) => prefixes.some((one) => one.length >= shortest && whole.startsWith(one))
  if (shows(other) && !shows(tried.settings.apiKey))
    throw new UnusableInput(
      'sessionCookie',
      'its list of keys shows the key of the other organization, and not its own',
    )
}

/** The keys that a session lists. */
async function keysOf(tried: Tried, cookie: string): Promise<unknown[]> {
  const keys = valueAtPath((await get(tried, '/keys', { cookie })).json, 'keys')
  return Array.isArray(keys) ? keys : []
}

/** Fewest characters of a prefix by which a key is known. */
const shortest = 6

/** Every state with valid parameters; tearing one down that is not set up does no harm. */
const params: Readonly<Record<ProviderState, object>> = {
  agent_idle: {},
  credits: { credits: 1 },
  agent_busy: { duration_ms: 1 },
  next_run_fails: {},
  next_creative_fails: {},
  unavailable: {},
  rate_limit: { limit: 600, window_s: 60 },
  unread_notification: {},
  answer_lost: { operation: 'runTask' },
}

/** Credits by which the balance is moved, and moved back, to see whether the states take effect. */
const step = 3

/**
 * The longest wait for an effect, as a multiple of the time allowed for it: checks judge one that a cache hides for a
 * while.
 */
const longerThanAllowed = 5

/** The states endpoint, tried on one organization. */
interface TriedStates extends Tried {
  readonly org: string
}

/**
 * Proves that the states endpoint works. `needs`: those of the selected requirements. @throws UnusableInput otherwise.
 */
async function proveStates(tried: TriedStates, needs: ReadonlySet<Need>): Promise<void> {
  await proveProtocol(tried)
  if (needs.has('state:unavailable')) await proveEndOfOutage(tried)
  if (!(await proveEffect(tried, 'credits', '/whoami', 'credits')))
    await proveEffect(tried, 'unread_notification', '/notifications', 'unread')
}

/** Proves that a state that does not exist is answered 404, and some state that does is not. */
async function proveProtocol(tried: TriedStates): Promise<void> {
  const unknown = await send(tried, 'no_such_state', {}, 'setup')
  if (isSuccess(unknown))
    throw unusable(`it answers ${briefly(unknown)} to a state that does not exist, not 404`)
  if (unknown.status !== 404 && unknown.status !== 400) throw unusable(`it answers ${briefly(unknown)}`)
  let refused: string | undefined
  for (const [state, given] of Object.entries(params)) {
    const received = await send(tried, state, given, 'teardown')
    if (isSuccess(received)) return
    if (received.status !== 404) refused ??= `it answers ${briefly(received)} to the state "${state}"`
  }
  const none = `it offers none of the ${Object.keys(params).length} states: it answers ${briefly(unknown)}`
  throw unusable(refused ?? none)
}

/** True if a state moved a number that a client can read; false: not offered, or nothing to read. */
async function proveEffect(
  tried: TriedStates,
  state: ProviderState,
  path: string,
  name: string,
): Promise<boolean> {
  const { target, settings } = tried
  const before = await read(tried, path, name)
  if (before === undefined) return false
  const change = state === 'credits' ? { credits: before + step } : {}
  const set = await send(tried, state, change, 'setup')
  if (set.status === 404) return false
  try {
    if (!isSuccess(set)) throw unusable(`it answers ${briefly(set)} to the state "${state}"`)
    const hasMoved = async () => (await read(tried, path, name)) !== before || undefined
    if (await poll(target, longerThanAllowed * settings.consistency, hasMoved)) return true
    throw unusable(
      `the state "${state}" answered ${set.status} and changed nothing: ${name} is still ${before} in GET ${path}, unless it is answered from a cache`,
    )
  } finally {
    if (state === 'credits') await send(tried, state, { credits: before }, 'setup')
  }
}

/** Proves that an outage ends when it is torn down: otherwise all that follows would be refused. */
async function proveEndOfOutage(tried: TriedStates): Promise<void> {
  const { target, settings } = tried
  const set = await send(tried, 'unavailable', {}, 'setup')
  const torn = await send(tried, 'unavailable', {}, 'teardown')
  if (!isSuccess(set)) return
  const isOver = async () =>
    (await get(tried, '/whoami', bearerHeader(settings.apiKey))).status !== 503 || undefined
  if (await poll(target, settings.consistency, isOver)) return
  throw unusable(
    `the teardown of the state "unavailable" answered ${torn.status} and changed nothing: whoami still answers 503`,
  )
}

async function read(tried: Tried, path: string, name: string): Promise<number | undefined> {
  const value = valueAtPath((await get(tried, path, bearerHeader(tried.settings.apiKey))).json, name)
  return typeof value === 'number' ? value : undefined
}

function send(
  { ask, org, settings: { statesUrl: url = '' } }: TriedStates,
  state: string,
  given: object,
  action: 'setup' | 'teardown',
): Promise<PreflightAnswer> {
  const body = { state, params: { org_id: org, ...given }, action }
  return ask(url, { method: 'POST', body }).catch((error) => {
    throw unusable(silence(url, requestFailureReason(error)))
  })
}

const unusable = (what: string) => new UnusableInput('statesUrl', what)
