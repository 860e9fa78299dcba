/**
 * Servers of a few lines. `served.mjs bare PORT`: the routes of the benchmark on plain `node:http`, the baseline.
 * `middleware` or `getResponse`: handwritten msw handlers; `proxy PORT URL`: a bare proxy. Packages and data come from the working directory.
 */
import { readFileSync } from 'node:fs'
import { Agent, createServer, request as requestFrom } from 'node:http'
import { createRequire } from 'node:module'

const isAuthorized = (header) => header?.startsWith('Bearer ')
const noKey = [401, { error: 'unauthorized', message: 'No key.' }]

/** Routes that answer with a status and a body each, and keep tasks in a Map. */
export function routesOf(whoami, tasks) {
  const kept = new Map(tasks.map((task) => [task.id, task]))
  return {
    whoami: () => [200, whoami],
    create({ text }) {
      const [id, at] = [crypto.randomUUID(), new Date().toISOString()]
      const task = { id, text, description: null, status: 'pending', created_at: at, updated_at: at }
      kept.set(id, task)
      return [200, { task }]
    },
    read(id) {
      const task = kept.get(id)
      return task ? [200, { task, finished: false }] : [404, { error: 'not_found', message: 'No such task.' }]
    },
  }
}

function serveBare({ whoami, create, read }) {
  return createServer((request, response) => {
    const { method, url, headers } = request
    if (!isAuthorized(headers.authorization)) return write(response, noKey)
    if (url === '/api/cli/whoami') return write(response, whoami())
    if (method === 'GET') return write(response, read(url.slice('/api/cli/tasks/'.length)))
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => write(response, create(JSON.parse(Buffer.concat(chunks).toString()))))
  })
}

function write(response, [status, value]) {
  const body = JSON.stringify(value)
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
  response.writeHead(status, headers).end(body)
}

/** `http` and `HttpResponse` come from the msw version under test. */
export function handlersOf({ http, HttpResponse }, { whoami, create, read }) {
  const json = ([status, value]) => HttpResponse.json(value, { status })
  const authorized = (answer) => (info) =>
    isAuthorized(info.request.headers.get('authorization')) ? answer(info) : json(noKey)
  const post = async ({ request }) => json(create(await request.json()))
  const get = ({ params }) => json(read(params.id))
  const getWhoami = () => json(whoami())
  return [
    http.get('*/api/cli/whoami', authorized(getWhoami)),
    http.post('*/api/cli/tasks', authorized(post)),
    http.get('*/api/cli/tasks/:id', authorized(get)),
  ]
}

function serveGetResponse(msw, handlers) {
  return createServer(async (incoming, outgoing) => {
    const { method, headers, url } = incoming
    const body = method === 'GET' ? null : Buffer.concat(await incoming.toArray())
    const request = new Request(`http://127.0.0.1${url}`, { method, headers, body })
    const response = await msw.getResponse(handlers, request)
    const text = await response.text()
    const length = { 'content-length': Buffer.byteLength(text) }
    outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), ...length })
    outgoing.end(text)
  })
}

function serveProxy(upstream) {
  const agent = new Agent({ keepAlive: true })
  return createServer((asked, answer) => {
    const { method, headers } = asked
    const sent = requestFrom(new URL(asked.url, upstream), { agent, method, headers }, (found) => {
      answer.writeHead(found.statusCode, found.rawHeaders)
      found.pipe(answer)
    })
    asked.pipe(sent)
  })
}

if (import.meta.main) {
  const [way, port, upstream] = process.argv.slice(2)
  const require = createRequire(`${process.cwd()}/`)
  const [whoami, tasks] = ['whoami.json', 'tasks.json'].map((name) => JSON.parse(readFileSync(name, 'utf8')))
  const routes = routesOf(whoami, tasks)
  const handlers = () => handlersOf(require('msw'), routes)
  const servers = {
    bare: () => serveBare(routes),
    middleware: () => require('@mswjs/http-middleware').createServer(...handlers()),
    proxy: () => serveProxy(upstream),
    getResponse: () => serveGetResponse(require('msw'), handlers()),
  }
  servers[way]().listen(Number(port), '127.0.0.1')
}
