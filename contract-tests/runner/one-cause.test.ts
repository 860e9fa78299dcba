/** One cause is one violation, whatever it keeps from being seen; a firewall that refuses malformed addresses is none. */
import { expect, test } from 'vitest'
import type { Middleware } from '../testing/middleware.ts'
import { idsWithOutcome, runSuiteOnMock } from '../testing/run.ts'

async function redOf(between: Middleware) {
  const { run } = await runSuiteOnMock({ extended: 'on', maxCredits: 20, runId: 'one-cause' }, { between })
  return idsWithOutcome(run, 'failed', 'warned', 'harness_error')
}

const tooLong = /x{300}/

const gone = [
  () => new Response('Gone', { status: 410 }),
  () => Response.json({ error: 'gone', message: 'Gone.' }, { status: 410 }),
  () => Response.json({ code: 7 }, { status: 410 }),
]
const ofFront = [
  () => new Response('URI Too Long', { status: 414 }),
  () => new Response('<h1>404.14</h1>', { status: 404 }),
]

test.each<[string, readonly (() => Response)[], string[]]>([
  ['410 in whatever form', gone, ['ERROR-STATUS']],
  ['414 or 404 of a server in front', ofFront, []],
])('%s to long ids violates what statuses there are, or nothing', async (_, answers, expected) => {
  const seen = new Set<number>()
  const red = await redOf(async ({ path }, next) => {
    if (!tooLong.test(path)) return next()
    // The same request is answered the same again.
    const nth = path.length % answers.length
    seen.add(nth)
    return answers[nth]?.() ?? next()
  })
  expect(seen.size).toBe(answers.length)
  expect(red).toEqual(expected)
})

test('an undocumented status hides neither another answer that is not JSON nor an unusual id that is found', async () => {
  const red = await redOf(async (request, next) => {
    if (tooLong.test(request.path)) return new Response('Gone', { status: 410 })
    const response = await next()
    if (request.path.endsWith('/constructor') && request.method === 'GET')
      return Response.json({ task: {} }, { status: 500 })
    return request.path.endsWith('/api/cli/leads') ? new Response('[]') : response
  })
  expect(red).toEqual(expect.arrayContaining(['ERROR-STATUS', 'ANSWER-JSON', 'TASK-ODD-ID']))
})

test('a list whose items are numbers violates its shape', async () => {
  const red = await redOf(async ({ method, path }, next) => {
    const response = await next()
    const [, route] = /\/(tasks|documents|keys|notifications)(?:\?.*)?$/.exec(path) ?? []
    if (method !== 'GET' || route === undefined || !response.ok) return response
    const body = await response.json()
    const member = route === 'keys' ? 'keys' : 'items'
    return Response.json({ ...body, [member]: body[member].map(() => 7) })
  })
  const lists = ['listKeys', 'listTasks', 'listDocuments', 'listNotifications']
  expect(red).toEqual(lists.map((operation) => `SHAPE-${operation}`))
})
