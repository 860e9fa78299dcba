#!/bin/sh
# @stoplight/prism-cli 5.16.0, on Node 26.10.0.
# A proxy passes a redirect on to the client. Prism follows it: the client of a document with 307 sees 200 alone, and a
# POST is sent twice by the proxy itself, once to each address. Whether an answer was a redirect cannot be tested.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @stoplight/prism-cli@5.16.0

cat > find.mjs <<'END'
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const any = { description: 'any', content: { 'application/json': { schema: {} } } }
const post = { requestBody: { content: any.content }, responses: { 200: any, 307: { description: 'moved' } } }
const paths = { '/old': { post }, '/new': { post } }
const received = []
function answer(request, response) {
  if (request.url !== '/ready') received.push(`${request.method} ${request.url}`)
  if (request.url === '/old') response.writeHead(307, { location: '/new' }).end()
  else response.setHeader('content-type', 'application/json').end('{}')
}

/** Waits until a server listens, and tells its port. */
const listening = (server) =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)))
const service = createServer(answer)
const behind = await listening(service)
const placeholder = createServer()
const port = await listening(placeholder)
await new Promise((closed) => placeholder.close(closed))
writeFileSync('openapi.json', JSON.stringify({ openapi: '3.0.3', info: { title: 'T', version: '1' }, paths }))
const words = ['proxy', 'openapi.json', `http://127.0.0.1:${behind}`, '--port', port, '--verboseLevel', 'silent']
const prism = spawn(process.execPath, ['node_modules/@stoplight/prism-cli/dist/index.js', ...words.map(String)])
const proxy = `http://127.0.0.1:${port}`
const isReady = () => fetch(`${proxy}/ready`).then(() => true, () => false)
while (!(await isReady())) await new Promise((later) => setTimeout(later, 100))

const headers = { 'content-type': 'application/json' }
const { status } = await fetch(`${proxy}/old`, { method: 'POST', headers, body: '{}', redirect: 'manual' })
console.log('the service received:', received.join(', '))
console.log('the client received:', status)

prism.kill()
process.exit()
END
cat > expected <<'END'
the service received: POST /old, POST /new
the client received: 200
END
node find.mjs > seen
diff expected seen && echo 'as found'
