/** What each caller of the search sends to authenticate. */
import type { Caller } from '#traffic/exchange.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import type { Credential, Tenant } from './step.ts'

interface Credentials {
  readonly caller: Caller
  readonly credentials: Readonly<Record<string, string>>
}

/** The credentials of an organization, other than a created key. */
export function credentialsOf(
  { settings }: TestContext,
  tenant: Tenant,
  as: Exclude<Credential, object>,
): Credentials {
  const isMain = tenant === 'main'
  switch (as) {
    case 'key':
      return {
        caller: tenant,
        credentials: bearer((isMain ? settings.apiKey : settings.otherApiKey) ?? ''),
      }
    case 'session':
      return {
        caller: isMain ? 'session' : 'other',
        credentials: { cookie: (isMain ? settings.sessionCookie : settings.otherSessionCookie) ?? '' },
      }
    case 'none':
      return { caller: 'nobody', credentials: {} }
    case 'invalid':
      return { caller: 'stranger', credentials: bearer('no-such-key-0123456789') }
  }
}
