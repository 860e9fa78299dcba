/** Hand-written handlers behind msw: `setupServer(...handlers)`, and the `fetch` of Node. */
import * as msw from 'msw'
import { setupServer } from 'msw/node'
import { handlersOf } from '../peers/served/handlers.mjs'
import { ask } from './request.mjs'

export function prepare(whoami) {
  return () => {
    const server = setupServer(...handlersOf(msw, JSON.parse(whoami), []))
    server.listen()
    return { ask: () => ask(fetch), dispose: () => server.close() }
  }
}
