/** Credentials that a recording shows to work: in another place, or on the other kind of route, they give no access. */
import { routeOf } from '#contract/operation.ts'
import { mayBeSecretPlaceholder } from '#traffic/placeholder.ts'
import type { RecordedExchange } from '#traffic/recording.ts'
import type { CredentialKind } from '../model/index.ts'
import { misusedCredentialKind } from './misused-credentials.ts'

/** The fewest characters of a credential that is not part of something else by chance. */
const fewest = 8
/** The most credentials of each kind that are looked for. */
const most = 100

/** Kinds of which nothing but the credential has to be recorded as it was sent. */
const tellable: ReadonlySet<CredentialKind> = new Set([
  ...(['session', 'key', 'scheme', 'session-as-key', 'key-as-session'] as const),
  ...(['header', 'query', 'everywhere'] as const),
])

/** A credential that works, sent where its route takes another one. */
interface Misuse {
  readonly kind: CredentialKind
  /** The header in which the route takes its credential, if the request lacks it: its recorder may have left it out. */
  readonly missing: 'authorization' | 'cookie' | undefined
  /** True if the same text stands for a key and for a session, as a recorder's placeholder for both may. */
  readonly isSameText: boolean
}

/** Kinds of a key in place of a session, and the reverse. */
const sameText: ReadonlySet<CredentialKind> = new Set(['session-as-key', 'key-as-session'])

/** The keys and sessions of a recording that were accepted on routes of their kind. */
export class AcceptedCredentials {
  readonly #keys = new Set<string>()
  readonly #cookies = new Set<string>()
  /** Values of cookies that were accepted as the only cookie of a request. */
  readonly #sessions = new Set<string>()

  learn(entries: readonly RecordedExchange[]): void {
    for (const one of entries) {
      const { operation, status, requestHeaders } = one
      if (!isSuccess(status)) continue
      const takesKey = routeOf(operation).auth === 'key'
      if (takesKey) addTo(this.#keys, keyIn(one))
      else {
        addTo(this.#cookies, requestHeaders.cookie)
        addTo(this.#sessions, soleCookie.exec(requestHeaders.cookie ?? '')?.[1])
      }
    }
  }

  /** The misuse of a known credential by a request, such as a session sent as a key; undefined if none is known. */
  misuseIn(one: RecordedExchange): Misuse | undefined {
    const { operation, status, requestHeaders } = one
    // Other answers may be about something else in the request.
    if (!isSuccess(status) && status !== 401) return undefined
    const kind = this.#kindOf(one)
    if (kind === undefined || !tellable.has(kind)) return undefined
    const header = routeOf(operation).auth === 'key' ? 'authorization' : 'cookie'
    const missing = requestHeaders[header] === undefined ? header : undefined
    return { kind, missing, isSameText: sameText.has(kind) }
  }

  #kindOf(one: RecordedExchange): CredentialKind | undefined {
    const { authorization, cookie } = one.requestHeaders
    const key = keyIn(one)
    if (routeOf(one.operation).auth === 'cookie') {
      if (cookie === undefined) return key !== undefined && this.#keys.has(key) ? 'key' : undefined
      const value = soleCookie.exec(cookie)?.[1]
      return value !== undefined && this.#keys.has(value) ? 'key-as-session' : undefined
    }
    if (key !== undefined) return this.#sessions.has(key) ? 'session-as-key' : undefined
    const known = { keys: [...this.#keys], cookies: [], isPublic: () => false }
    const isSession = authorization === undefined && this.#cookies.has(cookie ?? '')
    return misusedCredentialKind(one, known) ?? (isSession ? 'session' : undefined)
  }
}

/** The key in the header that takes one. */
const keyIn = ({ requestHeaders: { authorization = '' } }: RecordedExchange): string | undefined =>
  /^Bearer (\S+)$/i.exec(authorization)?.[1]

/** A cookie without another beside it: a page may keep other things in its cookies, a key as well. */
const soleCookie = /^[^=;]+=([^;]+)$/

const isSuccess = (status: number): boolean => status >= 200 && status < 300

function addTo(known: Set<string>, value: string | undefined): void {
  if (value !== undefined && value.length >= fewest && known.size < most && !mayBeSecretPlaceholder(value))
    known.add(value)
}
