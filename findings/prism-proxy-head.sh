#!/bin/sh
# @stoplight/prism-cli 5.16.0, on Node 26.10.0.
# A HEAD that the document describes is valid, and its answer has no body. Prism as a proxy reads the missing body as
# JSON, because of the Content-Type, and answers 500 in place of the 200 of the service.
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
const paths = { '/list': { get: { responses: { 200: any } }, head: { responses: { 200: { description: 'ok' } } } } }
const answered = []
function answer(request, response) {
  response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
  answered.push(`${request.method} ${response.statusCode}`)
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

for (const method of ['GET', 'HEAD']) {
  const { status } = await fetch(`${proxy}/list`, { method })
  console.log(`the service answered ${answered.at(-1)}, the client received ${status}`)
}

prism.kill()
process.exit()
END
cat > expected <<'END'
the service answered GET 200, the client received 200
the service answered HEAD 200, the client received 500
END
node find.mjs > seen
diff expected seen && echo 'as found'
