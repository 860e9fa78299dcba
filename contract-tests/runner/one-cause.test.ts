/** One cause is one violation, whatever it keeps from being seen; a firewall that refuses malformed addresses is none. */
import { expect, test } from 'vitest'
import { resultsOf } from '../harness/outcome.ts'
import { settingsWith } from '../harness/terms.ts'
import { embeddedMock } from '../targets/in-process.ts'
import { type Between, middleware } from '../testing/middleware.ts'
import { runSuite } from './run.ts'

async function redOf(between: Between) {
  const { target, access } = embeddedMock()
  const settings = settingsWith({ ...access, extended: 'on', maxCredits: 20, runId: 'one-cause' })
  const run = await runSuite({ target: middleware(target, between), settings })
  return resultsOf(run, 'failed', 'warned', 'harness_error').map(({ requirement }) => requirement.id)
}

/** Answers requests whose address fits. */
const instead =
  (path: RegExp, answer: () => Response): Between =>
  async (request, next) =>
    path.test(request.path) ? answer() : next()

const tooLong = /x{300}/

test.each([
  ['in plain text', () => new Response('URI Too Long', { status: 414 })],
  ['as JSON', () => Response.json({ error: 'too_long', message: 'The URL is too long.' }, { status: 414 })],
  ['without a message', () => Response.json({ code: 7 }, { status: 414 })],
])('414 %s to long ids violates what statuses there are', async (_, answer) => {
  expect(await redOf(instead(tooLong, answer))).toEqual(['ERROR-STATUS'])
})

test('an undocumented status hides neither another answer that is not JSON nor an unusual id that is found', async () => {
  const red = await redOf(async (request, next) => {
    if (tooLong.test(request.path)) return new Response('URI Too Long', { status: 414 })
    const response = await next()
    if (request.path.endsWith('/constructor') && request.method === 'GET')
      return Response.json({ task: {} }, { status: 500 })
    return request.path.endsWith('/api/cli/leads') ? new Response('[]') : response
  })
  expect(red).toEqual(expect.arrayContaining(['ERROR-STATUS', 'ANSWER-JSON', 'TASK-ODD-ID']))
})

const lists = [
  ['tasks', 'items', 'SHAPE-listTasks'],
  ['documents', 'items', 'SHAPE-listDocuments'],
  ['keys', 'keys', 'SHAPE-listKeys'],
  ['notifications', 'items', 'SHAPE-listNotifications'],
] as const

test.each(lists)('a list of %s whose %s are numbers violates its shape', async (route, member, id) => {
  const red = await redOf(async (request, next) => {
    const response = await next()
    const isList = request.method === 'GET' && new RegExp(`/${route}(\\?.*)?$`).test(request.path)
    if (!isList || !response.ok) return response
    const body = await response.json()
    return Response.json({ ...body, [member]: body[member].map(() => 7) })
  })
  expect(red).toEqual([id])
})
