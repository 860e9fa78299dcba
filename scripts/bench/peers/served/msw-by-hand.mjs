/** The handlers behind `node:http`: msw finds the response, a few lines carry it. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import * as msw from 'msw'
import { handlersOf } from './handlers.mjs'

const [whoami, tasks] = ['whoami.json', 'tasks.json'].map((name) => JSON.parse(readFileSync(name, 'utf8')))
const handlers = handlersOf(msw, whoami, tasks)

createServer(async (incoming, outgoing) => {
  const { method, headers, url } = incoming
  const body = method === 'GET' ? null : Buffer.concat(await incoming.toArray())
  const request = new Request(`http://127.0.0.1${url}`, { method, headers, body })
  const response = await msw.getResponse(handlers, request)
  const text = await response.text()
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    'content-length': Buffer.byteLength(text),
  })
  outgoing.end(text)
}).listen(Number(process.argv.at(-1)), '127.0.0.1')
