/** Checks every input before anything is tested: the URL, keys, cookies and the states endpoint. */

import { type Exchange, field, idOf } from '#traffic/exchange.ts'
import { catalogue } from '../catalogue/index.ts'
import { endless, readBody, reasonOf } from '../client/answer.ts'
import { identified } from '../client/client.ts'
import { inTime, pause, pauseAfter } from '../client/pace.ts'
import type { Target } from '../client/target.ts'
import { bearer } from '../harness/context.ts'
import { isProbe, type Requirement } from '../harness/requirement.ts'
import type { Need, Settings, StateName } from '../harness/terms.ts'
import { withoutMask } from '../model/matching.ts'
import { leftOut, unmetPrerequisite } from './selection.ts'

/** Why the service cannot be tested with these inputs, in one line; undefined: it can. Spends nothing. */
export async function preflight(
  target: Target,
  settings: Settings,
  requirements: readonly Requirement[] = catalogue,
): Promise<string | undefined> {
  try {
    await proveInputs(target, settings, needsOf(requirements, settings))
    return undefined
  } catch (error) {
    if (error instanceof UnusableInput) return error.message
    return `${target.baseUrl} did not answer a request before the run: ${reasonOf(error)}`
  }
}

async function proveInputs(target: Target, settings: Settings, needs: ReadonlySet<Need>): Promise<void> {
  const { apiKey, otherApiKey, sessionCookie, otherSessionCookie, readOnly } = settings
  const ask = createAsk(target, settings)
  await proveBaseUrl(ask, target.baseUrl, apiKey)
  const credentials = new Credentials(ask, target.baseUrl, settings)
  if (otherApiKey && needs.has('other_key')) await credentials.proveOtherKey(otherApiKey)
  if (sessionCookie && needs.has('session')) {
    await credentials.proveCookie('sessionCookie', sessionCookie)
    if (!readOnly) await credentials.proveOwner('sessionCookie', sessionCookie, apiKey, '--api-key')
    else if (otherApiKey)
      await credentials.proveListedOwner('sessionCookie', sessionCookie, apiKey, otherApiKey)
  }
  if (otherSessionCookie && needs.has('other_session')) {
    await credentials.proveCookie('otherSessionCookie', otherSessionCookie)
    if (!readOnly && otherApiKey)
      await credentials.proveOwner('otherSessionCookie', otherSessionCookie, otherApiKey, '--other-api-key')
  }
  if (!settings.statesUrl || readOnly || ![...needs].some((need) => need.startsWith('state:'))) return
  const org = await credentials.organization(apiKey)
  if (org !== undefined) await new States(ask, target, settings, org).prove(needs)
}

/** What the selected requirements need, as far as the settings supply it. */
function needsOf(requirements: readonly Requirement[], settings: Settings): Set<Need> {
  const probes = requirements.filter(isProbe).filter((probe) => {
    return leftOut(probe, settings) === undefined && unmetPrerequisite(settings, probe) === undefined
  })
  return new Set(probes.flatMap(({ needs }) => needs))
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

/** An input cannot be used; the message names it and what came, in one line. */
class UnusableInput extends Error {
  constructor(input: InputName, what: string) {
    super(`${names[input]}: ${what}`)
  }
}

type Received = Pick<Exchange, 'status' | 'headers' | 'text' | 'json' | 'excess'>

/** Sends a request; without options it is a GET without credentials. Rejects if no answer comes. */
type Ask = (
  url: string,
  options?: { readonly headers?: Readonly<Record<string, string>>; readonly method?: string; body?: unknown },
) => Promise<Received>

/** Tries of a request that a rate limit refuses; an outage is tried again once. */
const mostTries = 4
/** Longest wait before another try, ms. */
const longestWait = 60_000
const unavailable = [502, 503, 504]

/** Sends the requests of the preflight; a refusal that may pass and a dropped connection are tried again. */
function createAsk(
  target: Target,
  { userAgent, runId = 'verify', timeout, headers: always, statesUrl, statesHeaders }: Settings,
): Ask {
  let requests = 0
  const { transport } = identified(target, userAgent, () => `${runId}-preflight-${++requests}`)
  return async (url, { headers = {}, method = 'GET', body } = {}) => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const extra = url === statesUrl ? statesHeaders : always
    const sent = { ...extra, accept: 'application/json', ...type, ...headers }
    const outgoing = { method, headers: sent, ...content }
    for (let tries = 1; ; tries++) {
      const limit = inTime(timeout, undefined)
      try {
        const received = await receive(await transport(url, { ...outgoing, signal: limit.signal }))
        const { status } = received
        const most = status === 429 ? mostTries : method === 'GET' && unavailable.includes(status) ? 2 : 1
        const wait = pauseAfter(received, tries)
        if (tries >= most || wait > longestWait) return received
        await target.sleep(wait)
      } catch (error) {
        if (method !== 'GET' || tries > 1 || !isDropped(error)) throw error
        await target.sleep(pause)
      } finally {
        limit.end()
      }
    }
  }
}

