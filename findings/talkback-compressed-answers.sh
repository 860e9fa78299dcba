#!/bin/sh
# talkback 4.2.0, on Node 26.10.0.
# A tape holds a compressed JSON answer as text; to play it, talkback compresses the text again, but sends the length of
# the text as Content-Length. The client that got the answer while it was recorded waits for bytes that never come, and
# ends with a broken connection. The same answer without a length, or not compressed, plays.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . talkback@4.2.0

cat > find.mjs <<'END'
import { createServer, get } from 'node:http'
import { gunzipSync, gzipSync } from 'node:zlib'
import talkback from 'talkback'

const json = JSON.stringify(Array.from({ length: 50 }, (_, id) => ({ id, title: 'task' })))
const service = createServer(({ url }, answer) => {
  const body = url === '/plain' ? json : gzipSync(json)
  answer.setHeader('content-type', 'application/json')
  if (url !== '/plain') answer.setHeader('content-encoding', 'gzip')
  if (url !== '/chunked') answer.setHeader('content-length', body.length)
  answer.write(body)
  answer.end()
}).listen(0, '127.0.0.1')
await new Promise((listening) => service.on('listening', listening))

/** Reads an answer on a connection of its own, and tells whether it is what was sent. */
const read = (url) =>
  new Promise((resolve) =>
    get(url, { agent: false }, async (answer) => {
      const parts = await answer.toArray().catch(({ message }) => message)
      if (typeof parts === 'string') return resolve(parts)
      const bytes = Buffer.concat(parts)
      const text = answer.headers['content-encoding'] ? gunzipSync(bytes) : bytes
      resolve(JSON.stringify(JSON.parse(text)) === json ? 'whole' : 'other')
    }),
  )
const host = `http://127.0.0.1:${service.address().port}`
for (const record of ['NEW', 'DISABLED']) {
  const proxy = talkback({ host, port: 23051, path: './tapes', record, silent: true, summary: false })
  await proxy.start()
  for (const path of ['/plain', '/chunked', '/gzip'])
    console.log(`${record === 'NEW' ? 'recorded' : 'played'} ${path}: ${await read(`http://127.0.0.1:23051${path}`)}`)
  await proxy.close()
}
process.exit()
END
cat > expected <<'END'
recorded /plain: whole
recorded /chunked: whole
recorded /gzip: whole
played /plain: whole
played /chunked: whole
played /gzip: aborted
END
node find.mjs > seen
diff expected seen && echo 'as found'
