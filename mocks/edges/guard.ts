/**
 * Decides who may make control calls over HTTP. On a loopback address: every local process, except web pages from
 * other origins and requests with a foreign host name (DNS rebinding). On other addresses: whoever has the token.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { HonoRequest } from 'hono'
import type { ControlGuard } from './request.ts'

/** True for a loopback IP address (127.0.0.0/8 or ::1). Host names, `localhost` too, are not resolved. */
export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address) || address === '::1'
}

/** A guard that rejects every call, used until the address of the listener is known. */
export const rejectAllControlCalls: ControlGuard = () => ({
  status: 401,
  advice: 'Control routes are not available yet; try again shortly.',
})

/**
 * Creates the guard of control calls: with a token they must send it; without, they must be addressed to `host` or
 * localhost.
 */
export function createControlGuard(host: string, token: string | undefined): ControlGuard {
  return token === undefined ? onLoopback(host.toLowerCase()) : withToken(token)
}

function withToken(token: string): ControlGuard {
  const expected = digest(token)
  return (request) => {
    const given = request.header('x-admin-token') ?? request.query('token')
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return undefined
    return { status: 401, advice: 'Send the admin token that the mock printed, as X-Admin-Token or ?token=.' }
  }
}

/** Returns a digest of fixed length, as constant-time comparison requires. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function onLoopback(name: string): ControlGuard {
  return (request) => {
    const host = request.header('host') ?? ''
    if (!isLocal(host, name))
      return { status: 403, advice: 'Make control calls to localhost or to the address of the mock.' }
    if (isForeign(request, host))
      return { status: 403, advice: 'Web pages from other origins may not make control calls.' }
    return undefined
  }
}

/** Returns whether a `Host` header names this machine, with any port, since ports may be mapped. */
function isLocal(host: string, name: string): boolean {
  const hostname = host.toLowerCase().replace(/:\d+$/, '')
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return bare === 'localhost' || bare.endsWith('.localhost') || bare === name || isLoopback(bare)
}

/** Returns whether a page from another origin makes the call. Following a link to a control page is allowed. */
function isForeign(request: HonoRequest, host: string): boolean {
  const origin = request.header('origin')
  if (origin !== undefined) return URL.parse(origin)?.host !== host.toLowerCase()
  const site = request.header('sec-fetch-site')
  if (site === undefined || site === 'same-origin' || site === 'none') return false
  const opened =
    request.header('sec-fetch-mode') === 'navigate' && request.header('sec-fetch-dest') === 'document'
  return !(opened && request.method === 'GET')
}