async function receive(response: Response): Promise<Received> {
  const { text, json, excess } = await readBody(response)
  const { status, headers } = response
  const bounded = excess === undefined ? {} : { excess }
  return { status, headers: Object.fromEntries(headers), text, json, ...bounded }
}

/** Whether a connection was closed while a request was under way. */
const isDropped = (error: unknown) => /^(?:ECONNRESET|UND_ERR_SOCKET|EPIPE)$/.test(reasonOf(error))

/** `404 {"message":"Not Found"}`, `200 and HTML`: an answer in a few words. */
function briefly({ status, headers, text, json, excess }: Received): string {
  if (excess !== undefined) return `${status} with a body that ${excess}`
  if (status >= 300 && status < 400) return `${status} to ${headers.location ?? 'nowhere'}`
  if (isHtml({ headers, text })) return `${status} and HTML`
  if (text === '') return `${status} without a body`
  const shown = json === undefined ? text : JSON.stringify(json)
  return `${status} ${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}`
}

function isHtml({ headers, text }: Pick<Received, 'headers' | 'text'>): boolean {
  return /\bhtml\b/i.test(headers['content-type'] ?? '') || /^\s*<(?:!doctype|html)/i.test(text)
}

/** Two routes that only read, and the fields of a success, of which one is enough to know it by. */
const routes = {
  '/api/cli/whoami': ['org', 'plan', 'credits'],
  '/api/cli/tasks': ['items', 'usedToday', 'limit', 'remaining'],
}

/** @throws UnusableInput if both routes refuse the key, or neither answers like this API. */
async function proveBaseUrl(ask: Ask, baseUrl: string, apiKey: string): Promise<void> {
  const seen: Received[] = []
  for (const [path, fields] of Object.entries(routes)) {
    const received = await ask(baseUrl + path, { headers: bearer(apiKey) }).catch((error) => {
      throw new UnusableInput('baseUrl', silence(baseUrl, reasonOf(error)))
    })
    if (isOfThisApi(received, fields)) return
    seen.push(received)
  }
  const [whoami, tasks] = seen as [Received, Received]
  if (seen.every(({ status }) => status === 401))
    throw new UnusableInput(
      'apiKey',
      `${baseUrl} refuses it (401 on whoami and on tasks): ${briefly(whoami)}`,
    )
  if (seen.every(isUnknownSuccess) && !isUnknownSuccess(await ask(`${baseUrl}/api/cli/no-such-route`))) return
  throw new UnusableInput(
    'baseUrl',
    `${baseUrl} ${strangeness(baseUrl, whoami.status === 401 ? tasks : whoami)}`,
  )
}

/** Whether an answer may be one of this API, be it a wrong one. */
function isOfThisApi({ status, json, headers, text, excess }: Received, fields: readonly string[]): boolean {
  if (status === 401 || status === 404 || (status >= 300 && status < 400)) return false
  if (excess !== undefined) return excess !== endless && /\bjson\b/i.test(headers['content-type'] ?? '')
  if (typeof json !== 'object' || json === null) return status === 500 && !isHtml({ headers, text })
  if (status < 300) return fields.some((name) => Object.hasOwn(json, name))
  return status === 402 || status === 429 || status >= 500 || Object.hasOwn(json, 'error')
}

/** JSON without any field of this API: a wrong answer of it, unless every path answers alike. */
const isUnknownSuccess = ({ status, json }: Received) => status < 300 && typeof json === 'object'

