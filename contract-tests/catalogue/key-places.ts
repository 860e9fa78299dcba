/** §5.1, §5.3, §5.4: a key works only as a Bearer token, and nothing else works in its place. */

import { field, idOf, isAccepted } from '#traffic/exchange.ts'
import { Violation } from '../client/check-errors.ts'
import { assumeUsedKey } from '../evidence/key-use.ts'
import { entryIn } from '../evidence/keys.ts'
import { callAs } from '../evidence/unauthorized.ts'
import { assumePositiveControl } from '../evidence/valid-requests.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { assumeRefused, expectRefused, refusals } from '../harness/expect.ts'
import { must, type Requirement } from '../harness/requirement.ts'

/** Authorization headers that contain the key, but not as a Bearer token: the key alone, with another word, encoded. */
function otherSchemes(key: string): readonly string[][] {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  return [
    [key],
    [`Basic ${key}`, `Token ${key}`, `ApiKey ${key}`],
    [`Basic ${base64(`${key}:`)}`, `Basic ${base64(`key:${key}`)}`],
  ]
}

/** Names under which other services accept a key. */
const names = ['api_key', 'key', 'apikey', 'token', 'access_token']
const headers = ['x-api-key', 'api-key', 'x-auth-token', 'x-authorization']

const operations = ['whoami', 'listTasks', 'listDocuments', 'listNotifications'] as const

/** Continues only with a route that accepts the key and refuses requests without one. */
async function assumeKeyRequired(t: TestContext, operation: (typeof operations)[number]): Promise<void> {
  await assumePositiveControl(t, operation)
  assumeRefused(await callAs(t, 'MISSING', operation), refusals.unauthorized)
}

/** Continues only if an unknown token is refused. */
async function assumeUnknownTokenRefused(t: TestContext): Promise<void> {
  assumeRefused(await callAs(t, 'INVALID', 'whoami'), refusals.unauthorized)
}

const withSession = { writes: true, needs: ['session'] } as const

export const keyPlaces: Requirement[] = [
  must('AUTH-SCHEME', '§5.1', null)
    .states('An API key with no scheme, or a scheme other than Bearer, returns 401 unauthorized.')
    .check(async (t) => {
      const kinds = otherSchemes(t.settings.apiKey)
      for (const [at, operation] of operations.entries()) {
        await assumeKeyRequired(t, operation)
        // The first route is tried with all, every other one with one of each kind.
        const sent = at === 0 ? kinds.flat() : kinds.flatMap((kind) => kind[at % kind.length] ?? [])
        const answers = sent.map((authorization) => t.as('stranger', { authorization }).call(operation))
        for (const exchange of await Promise.all(answers)) expectRefused(exchange, refusals.unauthorized)
      }
    }),

  must('AUTH-HEADER', '§5.1', null)
    .states('An API key in a header other than Authorization gives no access.')
    .check(async (t) => {
      for (const operation of operations) {
        await assumeKeyRequired(t, operation)
        const all = Object.fromEntries(headers.map((name) => [name, t.settings.apiKey]))
        if (!isAccepted(await t.as('stranger', all).call(operation))) continue
        for (const name of headers) {
          const exchange = await t.as('stranger', { [name]: t.settings.apiKey }).call(operation)
          if (isAccepted(exchange))
            throw new Violation('a refusal', `${exchange.status} with the key in ${name}`, exchange)
        }
      }
    }),

  // With a key that the clean-up deletes, since URLs are written to logs.
  must('AUTH-QUERY', '§5.1', null, { ...withSession, alone: true })
    .states('An API key in the query string or in a cookie gives no access.')
    .check(async (t) => {
      const { value } = await assumeUsedKey(t)
      for (const operation of operations) {
        await assumeKeyRequired(t, operation)
        const query = Object.fromEntries(names.map((name) => [name, value]))
        const cookie = names.map((name) => `${name}=${encodeURIComponent(value)}`).join('; ')
        // A service may refuse parameters that it does not know, and then says nothing of the cookie.
        const together = await t.as('stranger', { cookie }).call(operation, { query })
        if (together.status === 401) continue
        for (const name of names) {
          const inQuery = await t.as('stranger', {}).call(operation, { query: { [name]: value } })
          const inCookie = await t
            .as('stranger', { cookie: `${name}=${encodeURIComponent(value)}` })
            .call(operation)
          const taken = [inQuery, inCookie].find(isAccepted)
          if (taken) throw new Violation('a refusal', `${taken.status} with the key as ${name}`, taken)
        }
      }
    }),

  must('AUTH-AS-KEY', '§5.3', 'whoami', { needs: ['session'] })
    .states('The value of a session cookie sent as a Bearer token returns 401 unauthorized.')
    .check(async (t) => {
      await assumeUnknownTokenRefused(t)
      const value = t.settings.sessionCookie?.split(';')[0]?.replace(/^[^=]*=/, '') ?? ''
      if (!/^[\x21-\x7e]+$/.test(value)) return
      expectRefused(await t.as('stranger', bearer(value)).call('whoami'), refusals.unauthorized)
    }),

  must('AUTH-AS-SESSION', '§5.4', 'listKeys', { needs: ['session'] })
    .states('An API key sent as the value of the session cookie returns 401 unauthorized.')
    .check(async (t) => {
      assumeRefused(await callAs(t, 'INVALID', 'listKeys'), refusals.unauthorized)
      const name = t.settings.sessionCookie?.split('=')[0]
      const cookie = `${name}=${encodeURIComponent(t.settings.apiKey)}`
      expectRefused(await t.as('stranger', { cookie }).call('listKeys'), refusals.unauthorized)
    }),

  must('KEY-ONLY-SECRET', '§5.3', 'listKeys', { ...withSession, alone: true })
    .states(
      'The id, prefix or name of a key, or its organization id, sent as an API key returns 401 unauthorized.',
    )
    .check(async (t) => {
      await assumeUnknownTokenRefused(t)
      const { key, value, list } = await assumeUsedKey(t)
      const entry = entryIn(list, key)
      const known = ['id', 'prefix', 'name'].flatMap((name) => idOf(field(entry, name)) ?? [])
      for (const one of [...known, await t.orgId()]) {
        if (one === value || !/^[\x21-\x7e]+$/.test(one)) continue
        const answer = await t.as('stranger', bearer(one)).call('whoami')
        expectRefused(answer, refusals.unauthorized, key.exchange, list)
      }
    }),
]
