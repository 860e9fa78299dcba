/** Authentication (§5): a key is valid on key routes only, a session cookie on cookie routes only. */
import type { HonoRequest } from 'hono'
import { parse } from 'hono/utils/cookie'
import type { Route } from '#contract/route.ts'
import { sessionCookie } from './credentials.ts'
import type { Principal } from './tenant.ts'
import type { Tenants } from './tenants.ts'

/** Returns the caller that the credential of a request belongs to; undefined: missing or invalid (401). */
export function authenticate(
  request: HonoRequest,
  auth: Route['auth'],
  tenants: Tenants,
): Principal | undefined {
  if (auth === 'key') {
    const secret = bearerOf(request.header('authorization'))
    return secret === undefined ? undefined : tenants.byKey(secret)
  }
  const cookies = request.header('cookie')
  const token = cookies === undefined ? undefined : parse(cookies, sessionCookie)[sessionCookie]
  return token === undefined ? undefined : tenants.bySession(token)
}

/** Returns the value of a Bearer header; the scheme name is case-insensitive (RFC 9110 §11.1). */
function bearerOf(header: string | undefined): string | undefined {
  if (header === undefined || header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined
  return header.slice(7).trim() || undefined
}
