/** The work that recorders record: a task is created, run and read to its end, by a page or by a program. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import type { Mock } from '#mocks/app.ts'

/** A `fetch`, as far as the work needs it. */
type Fetch = (
  url: string,
  init?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<{ json(): Promise<unknown> }>

/**
 * Creates a task, runs it and polls it to its end at a base URL. Pages run the source text of this function, so it
 * refers to nothing outside itself.
 */
export async function doRecordedWork(url: string, fetch: Fetch): Promise<void> {
  const headers = { authorization: 'Bearer wak_test_demo' }
  const get = async (path: string) => (await fetch(`${url}/api/cli${path}`, { headers })).json()
  const post = async (path: string, body?: object) => {
    const type = body ? { 'content-type': 'application/json' } : {}
    const text = body ? JSON.stringify(body) : ''
    const init = { method: 'POST', headers: { ...headers, ...type }, body: text }
    return (await fetch(`${url}/api/cli${path}`, init)).json()
  }
  await get('/whoami')
  const { task } = (await post('/tasks', { text: 'Grüße an alle' })) as { task: { id: string } }
  await post(`/tasks/${task.id}/run`)
  for (;;) {
    const { finished } = (await get(`/tasks/${task.id}`)) as { finished: boolean }
    if (finished) break
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  await get('/tasks')
  await get('/notifications')
  await get('/whoami')
}

const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script>
${doRecordedWork}
addEventListener('load', async () => {
  if (location.search === '?worker') {
    await navigator.serviceWorker.register('/worker.js')
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
  }
  await doRecordedWork(location.origin, (...call) => fetch(...call))
  document.title = 'done'
})
</script>`

const worker = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => {
  if (new URL(event.request.url).pathname.startsWith('/api/')) event.respondWith(fetch(event.request))
})`

/** Opens a page at an address in a browser tab, and waits until it has done its work. */
export async function doWorkInPage(tab: Page, url: string): Promise<void> {
  await tab.goto(url)
  await tab.waitForFunction(() => document.title === 'done')
}

/**
 * Starts a server with the page, its worker and a mock at one address; returns the URL and a function that closes it.
 */
export async function startPageServer(mock: Mock) {
  const server = createServer(async (request, response) => {
    const { url = '/', method = 'GET' } = request
    if (!url.startsWith('/api/')) {
      const isWorker = url === '/worker.js'
      response.writeHead(200, { 'content-type': isWorker ? 'text/javascript' : 'text/html' })
      response.end(isWorker ? worker : page)
      return
    }
    const body = Buffer.concat(await request.toArray())
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers))
      if (name !== 'connection') headers.set(name, String(value))
    const init = { method, headers, ...(method === 'GET' ? {} : { body }) }
    const answer = await mock.fetch(new Request(`http://${request.headers.host}${url}`, init))
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
