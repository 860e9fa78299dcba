/** The HTTP target handles closed connections, redirects and interruptions. */

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { clientForTarget } from '../client/testing/client.ts'
import { settingsWithDefaults } from '../harness/terms.ts'
import { preflightProblem } from '../runner/preflight.ts'
import { type CertificateTrust, createHttpTarget } from './http.ts'

async function serve(listener: RequestListener) {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target = createHttpTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}/base//`)
  onTestFinished(async () => {
    await target.close()
    server.closeAllConnections()
    server.close()
  })
  return { target, client: clientForTarget(target, { timeout: 5_000, runTimeout: 5_000 }).client }
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

test('a response comes after information that nobody asked for', async () => {
  const { client } = await serve((_, response) => {
    response.writeContinue()
    response.writeEarlyHints({ link: '</x>; rel=preload' })
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"task":{}}')
  })
  for (let i = 0; i < 2; i++) expect((await client.call('createTask', { body: {} })).status).toBe(201)
})

test('a request has no length where none is asked for, and a body that comes in halves has one', async () => {
  const seen: object[] = []
  const { client } = await serve((request, response) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    request.resume().on('end', () => {
      seen.push({ length, coding })
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await client.call('readNotification', { id: '1' })
  await client.call('readNotification', { id: '1', headers: { 'content-length': '' } })
  const { promise: secondHalf, resolve } = Promise.withResolvers<void>()
  const slow = client.call('createTask', { body: { text: 'é' }, secondHalf })
  await client.call('whoami')
  resolve()
  expect((await slow).status).toBe(200)
  expect(seen).toEqual([{ length: '0' }, {}, {}, { length: '13' }])
})

test('a compressed answer is read, also to a request without a length', async () => {
  const { client } = await serve((request, response) => {
    request.resume().on('end', () => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
      response.writeHead(200, headers).end(gzipSync('{"ok":true}'))
    })
  })
  for (const headers of [{}, { 'content-length': '' }])
    expect((await client.call('readNotification', { id: '1', headers })).json).toEqual({ ok: true })
})

test('a body has its length although white space follows it in the header', async () => {
  const { client } = await serve((_, { socket }) => {
    const head = ['HTTP/1.1 200 OK', 'Content-Type: application/json ', 'CONTENT-LENGTH:  2 \t', '', '{}']
    socket?.write(head.join('\r\n'))
  })
  for (let i = 0; i < 2; i++) expect((await client.call('whoami')).text).toBe('{}')
})

test('it does not follow redirects', async () => {
  const { client } = await serve((_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
  expect((await client.call('whoami')).status).toBe(302)
})

test('ids and bodies arrive as they were sent, valid or not', async () => {
  const seen: (string | Buffer)[] = []
  const { client } = await serve(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    seen.push(request.url ?? '', ...(chunks.length > 0 ? [Buffer.concat(chunks)] : []))
    response.setHeader('content-type', 'application/json').end('{}')
  })
  for (const rawId of ['a%00', '%ff', '%', '%25', 'a%2Fb']) await client.call('runTask', { rawId })
  await client.call('createTask', { body: '{"text":"\udcff"}' })
  const query = ['a', 'b'].map((id) => ['folder_id', id] as const)
  const { url } = await client.call('listDocuments', { query })
  const tasks = '/base/api/cli/tasks'
  expect(seen).toEqual([
    ...['a%00', '%ff', '%', '%25', 'a%2Fb'].map((id) => `${tasks}/${id}/run`),
    tasks,
    Buffer.from([...Buffer.from('{"text":"'), 0xff, ...Buffer.from('"}')]),
    '/base/api/cli/documents?folder_id=a&folder_id=b',
  ])
  expect(url).toContain('?folder_id=a&folder_id=b')
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

/** A certificate that no authority signed, and its key; undefined without openssl. */
function selfSigned(): { cert: string; key: string } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const subject = ['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
  try {
    execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const certificate = selfSigned()

test.skipIf(certificate === undefined)(
  'a certificate is trusted by --ca or --insecure, which its refusal names',
  async () => {
    const { cert = '', key = '' } = certificate ?? {}
    const server = createTlsServer({ cert, key }, (_, response) =>
      response.setHeader('content-type', 'application/json').end('{"org":{}}'),
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    onTestFinished(() => void server.close())
    const problem = async (url: string, trust: CertificateTrust = {}) => {
      const target = createHttpTarget(url, trust)
      const found = await preflightProblem(target, settingsWithDefaults({ apiKey: 'key' }))
      await target.close()
      return found
    }
    const url = `https://127.0.0.1:${port}`
    expect(await problem(url)).toBe(
      `--base-url (WORK_AGENT_BASE_URL): the certificate of ${url} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT); --ca FILE adds its authority, --insecure accepts any`,
    )
    expect(await problem(url, { ca: cert })).toBeUndefined()
    expect(await problem(url, { insecure: true })).toBeUndefined()
    expect(await problem(`http://127.0.0.1:${port}`)).toMatch(
      /^--base-url .+; use https:\/\/.+ if it speaks TLS$/,
    )
  },
)
