#!/bin/sh
# @stoplight/prism-cli 5.16.0, on Node 26.10.0.
# Prism as a validating proxy reads JSON into numbers of JavaScript and writes it anew, in both directions: a number that
# a double cannot hold is another one behind it, and the service and its client are told so by nobody. Its log and its
# header of violations stay empty, since both numbers fit the document.
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
const paths = { '/ids': { post: { requestBody: { content: any.content }, responses: { default: any } } } }
const id = '{"id":12345678901234567890}'
let received = ''
function answer(request, response) {
  received = ''
  request.on('data', (part) => (received += part))
  request.on('end', () => response.setHeader('content-type', 'application/json').end(id))
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
const got = await fetch(`${proxy}/ids`, { method: 'POST', headers, body: id })
console.log('sent by both:', id)
console.log('the service received:', received)
console.log('the client received:', await got.text())
console.log('violations:', got.headers.get('sl-violations'))

prism.kill()
process.exit()
END
cat > expected <<'END'
sent by both: {"id":12345678901234567890}
the service received: {"id":12345678901234567000}
the client received: {"id":12345678901234567000}
violations: null
END
node find.mjs > seen
diff expected seen && echo 'as found'
