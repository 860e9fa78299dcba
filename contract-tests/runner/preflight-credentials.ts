/** Before a run: each credential is accepted, and belongs to the organization that it is given for. */
import { field, idOf } from '#traffic/exchange.ts'
import { bearer } from '../harness/context.ts'
import type { Settings } from '../harness/settings.ts'
import { withoutMask } from '../model/texts.ts'
import { type InputName, UnusableInput } from './preflight-input.ts'
import { type Ask, briefly, type Received } from './preflight-request.ts'

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
