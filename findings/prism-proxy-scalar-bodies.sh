#!/bin/sh
# @stoplight/prism-cli 5.16.0, on Node 26.10.0.
# A body of JSON may be a text, a number, a boolean or null. Prism as a proxy finds these valid, sends a text on without
# its quotes, and of false, 0 and null sends nothing: the service is asked for something else than the document allows.
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
const paths = { '/flag': { put: { requestBody: { content: any.content }, responses: { default: any } } } }
let received = ''
function answer(request, response) {
  received = ''
  request.on('data', (part) => (received += part))
  request.on('end', () => response.setHeader('content-type', 'application/json').end('{}'))
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
for (const body of ['{"on":true}', '"on"', 'true', 'false', '0', 'null']) {
  const { status } = await fetch(`${proxy}/flag`, { method: 'PUT', headers, body })
  console.log(`${body}: ${status}, the service received ${received || 'nothing'}`)
}

prism.kill()
process.exit()
END
cat > expected <<'END'
{"on":true}: 200, the service received {"on":true}
"on": 200, the service received on
true: 200, the service received true
false: 200, the service received nothing
0: 200, the service received nothing
null: 200, the service received nothing
END
node find.mjs > seen
diff expected seen && echo 'as found'
