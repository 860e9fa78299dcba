/** Late effects, other clients, and runs that fail by themselves accuse neither the service nor its provider states. */
import { expect, test } from 'vitest'
import { resultsWithOutcome } from '../harness/outcome.ts'
import type { Middleware } from '../testing/middleware.ts'
import { idsWithOutcome, runSuiteOnMock } from '../testing/run.ts'

/** Requirements that are red, and the reasons why others are not exercised. */
async function troubles(only: readonly string[], between: Middleware) {
  const settings = { only, maxCredits: 20, consistency: 1_000, runId: 'late' }
  const { run } = await runSuiteOnMock(settings, { between, options: { runDuration: '150ms' } })
  const unexercised = resultsWithOutcome(run, 'not_exercised', 'suspected').filter((one) =>
    only.includes(one.requirement.id),
  )
  const reasons = unexercised.map(({ reason }) => reason)
  return [...idsWithOutcome(run, 'failed', 'warned', 'harness_error'), ...reasons]
}

/** The delay with which replicas follow, ms. */
const late = 650

/** Every second list of notifications does not show yet those that are new. */
function replicas(): Middleware {
  const since = new Map<string, number>()
  let lists = 0
  return async ({ method, path }, next, { now }) => {
    const response = await next()
    if (method !== 'GET' || !path.startsWith('/api/cli/notifications') || !response.ok) return response
    const body = (await response.json()) as { items: { id: string; read: boolean }[]; unread: number }
    for (const { id } of body.items) since.set(id, since.get(id) ?? now())
    if (++lists % 2 === 0) return Response.json(body)
    const items = body.items.filter(({ id }) => now() - (since.get(id) ?? 0) > late)
    const hidden = body.items.filter((one) => !one.read && !items.includes(one))
    return Response.json({ items, unread: body.unread - hidden.length })
  }
}

test('notifications that a replica does not show yet were not marked as read', async () => {
  const marked = ['NOTIFICATION-READ', 'NOTIFICATION-READ-COUNT', 'NOTIFICATION-READ-AGAIN']
  expect(await troubles([...marked, 'ISOLATION-UNREAD'], replicas())).toEqual([])
})

/** An entry of a list. */
interface Listed {
  readonly id: string
}

test('the status of a task is compared once a late list shows it', async () => {
  const since = new Map<string, number>()
  const between: Middleware = async ({ method, path }, next, { now }) => {
    const response = await next()
    if (path !== '/api/cli/tasks' || !response.ok) return response
    const { task, items, ...rest } = (await response.json()) as { task?: Listed; items: readonly Listed[] }
    if (method === 'POST' && task) since.set(task.id, now())
    const isShown = ({ id }: Listed) => now() - (since.get(id) ?? Number.NEGATIVE_INFINITY) > 950
    return Response.json(task ? { task, ...rest } : { items: items.filter(isShown), ...rest })
  }
  expect(await troubles(['RUN-LISTED-STATUS'], between)).toEqual([])
})

/** Somebody else changes the balance right after a provider state has set it, to what `change` makes of it. */
const changing =
  (change: (credits: number) => number): Middleware =>
  async ({ url, path, body = '', ...request }, next, { transport }) => {
    const response = await next()
    const { state, action, params } = path.endsWith('/states') ? JSON.parse(String(body)) : {}
    if (state !== 'credits' || action !== 'setup') return response
    const changed = { state, action, params: { ...params, credits: change(params.credits) } }
    return transport(url, { ...request, body: JSON.stringify(changed) })
  }

const withOneCredit = ['NO-CREDITS-REFUSED', 'NO-CREDITS-RECOVERS', 'CREDITS-ATOMIC']

test('a balance that somebody else has topped up once is set once more, and may follow late', async () => {
  let isFirst = true
  const toppedUp = changing((credits) => {
    const isMeant = credits === 1 && isFirst
    isFirst &&= !isMeant
    return isMeant ? 2 : credits
  })
  let [shown, before, since] = [40, 40, Number.NEGATIVE_INFINITY]
  const between: Middleware = async (request, next, target) => {
    const response = await toppedUp(request, next, target)
    if (String(request.body).includes('"credits":1')) [before, since] = [shown, target.now()]
    if (request.path !== '/api/cli/whoami' || !response.ok) return response
    const body = (await response.json()) as { credits: number }
    shown = target.now() - since < late ? before : body.credits
    return Response.json({ ...body, credits: shown })
  }
  expect(await troubles(['CREDITS-ATOMIC'], between)).toEqual([])
})

test('where somebody else tops up the balance all the time, that is the reason', async () => {
  const changes = changing((credits) => (credits === 1 ? 2 : credits))
  const between: Middleware = async (request, next, target) => {
    const response = await changes(request, next, target)
    if (request.path !== '/api/cli/whoami' || !response.ok) return response
    const body = (await response.json()) as { credits: number }
    return Response.json({ ...body, credits: body.credits + Math.floor(target.now() / 1_000) })
  }
  const reasons = await troubles(withOneCredit, between)
  expect(reasons).not.toEqual([])
  for (const reason of reasons) expect(reason).toMatch(/somebody else uses the organization/)
})

test('runs that fail by themselves do not show that a teardown has no effect', async () => {
  let runs = 0
  const between: Middleware = async (request, next, { baseUrl, transport }) => {
    if (request.path.endsWith('/run') && [2, 3, 4].includes(++runs)) {
      const whoami = { method: 'GET', headers: request.headers }
      const { org } = await (await transport(`${baseUrl}/api/cli/whoami`, whoami)).json()
      const body = { state: 'next_run_fails', params: { org_id: org.id }, action: 'setup' }
      const headers = { 'content-type': 'application/json' }
      await transport(`${baseUrl}/__admin/states`, { method: 'POST', headers, body: JSON.stringify(body) })
    }
    return next()
  }
  expect(await troubles(['RUN-AGAIN'], between)).toEqual([])
})
