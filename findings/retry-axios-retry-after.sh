#!/bin/sh
# retry-axios 4.0.3 with axios 1.21.1, Retry-After, on Node 26.10.0.
# Its option checkRetryAfter is said to use the header as the delay, and only a delay above maxRetryAfter to end the
# repeats. A service that says "at once", by 0 or by a date that is now, gets no repeat at all: without the header
# there are two. A date has no milliseconds, so that one within this second is past, and a client's clock that is
# fast makes every date past.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . axios@1.21.1 retry-axios@4.0.3

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import axios from 'axios'
import * as rax from 'retry-axios'

let requests = 0
let retryAfter
const server = createServer((_, answer) => {
  answer.statusCode = ++requests < 3 ? 503 : 200
  if (retryAfter() !== undefined) answer.setHeader('Retry-After', retryAfter())
  answer.end()
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
rax.attach()
for (const [name, value] of [
  ['none', () => undefined],
  ['1', () => '1'],
  ['0', () => '0'],
  ['the date of now', () => new Date().toUTCString()],
]) {
  requests = 0
  retryAfter = value
  const outcome = await axios.get(`http://127.0.0.1:${server.address().port}/`).then(
    ({ status }) => status,
    ({ message }) => message,
  )
  console.log(`Retry-After ${name}: ${outcome}, requests: ${requests}`)
}
process.exit()
END
cat > expected <<'END'
Retry-After none: 200, requests: 3
Retry-After 1: 200, requests: 3
Retry-After 0: Request failed with status code 503, requests: 1
Retry-After the date of now: Request failed with status code 503, requests: 1
END
node find.mjs > seen
diff expected seen && echo 'as found'
