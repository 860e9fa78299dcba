/** The work by undici's retry agent. It repeats a GET five times by itself, and no POST. */
import { Agent, type Dispatcher, RetryAgent, request } from 'undici'
import { type Access, main, type Send } from './work.ts'

const sendBy =
  ({ base, headers }: Access, dispatcherFor: (method: string) => Dispatcher): Send =>
  async (method, path, body) => {
    const dispatcher = dispatcherFor(method)
    const answer = await request(base + path, {
      dispatcher,
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.statusCode, body: await answer.body.json() }
  }

await main({
  usual(access) {
    const agent = new RetryAgent(new Agent())
    return sendBy(access, () => agent)
  },
  fixed(access) {
    const timed = new Agent({ headersTimeout: 10_000, bodyTimeout: 10_000 })
    const reads = new RetryAgent(timed, { throwOnError: false })
    const writes = new RetryAgent(timed, {
      methods: ['POST'],
      statusCodes: [429, 503],
      // Nobody knows whether a POST without an answer took effect.
      errorCodes: [],
      throwOnError: false,
    })
    return sendBy(access, (method) => (method === 'GET' ? reads : writes))
  },
})
