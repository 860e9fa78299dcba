/** §5: keys that are taken where they have no place, and other things that are taken for keys. */
import type { HonoRequest } from 'hono'
import { combine } from '../alterations/alteration.ts'
import { admit, handle } from '../alterations/rules.ts'
import type { Key } from '../core/resources.ts'
import { sessionCookie, type Tenancy } from '../tenancy.ts'
import { viewKey } from '../views.ts'
import type { Defect } from './defect.ts'

/** Lets in to whoami by a key that some part of the request holds. */
const taking = (
  id: string,
  title: string,
  breaks: readonly string[],
  keyIn: (request: HonoRequest, tenancy: Tenancy) => string | undefined,
): Defect => ({
  id,
  title,
  breaks,
  alter: () =>
    admit('whoami', (request, tenancy) => {
      const key = keyIn(request, tenancy)
      return key ? tenancy.byKey(key) : undefined
    }),
})

const decoded = (text = '') => Buffer.from(text, 'base64').toString()
const header = (request: HonoRequest) => request.header('authorization') ?? ''

/** Takes something that the list tells of a key for the key. */
const told = (id: string, title: string, tells: (key: Key) => string): Defect => ({
  id,
  title,
  breaks: ['KEY-ONLY-SECRET'],
  alter() {
    const made: Key[] = []
    return combine(
      handle('createKey', (call, usual) => {
        const answer = usual(call)
        made.push(...call.org.keys.newest(1))
        return answer
      }),
      admit('whoami', (request, tenancy) => {
        const sent = header(request).slice('Bearer '.length)
        const key = made.find((one) => !one.deleted && tells(one) === sent)
        return key && tenancy.byKey(key.secret)
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
    alter: () =>
      admit('whoami', (request, tenancy) => tenancy.bySession(header(request).slice('Bearer '.length))),
  },
  {
    id: 'key-as-session',
    title: 'An API key is taken as the value of a session cookie.',
    breaks: ['AUTH-AS-SESSION'],
    alter: () =>
      admit('listKeys', (request, tenancy) => {
        const [, value] = new RegExp(`${sessionCookie}=([^;]*)`).exec(request.header('cookie') ?? '') ?? []
        return value === undefined ? undefined : tenancy.byKey(value)
      }),
  },
]
