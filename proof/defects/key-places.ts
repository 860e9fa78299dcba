/** §5: keys that are taken where they have no place, and other things that are taken for keys. */
import type { HonoRequest } from 'hono'
import type { Key } from '#mocks/core/resources.ts'
import { viewKey } from '#mocks/handlers/views.ts'
import { sessionCookie } from '#mocks/tenants/credentials.ts'
import type { Tenants } from '#mocks/tenants/tenants.ts'
import { combine } from '../mutations/mutation.ts'
import { admit, handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

/** Lets in to whoami by a key that some part of the request holds. */
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
    admit('whoami', (request, tenants) => {
      const key = keyIn(request, tenants)
      return key ? tenants.byKey(key) : undefined
    }),
})

const decoded = (text = '') => Buffer.from(text, 'base64').toString()
const header = (request: HonoRequest) => request.header('authorization') ?? ''

/** Takes something that the list tells of a key for the key. */
const told = (id: string, title: string, tells: (key: Key) => string): Defect => ({
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
      admit('whoami', (request, tenants) => {
        const sent = header(request).slice('Bearer '.length)
        const key = made.find((one) => !one.deleted && tells(one) === sent)
        return key && tenants.byKey(key.secret)
      }),
    )
  },
})

export const keyPlaces: readonly Defect[] = [
  taking('key-without-scheme', 'A key is taken without a scheme.', ['AUTH-SCHEME'], header),
  taking(
    'key-any-scheme',
    'A key is taken under any scheme.',
    ['AUTH-SCHEME'],
    (request) => header(request).split(' ')[1],
  ),
  taking('key-basic', 'A key is taken as the user name of Basic.', ['AUTH-SCHEME'], (request) =>
    decoded(/^Basic (\S+)$/.exec(header(request))?.[1]).replace(/:$/, ''),
  ),
  taking('key-basic-password', 'A key is taken as the password of Basic.', ['AUTH-SCHEME'], (request) =>
    decoded(/^Basic (\S+)$/.exec(header(request))?.[1]).replace(/^.*?:/, ''),
  ),
  taking('key-in-other-header', 'A key is taken from X-API-Key.', ['AUTH-HEADER'], (request) =>
    request.header('x-api-key'),
  ),
  taking('key-in-address', 'A key is taken from the address.', ['AUTH-QUERY'], (request) =>
    request.query('api_key'),
  ),
  taking(
    'key-in-cookie',
    'A key is taken from a cookie.',
    ['AUTH-QUERY'],
    (request) => /(?:^|; *)token=([^;]*)/.exec(request.header('cookie') ?? '')?.[1],
  ),
  told('key-id-opens', 'The id of a key is taken for the key.', ({ id }) => id),
  told('key-prefix-opens', 'The prefix of a key is taken for the key.', (key) => viewKey(key).prefix),
  {
    id: 'session-as-key',
    title: 'What a session cookie holds is taken as a Bearer token.',
    breaks: ['AUTH-AS-KEY'],
    mutate: () =>
      admit('whoami', (request, tenants) => tenants.bySession(header(request).slice('Bearer '.length))),
  },
  {
    id: 'key-as-session',
    title: 'An API key is taken as the value of a session cookie.',
    breaks: ['AUTH-AS-SESSION'],
    mutate: () =>
      admit('listKeys', (request, tenants) => {
        const [, value] = new RegExp(`${sessionCookie}=([^;]*)`).exec(request.header('cookie') ?? '') ?? []
        return value === undefined ? undefined : tenants.byKey(value)
      }),
  },
]
