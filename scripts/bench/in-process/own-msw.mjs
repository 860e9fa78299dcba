/** The mock behind msw: `setupServer(...mock.handlers(…))`, and the `fetch` of Node. */
import { pathToFileURL } from 'node:url'
import { setupServer } from 'msw/node'
import { address, ask } from './request.mjs'

export async function prepare(folder) {
  const { createMock } = await import(pathToFileURL(`${folder}/dist/index.js`).href)
  return () => {
    const server = setupServer(...createMock({ rateLimit: 'off' }).handlers(address))
    server.listen()
    return { ask: () => ask(fetch), dispose: () => server.close() }
  }
}