function strangeness(baseUrl: string, received: Received): string {
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

/** Why there is no answer, and what to do about it if TLS is the cause. */
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

const isSuccess = ({ status }: Received) => status >= 200 && status < 300
const orgIn = ({ json }: Received) => idOf(field(json, 'org', 'id'))

class Credentials {
  readonly #ask: Ask
  readonly #api: string
  readonly #settings: Settings

  constructor(ask: Ask, baseUrl: string, settings: Settings) {
    this.#ask = ask
    this.#api = `${baseUrl}/api/cli`
    this.#settings = settings
  }

  /** The organization of a key according to whoami; undefined: it does not say, or not the same twice. */
  async organization(key: string): Promise<string | undefined> {
    const [first, second] = [await this.#whoami(key), await this.#whoami(key)].map(orgIn)
    return first === second ? first : undefined
  }

  #whoami = (key: string) => this.#ask(`${this.#api}/whoami`, { headers: bearer(key) })

  /** The second key is accepted where the first one is, and belongs to another organization. */
  async proveOtherKey(other: string): Promise<void> {
    const { apiKey } = this.#settings
    if (other === apiKey) throw new UnusableInput('otherApiKey', 'it is the same key as --api-key')
    for (const path of ['/whoami', '/tasks']) {
      const [mine, theirs] = await this.#both(path)
      if (!isSuccess(mine)) continue
      if (!isSuccess(theirs))
        throw new UnusableInput('otherApiKey', `refused: GET /api/cli${path} answers ${briefly(theirs)}`)
      break
    }
    const mine = await this.organization(apiKey)
    if (mine === undefined || mine !== (await this.organization(other))) return
    for (const path of ['/whoami', '/tasks']) if (await this.#differ(path)) return
    throw new UnusableInput(
      'otherApiKey',
      `it belongs to the first organization: whoami reports ${mine} for both`,
    )
  }

  #both = async (path: string): Promise<[Received, Received]> => {
    const { apiKey, otherApiKey = '' } = this.#settings
    const request = (key: string) => this.#ask(this.#api + path, { headers: bearer(key) })
    return [await request(apiKey), await request(otherApiKey)]
  }

  /** Whether two keys see different things, although whoami names one organization: then the service is wrong. */
  async #differ(path: string): Promise<boolean> {
    const [mine, theirs] = await this.#both(path)
    const [again] = await this.#both(path)
    return mine.text === again.text && mine.text !== theirs.text
  }

  /** The cookie is not refused on the key routes. */
  async proveCookie(input: InputName, cookie: string): Promise<void> {
    const list = await this.#ask(`${this.#api}/keys`, { headers: { cookie } })
    const { status } = list
    if (status === 401 || status === 403 || (status >= 300 && status < 400))
      throw new UnusableInput(input, `refused: GET /api/cli/keys answers ${briefly(list)}`)
  }

  /** A key that the session creates opens the organization of the given key. The key is deleted again. */
  async proveOwner(input: InputName, cookie: string, key: string, keyInput: string): Promise<void> {
    const headers = { cookie }
    const name = `Preflight (${this.#settings.runId ?? 'verify'}-preflight)`
    const made = await this.#ask(`${this.#api}/keys`, { method: 'POST', headers, body: { name } })
    const secret = field(made.json, 'secret')
    const id =
      idOf(field(made.json, 'key', 'id') ?? field(made.json, 'id')) ?? (await this.#idOf(name, headers))
    try {
      if (!isSuccess(made) || typeof secret !== 'string' || !/^[\x21-\x7e]+$/.test(secret)) return
      const opened = await this.#whoami(secret)
      const [theirs, wanted] = [isSuccess(opened) ? orgIn(opened) : undefined, await this.organization(key)]
      if (theirs === undefined || wanted === undefined || theirs === wanted) return
      throw new UnusableInput(input, `it belongs to the organization ${theirs}, ${keyInput} to ${wanted}`)
    } finally {
      if (id !== undefined && isSuccess(made))
        await this.#ask(`${this.#api}/keys/${encodeURIComponent(id)}`, { method: 'DELETE', headers })
    }
  }

  /** The list of keys does not show the key of another organization, and not that of its own; creates nothing. */
  async proveListedOwner(input: InputName, cookie: string, key: string, other: string): Promise<void> {
    const keys = field((await this.#ask(`${this.#api}/keys`, { headers: { cookie } })).json, 'keys')
    const prefixes = (Array.isArray(keys) ? keys : []).map((one) =>
      withoutMask(String(field(one, 'prefix') ?? '')),
    )
    const shows = (whole: string) => prefixes.some((one) => one.length >= shortest && whole.startsWith(one))
    if (shows(other) && !shows(key))
      throw new UnusableInput(
        input,
        'its list of keys shows the key of the other organization, and not its own',
      )
  }

  async #idOf(name: string, headers: Record<string, string>): Promise<string | undefined> {
    const keys = field((await this.#ask(`${this.#api}/keys`, { headers })).json, 'keys')
    const listed = Array.isArray(keys) ? keys.find((one) => field(one, 'name') === name) : undefined
    return idOf(field(listed, 'id'))
  }
}

/** Fewest characters of a prefix by which a key is known. */
const shortest = 6

/** Every state with valid parameters; tearing one down that is not set up does no harm. */
const params: Readonly<Record<StateName, object>> = {
  agent_idle: {},
  credits: { credits: 1 },
  agent_busy: { duration_ms: 1 },
  next_run_fails: {},
  next_creative_fails: {},
  unavailable: {},
  rate_limit: { limit: 600, window_s: 60 },
  unread_notification: {},
}

/** How far the balance is moved to see whether the states take effect, and moved back. */
const step = 3
const statesPause = 100

class States {
  readonly #ask: Ask
  readonly #target: Target
  readonly #settings: Settings
  readonly #org: string

  constructor(ask: Ask, target: Target, settings: Settings, org: string) {
    this.#ask = ask
    this.#target = target
    this.#settings = settings
    this.#org = org
  }

  /** `needs`: what the selected requirements need. @throws UnusableInput if the endpoint cannot be used. */
  async prove(needs: ReadonlySet<Need>): Promise<void> {
    await this.#proveProtocol()
    if (needs.has('state:unavailable')) await this.#proveEndOfOutage()
    if (!(await this.#proveEffect('credits', '/whoami', 'credits', step)))
      await this.#proveEffect('unread_notification', '/notifications', 'unread', 1)
  }

  /** A state that does not exist is 404, and some state that does is not. */
  async #proveProtocol(): Promise<void> {
    const unknown = await this.#send('no_such_state', {}, 'setup')
    if (unknown.status >= 200 && unknown.status < 300)
      throw this.#unusable(`it answers ${briefly(unknown)} to a state that does not exist, not 404`)
    if (unknown.status !== 404 && unknown.status !== 400)
      throw this.#unusable(`it answers ${briefly(unknown)}`)
    let refused: string | undefined
    for (const [state, given] of Object.entries(params)) {
      const received = await this.#send(state, given, 'teardown')
      if (received.status >= 200 && received.status < 300) return
      if (received.status !== 404) refused ??= `it answers ${briefly(received)} to the state "${state}"`
    }
    const none = `it offers none of the ${Object.keys(params).length} states: it answers ${briefly(unknown)}`
    throw this.#unusable(refused ?? none)
  }

  /** Whether a state moved a number that a client can read; false: not offered, or nothing to read. */
  async #proveEffect(state: StateName, path: string, name: string, by: number): Promise<boolean> {
    const before = await this.#read(path, name)
    if (before === undefined) return false
    const change = state === 'credits' ? { credits: before + by } : {}
    const set = await this.#send(state, change, 'setup')
    if (set.status === 404) return false
    try {
      if (set.status < 200 || set.status >= 300)
        throw this.#unusable(`it answers ${briefly(set)} to the state "${state}"`)
      const deadline = this.#target.now() + this.#settings.consistency
      while ((await this.#read(path, name)) === before) {
        if (this.#target.now() >= deadline)
          throw this.#unusable(
            `the state "${state}" answered ${set.status} and changed nothing: ${name} is still ${before}`,
          )
        await this.#target.sleep(statesPause)
      }
      return true
    } finally {
      if (state === 'credits') await this.#send(state, { credits: before }, 'setup')
    }
  }

  /** An outage that is torn down ends: otherwise all that follows would be refused. */
  async #proveEndOfOutage(): Promise<void> {
    const set = await this.#send('unavailable', {}, 'setup')
    const torn = await this.#send('unavailable', {}, 'teardown')
    if (set.status < 200 || set.status >= 300) return
    const options = { headers: bearer(this.#settings.apiKey) }
    const deadline = this.#target.now() + this.#settings.consistency
    while ((await this.#ask(`${this.#target.baseUrl}/api/cli/whoami`, options)).status === 503) {
      if (this.#target.now() >= deadline)
        throw this.#unusable(
          `the teardown of the state "unavailable" answered ${torn.status} and changed nothing: whoami still answers 503`,
        )
      await this.#target.sleep(statesPause)
    }
  }

  async #read(path: string, name: string): Promise<number | undefined> {
    const { baseUrl } = this.#target
    const { json } = await this.#ask(`${baseUrl}/api/cli${path}`, { headers: bearer(this.#settings.apiKey) })
    const value = field(json, name)
    return typeof value === 'number' ? value : undefined
  }

  async #send(state: string, given: object, action: 'setup' | 'teardown'): Promise<Received> {
    const { statesUrl: url = '' } = this.#settings
    const body = { state, params: { org_id: this.#org, ...given }, action }
    return this.#ask(url, { method: 'POST', body }).catch((error) => {
      throw this.#unusable(silence(url, reasonOf(error)))
    })
  }

  #unusable = (what: string) => new UnusableInput('statesUrl', what)
}
