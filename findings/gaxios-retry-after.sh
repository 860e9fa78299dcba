#!/bin/sh
# gaxios 8.3.3, got 16.1.0, on Node 26.10.0.
# With `retry: true` it repeats a GET after a 429 and a 503, but `Retry-After` counts for nothing, in seconds or as a
# date: the first repeat comes after about 0.1 s, and all are used up before the service wants to be asked again.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . gaxios@8.3.3 got@16.1.0

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import { request } from 'gaxios'
import got from 'got'

const pause = 4000
const answers = {
  '429 with seconds': () => [429, { 'retry-after': String(pause / 1000) }],
  '503 with a date': () => [503, { 'retry-after': new Date(Date.now() + pause + 1000).toUTCString() }],
}
let name = ''
let begin = 0
let early = 0
const server = createServer((_, answer) => {
  if (performance.now() - begin > pause - 50) return answer.writeHead(200).end()
  early++
  answer.writeHead(...answers[name]()).end()
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const url = `http://127.0.0.1:${server.address().port}/tasks`
const clients = {
  got: () => got(url).then((answer) => answer.statusCode),
  gaxios: () => request({ url, retry: true }).then((answer) => answer.status),
}
for (name of Object.keys(answers))
  for (const [client, get] of Object.entries(clients)) {
    begin = performance.now()
    early = 0
    const status = await get().catch(() => 'an error')
    console.log(`${name}, ${client}: ${status}, ${early} requests before the pause was over`)
  }
process.exit()
END
cat > expected <<'END'
429 with seconds, got: 200, 1 requests before the pause was over
429 with seconds, gaxios: an error, 4 requests before the pause was over
503 with a date, got: 200, 1 requests before the pause was over
503 with a date, gaxios: an error, 4 requests before the pause was over
END
node find.mjs > seen
diff expected seen && echo 'as found'
