/** The work by ky. It repeats a GET twice by itself, and no POST. */
import ky, { isHTTPError, type KyInstance } from 'ky'
import { main, type Send } from './work.ts'

const sendBy =
  (clientFor: (method: string) => KyInstance): Send =>
  async (method, path, json) => {
    try {
      const answer = await clientFor(method)(path, { method, json })
      return { status: answer.status, body: await answer.json() }
    } catch (error) {
      if (!isHTTPError(error)) throw error
      return { status: error.response.status, body: error.data }
    }
  }

await main({
  usual({ base: prefix, headers }) {
    const client = ky.create({ prefix, headers })
    return sendBy(() => client)
  },
  fixed({ base: prefix, headers }) {
    const reads = ky.create({ prefix, headers, retry: { limit: 4, retryOnTimeout: true } })
    const writes = reads.extend({
      retry: {
        methods: ['post'],
        statusCodes: [429, 503],
        // Nobody knows whether a POST without an answer took effect.
        shouldRetry: ({ error }) => (isHTTPError(error) ? undefined : false),
      },
    })
    return sendBy((method) => (method === 'GET' ? reads : writes))
  },
})
