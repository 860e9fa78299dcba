/**
 * Who may make control calls over HTTP. On a loopback address anybody on this machine, but no web page of another
 * origin, and nobody by another name of the host (DNS rebinding). Elsewhere whoever knows the token.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { HonoRequest } from 'hono'
import type { Bindings } from '../pipeline/service.ts'

type Guard = NonNullable<Bindings['guard']>

/** Whether an address is only to be reached from this machine. */
export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address) || address === '::1'
}

/** A token that nobody guesses: the one thing here that must not come from the seed. */
export function newToken(): string {
  return randomBytes(24).toString('base64url')
}

/** A guard that lets nobody in: for as long as it is not known where the mock listens. */
export const closed: Guard = () => ({ status: 401, advice: 'Control routes are closed.' })

/** The guard of a listener: by a token where there is one, else for this machine, called `host` or localhost. */
export function guardOf(host: string, token: string | undefined): Guard {
  return token === undefined ? onLoopback(host.toLowerCase()) : withToken(token)
}

function withToken(token: string): Guard {
  const expected = digest(token)
  return (request) => {
    const given = request.header('x-admin-token') ?? request.query('token')
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return undefined
    return { status: 401, advice: 'Send the admin token that the mock printed: X-Admin-Token, or ?token=.' }
  }
}

/** Of one length, whatever was given: what is compared in constant time has to be. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function onLoopback(name: string): Guard {
  return (request) => {
    const host = request.header('host') ?? ''
    if (!isOurs(host, name))
      return { status: 403, advice: 'The host of a control call is localhost, or the address of the mock.' }
    if (isForeign(request, host))
      return { status: 403, advice: 'Control calls of web pages of other origins are refused.' }
    return undefined
  }
}

/** Whether a `Host` header names this machine; whatever the port, which may be a mapped one. */
function isOurs(host: string, name: string): boolean {
  const hostname = host.toLowerCase().replace(/:\d+$/, '')
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return bare === 'localhost' || bare.endsWith('.localhost') || bare === name || isLoopback(bare)
}

/** Whether a page of another origin asks. To open a control page from a link elsewhere is harmless. */
function isForeign(request: HonoRequest, host: string): boolean {
  const origin = request.header('origin')
  if (origin !== undefined) return URL.parse(origin)?.host !== host.toLowerCase()
  const site = request.header('sec-fetch-site')
  if (site === undefined || site === 'same-origin' || site === 'none') return false
  const opened =
    request.header('sec-fetch-mode') === 'navigate' && request.header('sec-fetch-dest') === 'document'
  return !(opened && request.method === 'GET')
}
