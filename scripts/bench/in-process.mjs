/**
 * Measures one way to mock inside a test's own process; prints one line of JSON. Arguments: the way, the folder it
 * is installed in, the JSON that `whoami` answers. Run with `--expose-gc`.
 */
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import * as msw from 'msw'
import { setupServer } from 'msw/node'
import { handlersOf, routesOf } from './served.mjs'

const [way, folder, whoami] = process.argv.slice(2)
const base = 'http://api.example.com'

async function ask(fetch, at = base) {
  const request = new Request(`${at}/api/cli/whoami`, { headers: { authorization: 'Bearer wak_test_demo' } })
  const response = await fetch(request)
  if (response.status !== 200) throw new Error(`answered ${response.status}`)
  await response.json()
}

function throughMsw(handlers) {
  const server = setupServer(...handlers)
  server.listen()
  return { ask: () => ask(fetch), dispose: () => server.close() }
}

const published = async () => (await import(pathToFileURL(`${folder}/dist/index.js`))).createMock

/**
 * Each prepares a function that creates one mock, with `ask`, which sends the authenticated GET, and `dispose`, which
 * ends the mock.
 */
const ways = {
  async fetch() {
    const createMock = await published()
    return () => {
      const mock = createMock({ rateLimit: 'off' })
      return { ask: () => ask(mock.fetch), dispose: () => undefined }
    }
  },
  bareFetch() {
    const answer = ({ headers }) =>
      new Response(whoami, {
        status: headers.get('authorization')?.startsWith('Bearer ') ? 200 : 401,
        headers: { 'content-type': 'application/json' },
      })
    return () => ({ ask: () => ask(answer), dispose: () => undefined })
  },
  async msw() {
    const createMock = await published()
    return () => throughMsw(createMock({ rateLimit: 'off' }).handlers(base))
  },
  byHand: () => () => throughMsw(handlersOf(msw, routesOf(JSON.parse(whoami), []))),
  jsonServer() {
    const jsonServer = createRequire(`${folder}/`)('json-server')
    return async () => {
      const app = jsonServer.create()
      app.use('/api/cli', jsonServer.router({ whoami: JSON.parse(whoami), tasks: [] }))
      const server = app.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const dispose = () => {
        server.close()
        server.closeAllConnections()
        return once(server, 'close')
      }
      return { ask: () => ask(fetch, `http://127.0.0.1:${server.address().port}`), dispose }
    }
  },
}

const create = await ways[way]()

async function createAskDispose(times) {
  for (let i = 0; i < times; i++) {
    const mock = await create()
    await mock.ask()
    await mock.dispose()
  }
}

async function heap() {
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    globalThis.gc()
  }
  return process.memoryUsage().heapUsed
}

const rounds = 200
await createAskDispose(50)
const before = await heap()
const started = performance.now()
await createAskDispose(rounds)
const inside_ms = (performance.now() - started) / rounds
const inside_kb = ((await heap()) - before) / 1_024 / rounds

const mock = await create()
for (let i = 0; i < 2_000; i++) await mock.ask()
let asked = 0
const begun = performance.now()
for (; performance.now() - begun < 1_500; asked++) await mock.ask()
const inside_us = ((performance.now() - begun) * 1_000) / asked
console.log(JSON.stringify({ inside_ms, inside_kb, inside_us }))
process.exit()
