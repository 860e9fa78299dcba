/** Quirks that strict-client mode draws: each appears for some seeds and not for all. */
import { beforeAll, describe, expect, test } from 'vitest'
import { createMock } from '../app.ts'
import { noon } from '../testing/mock.ts'
import { type ProbeResult, probe, taskIn } from '../testing/probe.ts'
import type { RawResponse } from '../testing/raw-client.ts'

const usualStatuses = new Set(['pending', 'queued', 'in_progress', 'completed', 'failed'])

const idOf = (heard: RawResponse) => String(taskIn(heard).id)

describe('among 50 seeds there are', () => {
  const signs: Record<string, (heard: ProbeResult) => boolean> = {
    'unknown names of statuses': ({ early }) => !usualStatuses.has(String(taskIn(early).status)),
    'a plan that is an object': ({ whoami }) => typeof whoami.body.plan === 'object',
    'an organization without a name': ({ whoami }) => Reflect.get(Object(whoami.body.org), 'name') === null,
    'ids that are numbers': ({ created }) => typeof taskIn(created).id === 'number',
    'ids that are UUIDs': ({ created }) => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/.test(idOf(created)),
    'ids that have to be percent-encoded': ({ created }) => /[/?#% ]/.test(idOf(created)),
    'long ids': ({ created }) => idOf(created).length > 200,
    'extra fields': ({ whoami }) => Object.keys(whoami.body).length > 3,
    'fields in another order': ({ whoami }) => Object.keys(whoami.body)[0] === 'credits',
    'items in another order': ({ created, listed }) =>
      Reflect.get(Object((listed.body.items as object[])[0]), 'id') !== taskIn(created).id,
    'dates in Retry-After': ({ limited }) => /GMT$/.test(limited.headers.get('retry-after') ?? ''),
    'seconds in Retry-After': ({ limited }) => /^\d+$/.test(limited.headers.get('retry-after') ?? ''),
    'a 201': ({ created }) => created.status === 201,
    'a 202': ({ ran }) => ran.status === 202,
    'second shapes': ({ listed }) => !('credits' in listed.body),
    'first shapes': ({ listed }) => !('usedToday' in listed.body),
    'both shapes at once': ({ listed }) => 'credits' in listed.body && 'usedToday' in listed.body,
    'runs that finish at once': ({ ran, early }) => ran.status !== 409 && early.body.finished === true,
    'runs that finish late': ({ ran, later }) => ran.status < 300 && later.body.finished === false,
    'runs that find the agent busy': ({ ran }) => ran.body.error === 'busy',
    '400 for bad input': ({ invalid }) => invalid.status === 400,
    '422 for bad input': ({ invalid }) => invalid.status === 422,
    'unknown codes on 422': ({ invalid }) => invalid.body.error !== 'invalid_request',
    'unknown codes on 500': ({ failed }) => failed.body.error !== 'internal_error',
    'messages in other languages': ({ failed }) => /\p{sc=Han}/u.test(String(failed.body.message)),
    'media types with parameters': ({ whoami }) =>
      whoami.headers.get('content-type')?.includes('charset') ?? false,
    'JSON over several lines': ({ whoami }) => whoami.text.includes('\n  "'),
    'keys that are strings': ({ key }) => typeof key.body.key === 'string',
    'fractions of a credit': ({ whoami }) => !Number.isInteger(whoami.body.credits),
    'times that are numbers': ({ created }) =>
      Object.entries(taskIn(created)).some(([name, at]) => /created/.test(name) && typeof at === 'number'),
    'times under other names': ({ created }) => !('created_at' in taskIn(created)),
  }

  let seen: ProbeResult[] = []

  beforeAll(async () => {
    const mocks = Array.from({ length: 50 }, (_, seed) => createMock({ strictClient: seed + 1, now: noon }))
    for (const mock of mocks) mock.clock.freeze(noon)
    seen = await Promise.all(mocks.map((mock) => probe(mock)))
    expect(mocks.flatMap(({ bugs }) => bugs)).toEqual([])
  })

  test.each(Object.entries(signs))('%s, but not for every seed', (_, isSeen) => {
    const count = seen.filter(isSeen).length
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThan(50)
  })
})
