/** The HTTP target handles closed connections, redirects and interruptions. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from '../client/client.ts'
import { Recorder } from '../client/recorder.ts'
import { httpTarget } from './http.ts'

async function serve(listener: RequestListener) {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target = httpTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}/base//`)
  onTestFinished(async () => {
    await target.close()
    server.closeAllConnections()
    server.close()
  })
  const settings = {
    runId: 'run-1',
    timeout: 5_000,
    paidTimeout: 5_000,
    userAgent: 'suite/1',
    onLost: () => undefined,
  }
  return { target, client: new Client('main', {}, target, settings, new Recorder()) }
}

test('a connection closed by the service loses no free request, and paid requests do not reuse connections', async () => {
  const used = new WeakSet<object>()
  const lostPaths: string[] = []
  const { client } = await serve((request, response) => {
    if (used.has(request.socket)) {
      lostPaths.push(request.url ?? '')
      return void request.socket.destroy()
    }
    used.add(request.socket)
    response.setHeader('content-type', 'application/json').end('{}')
  })
  for (let i = 0; i < 2; i++) {
    expect((await client.call('whoami')).status).toBe(200)
    expect((await client.call('runTask', { id: '1' })).status).toBe(200)
  }
  expect(lostPaths).toEqual(['/base/api/cli/whoami'])
})

test('it does not follow redirects', async () => {
  const { client } = await serve((_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
  expect((await client.call('whoami')).status).toBe(302)
})

test('a wait ends without an error when the run is interrupted', async () => {
  const { target } = await serve((_, response) => response.end())
  const controller = new AbortController()
  const waited = target.sleep(600_000, controller.signal)
  controller.abort()
  await waited
  await target.sleep(600_000, controller.signal)
  expect(target.baseUrl).toMatch(/\/base$/)
})
