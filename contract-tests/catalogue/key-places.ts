/** §5.1, §5.3, §5.4: a key opens routes in its one place and form, and nothing that is known beside it does. */

import { field, idOf, isAccepted } from '#traffic/exchange.ts'
import { Violation } from '../client/finding.ts'
import { twin } from '../evidence/calls.ts'
import { workingKey } from '../evidence/key-use.ts'
import { entryIn, newKey } from '../evidence/keys.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { expectRefused, needRefused, refusals } from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'

/** The key in the right header, and not as a Bearer token. */
function otherSchemes(key: string): string[] {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  return [
    key,
    `Basic ${key}`,
    `Basic ${base64(`${key}:`)}`,
    `Basic ${base64(`key:${key}`)}`,
    `Token ${key}`,
    `ApiKey ${key}`,
  ]
}

/** Names under which other services take a key. */
const names = ['api_key', 'key', 'apikey', 'token', 'access_token']
const headers = ['x-api-key', 'api-key', 'x-auth-token', 'x-authorization']

const asked = ['whoami', 'listTasks', 'listDocuments', 'listNotifications'] as const

/** Goes on only with a route that a key opens and that is closed to who has none. */
async function needClosed(t: TestContext, operation: (typeof asked)[number]): Promise<void> {
  await twin(t, operation)
  needRefused(await t.nobody.call(operation), refusals.unauthorized)
}

/** Goes on only where a token that is nobody's is refused. */
async function needStrict(t: TestContext): Promise<void> {
  await twin(t, 'whoami')
  needRefused(await t.as('stranger', bearer(`nobody-${t.runId}`)).call('whoami'), refusals.unauthorized)
}

const withSession = { writes: true, needs: ['session'] } as const

export const keyPlaces: Requirement[] = [
  probe(
    'AUTH-SCHEME',
    'MUST',
    '§5.1',
    null,
    'A key under another scheme than Bearer, or under none, is answered 401 unauthorized.',
    async (t) => {
      for (const operation of asked) {
        await needClosed(t, operation)
        for (const authorization of otherSchemes(t.settings.apiKey))
          expectRefused(await t.as('stranger', { authorization }).call(operation), refusals.unauthorized)
      }
    },
  ),

  probe(
    'AUTH-HEADER',
    'MUST',
    '§5.1',
    null,
    'A key in another header than Authorization opens nothing.',
    async (t) => {
      for (const operation of asked) {
        await needClosed(t, operation)
        for (const name of headers) {
          const exchange = await t.as('stranger', { [name]: t.settings.apiKey }).call(operation)
          if (isAccepted(exchange))
            throw new Violation('a refusal', `${exchange.status} with the key in ${name}`, exchange)
        }
      }
    },
  ),

  // A key that is deleted soon: addresses are written to logs.
  probe(
    'AUTH-QUERY',
    'MUST',
    '§5.1',
    null,
    'A key in the address or in a cookie, in place of the Authorization header, opens nothing.',
    async (t) => {
      const { value } = await workingKey(t, await newKey(t))
      for (const operation of asked) {
        await needClosed(t, operation)
        for (const name of names) {
          const inAddress = await t.as('stranger', {}).call(operation, { query: { [name]: value } })
          const inCookie = await t
            .as('stranger', { cookie: `${name}=${encodeURIComponent(value)}` })
            .call(operation)
          const taken = [inAddress, inCookie].find(isAccepted)
          if (taken) throw new Violation('a refusal', `${taken.status} with the key as ${name}`, taken)
        }
      }
    },
    { ...withSession, alone: true },
  ),

  probe(
    'AUTH-AS-KEY',
    'MUST',
    '§5.3',
    'whoami',
    'What a session cookie holds is no API key: as a Bearer token it is answered 401 unauthorized.',
    async (t) => {
      await needStrict(t)
      const value = t.settings.sessionCookie?.split(';')[0]?.replace(/^[^=]*=/, '') ?? ''
      if (!/^[\x21-\x7e]+$/.test(value)) return
      expectRefused(await t.as('stranger', bearer(value)).call('whoami'), refusals.unauthorized)
    },
    { needs: ['session'] },
  ),

  probe(
    'AUTH-AS-SESSION',
    'MUST',
    '§5.4',
    'listKeys',
    'An API key is no session: as the value of the session cookie it is answered 401 unauthorized.',
    async (t) => {
      await twin(t, 'listKeys')
      const name = t.settings.sessionCookie?.split('=')[0]
      const stranger = t.as('stranger', { cookie: `${name}=nobody-${t.runId}` })
      needRefused(await stranger.call('listKeys'), refusals.unauthorized)
      const cookie = `${name}=${encodeURIComponent(t.settings.apiKey)}`
      expectRefused(await t.as('stranger', { cookie }).call('listKeys'), refusals.unauthorized)
    },
    { needs: ['session'] },
  ),

  probe(
    'KEY-ONLY-SECRET',
    'MUST',
    '§5.3',
    'listKeys',
    'Nothing that the list tells of a key, nor the id of its organization, is taken as an API key: 401 unauthorized.',
    async (t) => {
      await needStrict(t)
      const key = await newKey(t)
      const { value } = await workingKey(t, key)
      const entry = entryIn(await t.session.call('listKeys'), key)
      const told = ['id', 'prefix', 'name'].flatMap((name) => idOf(field(entry, name)) ?? [])
      for (const one of [...told, await t.orgId()]) {
        if (one === value || !/^[\x21-\x7e]+$/.test(one)) continue
        expectRefused(await t.as('stranger', bearer(one)).call('whoami'), refusals.unauthorized)
      }
    },
    { ...withSession, alone: true },
  ),
]
