/** One cause is one violation, whatever it keeps from being seen; a firewall that refuses malformed addresses is none. */
import { expect, test } from 'vitest'
import type { Between } from '../testing/middleware.ts'
import { idsOf, runOnMock } from '../testing/run.ts'

async function redOf(between: Between) {
  const { run } = await runOnMock({ extended: 'on', maxCredits: 20, runId: 'one-cause' }, { between })
  return idsOf(run, 'failed', 'warned', 'harness_error')
}

const tooLong = /x{300}/

test.each([
  ['410 in plain text', () => new Response('Gone', { status: 410 }), ['ERROR-STATUS']],
  [
    '410 as JSON',
    () => Response.json({ error: 'gone', message: 'Gone.' }, { status: 410 }),
    ['ERROR-STATUS'],
  ],
  ['410 without a message', () => Response.json({ code: 7 }, { status: 410 }), ['ERROR-STATUS']],
  ['414 of a server in front', () => new Response('URI Too Long', { status: 414 }), []],
  ['404 of a server in front', () => new Response('<h1>404.14</h1>', { status: 404 }), []],
])('%s to long ids violates what statuses there are, or nothing', async (_, answer, expected) => {
  const red = await redOf(async ({ path }, next) => (tooLong.test(path) ? answer() : next()))
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

test.each([
  ['tasks', 'items', 'SHAPE-listTasks'],
  ['documents', 'items', 'SHAPE-listDocuments'],
  ['keys', 'keys', 'SHAPE-listKeys'],
  ['notifications', 'items', 'SHAPE-listNotifications'],
])('a list of %s whose %s are numbers violates its shape', async (route, member, id) => {
  const red = await redOf(async (request, next) => {
    const response = await next()
    const isList = request.method === 'GET' && new RegExp(`/${route}(\\?.*)?$`).test(request.path)
    if (!isList || !response.ok) return response
    const body = await response.json()
    return Response.json({ ...body, [member]: body[member].map(() => 7) })
  })
  expect(red).toEqual([id])
})
