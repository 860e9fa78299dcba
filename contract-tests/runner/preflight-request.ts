/** Requests of the preflight: the base URL and the credentials. */
import { type Exchange, field, idOf } from '#traffic/exchange.ts'
import { endless, readBody, reasonOf } from '../client/answer.ts'
import { identified } from '../client/client.ts'
import { inTime, pause, pauseAfter } from '../client/pace.ts'
import type { Target } from '../client/target.ts'
import { bearer } from '../harness/context.ts'
import type { Settings } from '../harness/terms.ts'
import { withoutMask } from '../model/matching.ts'
import { type InputName, UnusableInput } from './preflight-input.ts'

export type Received = Pick<Exchange, 'status' | 'headers' | 'text' | 'json' | 'excess'>

/** Sends a request; without options it is a GET without credentials. Rejects if no answer comes. */
export type Ask = (
  url: string,
  options?: { readonly headers?: Readonly<Record<string, string>>; readonly method?: string; body?: unknown },
) => Promise<Received>

/** Tries of a request that a rate limit refuses; an outage is tried again once. */
const mostTries = 4
/** Longest wait before another try, ms. */
const longestWait = 60_000
const unavailable = [502, 503, 504]

/** Sends the requests of the preflight; a refusal that may pass and a dropped connection are tried again. */
export function createAsk(
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
export function briefly({ status, headers, text, json, excess }: Received): string {
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
export async function proveBaseUrl(ask: Ask, baseUrl: string, apiKey: string): Promise<void> {
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
export function silence(url: string, reason: string): string {
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

export class Credentials {
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
