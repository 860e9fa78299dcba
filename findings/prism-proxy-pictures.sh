#!/bin/sh
# @stoplight/prism-cli 5.16.0, on Node 26.10.0.
# Prism as a proxy reads every body as UTF-8, also one that the document calls binary: each byte of a picture that is no
# UTF-8 becomes the three of U+FFFD, in requests and answers, with a Content-Length that fits the damage.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @stoplight/prism-cli@5.16.0

cat > find.mjs <<'END'
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const content = { 'image/png': { schema: { type: 'string', format: 'binary' } } }
const any = { description: 'a picture', content }
const paths = { '/picture': { post: { requestBody: { content }, responses: { default: any } } } }
const picture = Buffer.from('89504e470d0a1a0a', 'hex')
let received = Buffer.alloc(0)
function answer(request, response) {
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    received = Buffer.concat(parts)
    response.setHeader('content-type', 'image/png').end(picture)
  })
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

const headers = { 'content-type': 'image/png' }
const got = await fetch(`${proxy}/picture`, { method: 'POST', headers, body: picture })
console.log('sent by both:', picture.toString('hex'))
console.log('the service received:', received.toString('hex'))
console.log('the client received:', Buffer.from(await got.arrayBuffer()).toString('hex'))
console.log('Content-Length:', got.headers.get('content-length'))

prism.kill()
process.exit()
END
cat > expected <<'END'
sent by both: 89504e470d0a1a0a
the service received: efbfbd504e470d0a1a0a
the client received: efbfbd504e470d0a1a0a
Content-Length: 10
END
node find.mjs > seen
diff expected seen && echo 'as found'
