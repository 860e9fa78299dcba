/** §5: keys that are accepted in wrong places, and other values that are accepted as keys. */
import type { HonoRequest } from 'hono'
import type { Key } from '#mocks/core/resources.ts'
import { viewKey } from '#mocks/handlers/views.ts'
import { sessionCookie } from '#mocks/tenants/credentials.ts'
import type { Tenants } from '#mocks/tenants/tenants.ts'
import { combine } from '../mutations/mutation.ts'
import { authorize, handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

/** Accepts a key in another part of the request, for whoami. */
const taking = (
  id: string,
  title: string,
  breaks: readonly string[],
  keyIn: (request: HonoRequest, tenants: Tenants) => string | undefined,
): Defect => ({
  id,
  title,
  breaks,
  mutate: () =>
    authorize('whoami', (request, tenants) => {
      const key = keyIn(request, tenants)
      return key ? tenants.byKey(key) : undefined
    }),
})

const decoded = (text = '') => Buffer.from(text, 'base64').toString()
const header = (request: HonoRequest) => request.header('authorization') ?? ''

/** Accepts a value that the list of keys shows as the key. */
const listed = (id: string, title: string, read: (key: Key) => string): Defect => ({
  id,
  title,
  breaks: ['KEY-ONLY-SECRET'],
  mutate() {
    const made: Key[] = []
    return combine(
      handle('createKey', (call, usual) => {
        const answer = usual(call)
        made.push(...call.org.keys.newest(1))
        return answer
      }),
      authorize('whoami', (request, tenants) => {
        const sent = header(request).slice('Bearer '.length)
        const key = made.find((one) => !one.deleted && read(one) === sent)
        return key && tenants.byKey(key.secret)
      }),
    )
  },
})

export const keyPlaces: readonly Defect[] = [
  taking('key-without-scheme', 'A key is accepted without a scheme.', ['AUTH-SCHEME'], header),
  taking(
    'key-any-scheme',
    'A key is accepted under any scheme.',
    ['AUTH-SCHEME'],
    (request) => header(request).split(' ')[1],
  ),
  taking(
    'key-basic',
    'A key is accepted as the user name of Basic authentication.',
    ['AUTH-SCHEME'],
    (request) => decoded(/^Basic (\S+)$/.exec(header(request))?.[1]).replace(/:$/, ''),
  ),
  taking(
    'key-basic-password',
    'A key is accepted as the password of Basic authentication.',
    ['AUTH-SCHEME'],
    (request) => decoded(/^Basic (\S+)$/.exec(header(request))?.[1]).replace(/^.*?:/, ''),
  ),
  taking('key-in-other-header', 'A key is accepted in X-API-Key.', ['AUTH-HEADER'], (request) =>
    request.header('x-api-key'),
  ),
  taking('key-in-address', 'A key is accepted in the URL.', ['AUTH-QUERY'], (request) =>
    request.query('api_key'),
  ),
  taking(
    'key-in-cookie',
    'A key is accepted in a cookie.',
    ['AUTH-QUERY'],
    (request) => /(?:^|; *)token=([^;]*)/.exec(request.header('cookie') ?? '')?.[1],
  ),
  listed('key-id-opens', 'The id of a key is accepted as the key.', ({ id }) => id),
  listed('key-prefix-opens', 'The prefix of a key is accepted as the key.', (key) => viewKey(key).prefix),
  {
    id: 'session-as-key',
    title: 'The value of a session cookie is accepted as a Bearer token.',
    breaks: ['AUTH-AS-KEY'],
    mutate: () =>
      authorize('whoami', (request, tenants) => tenants.bySession(header(request).slice('Bearer '.length))),
  },
  {
    id: 'key-as-session',
    title: 'An API key is accepted as the value of a session cookie.',
    breaks: ['AUTH-AS-SESSION'],
    mutate: () =>
      authorize('listKeys', (request, tenants) => {
        const [, value] = new RegExp(`${sessionCookie}=([^;]*)`).exec(request.header('cookie') ?? '') ?? []
        return value === undefined ? undefined : tenants.byKey(value)
      }),
  },
]
