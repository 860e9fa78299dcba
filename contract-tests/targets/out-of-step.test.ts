/** A service that leaves bodies unread on kept-alive connections: that alone is accused. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { resultsOf } from '../harness/outcome.ts'
import { settingsWith } from '../harness/terms.ts'
import { runSuite } from '../runner/run.ts'
import { httpTarget } from './http.ts'

const mock = createMock({ credits: 40, rateLimit: 'off', runDuration: '30ms' })
const headEnd = '\r\n\r\n'

const write = (socket: Socket, status: number, type: string, body: string) =>
  socket.write(
    `HTTP/1.1 ${status} Status\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}${headEnd}${body}`,
  )

const answers = {
  'of its server': ['text/html', '<h1>Bad request syntax</h1>'],
  'of the API': ['application/json', '{"error":"invalid_request","message":"This is no request."}'],
} as const

/** Answers the requests of one connection in turn; of a request without credentials, it does not read the body. */
async function serve(socket: Socket, [type, refusal]: readonly [string, string]): Promise<void> {
  let unread = ''
  for await (const chunk of socket.setEncoding('utf8')) {
    unread += chunk
    for (let end = unread.indexOf(headEnd); end >= 0; end = unread.indexOf(headEnd)) {
      const [line = '', ...fields] = unread.slice(0, end).split('\r\n')
      const headers = new Headers(
        fields.map((one) => [one.split(':')[0] ?? '', one.replace(/^[^:]*: */, '')]),
      )
      const length = Number(headers.get('content-length') ?? 0)
      const isKnown = headers.has('authorization') || headers.has('cookie')
      if (isKnown && unread.length < end + headEnd.length + length) break
      const body = isKnown ? unread.slice(end + headEnd.length, end + headEnd.length + length) : ''
      unread = unread.slice(end + headEnd.length + body.length)
      const [, method = '', path = ''] = /^([A-Z]+) (\S+) HTTP\/1\.1$/.exec(line) ?? []
      if (method === '') write(socket, 400, type, refusal)
      else {
        const init = { method, headers, ...(body === '' ? {} : { body }) }
        const response = await mock.fetch(new Request(`http://service.test${path}`, init))
        write(socket, response.status, 'application/json', await response.text())
      }
    }
  }
}

test.each(
  Object.entries(answers),
)('a 400 %s that differs on a new connection accuses the connection, and nothing else', async (_, answer) => {
  const server = createServer((socket) => void serve(socket, answer).catch(() => socket.destroy()))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const target = httpTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(async () => {
    await target.close()
    server.close()
  })
  const only = ['ANSWER-*', 'AUTH-MISSING-*', 'ACCEPTS-*', 'SHAPE-*', 'ERROR-*', 'INPUT-NULL-*']
  const settings = settingsWith({ ...mock.credentials(), extended: 'on', only, concurrency: 1 })
  const run = await runSuite({ target, settings })
  const [accused, ...others] = resultsOf(run, 'failed', 'warned')
  expect(others).toEqual([])
  expect(accused?.requirement.id).toBe('ANSWER-IN-STEP')
  const [refused, shifted, fresh] = accused?.evidence ?? []
  expect([refused?.status, shifted?.status]).toEqual([401, 400])
  expect(fresh?.url).toBe(shifted?.url)
})
