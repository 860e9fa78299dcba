/** json-server as a module, listening in the test's own process. */
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { ask } from './request.mjs'

export function prepare(folder, whoami) {
  const jsonServer = createRequire(`${folder}/`)('json-server')
  return async () => {
    const app = jsonServer.create()
    app.use('/api/cli', jsonServer.router({ whoami: JSON.parse(whoami), tasks: [] }))
    const server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const base = `http://127.0.0.1:${server.address().port}`
    return {
      ask: () => ask(fetch, base),
      dispose: () =>
        new Promise((resolve) => {
          server.close(resolve)
          server.closeAllConnections()
        }),
    }
  }
}
