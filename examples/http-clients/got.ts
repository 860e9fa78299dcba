/** The work by got. It repeats a GET twice by itself, no POST, and waits for ever for an answer. */
import got, { type Got, HTTPError } from 'got'
import { main, type Send } from './work.ts'

const sendBy =
  (clientFor: (method: string) => Got): Send =>
  async (method, path, json) => {
    try {
      const answer = await clientFor(method)(path, { method, json, responseType: 'json' })
      return { status: answer.statusCode, body: answer.body }
    } catch (error) {
      if (!(error instanceof HTTPError)) throw error
      return { status: error.response.statusCode, body: error.response.body }
    }
  }

await main({
  usual({ base: prefixUrl, headers }) {
    const client = got.extend({ prefixUrl, headers })
    return sendBy(() => client)
  },
  fixed({ base: prefixUrl, headers }) {
    const reads = got.extend({ prefixUrl, headers, retry: { limit: 4 }, timeout: { response: 10_000 } })
    // Nobody knows whether a POST without an answer took effect: no error code, and no 500, 502 or 504.
    const writes = reads.extend({ retry: { methods: ['POST'], statusCodes: [429, 503], errorCodes: [] } })
    return sendBy((method) => (method === 'GET' ? reads : writes))
  },
})
