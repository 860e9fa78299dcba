#!/bin/sh
# @better-fetch/fetch 1.3.3 and ofetch 1.5.1, on Node 26.10.0.
# Its page shows a `shouldRetry` that repeats when the response is null, and says that errors come as a value. A lost
# connection is not repeated, `shouldRetry` is not asked, and the call throws, while a 404, which no repeat mends, is
# repeated each time. ofetch does it the other way round.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @better-fetch/fetch@1.3.3 ofetch@1.5.1

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import { betterFetch } from '@better-fetch/fetch'
import { ofetch } from 'ofetch'

let requests = 0
const server = createServer(({ url, socket }, answer) => {
  if (url === '/gone') answer.statusCode = 404
  if (++requests === 1 && url === '/lost') socket.destroy()
  else answer.end('done')
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const base = `http://127.0.0.1:${server.address().port}`

let asked = 0
const shouldRetry = (response) => ++asked && (response === null || response.status !== 200)
const linear = { type: 'linear', attempts: 2, delay: 10 }
for (const [name, request] of [
  ['better-fetch', (url) => betterFetch(url, { retry: linear })],
  ['better-fetch, shouldRetry', (url) => betterFetch(url, { retry: { ...linear, shouldRetry } })],
  ['ofetch', (url) => ofetch(url, { retry: 2, retryDelay: 10 }).then((data) => ({ data, error: null }))],
])
  for (const path of ['/lost', '/gone']) {
    requests = 0
    const outcome = await request(base + path).then(
      ({ data, error }) => data ?? `error ${error.status} as a value`,
      ({ message, status }) => `throws ${status ?? message}`,
    )
    console.log(`${name}: ${path}: ${outcome}, requests: ${requests}`)
  }
console.log('shouldRetry asked:', asked)
process.exit()
END
cat > expected <<'END'
better-fetch: /lost: throws fetch failed, requests: 1
better-fetch: /gone: error 404 as a value, requests: 3
better-fetch, shouldRetry: /lost: throws fetch failed, requests: 1
better-fetch, shouldRetry: /gone: error 404 as a value, requests: 3
ofetch: /lost: done, requests: 2
ofetch: /gone: throws 404, requests: 1
shouldRetry asked: 2
END
node find.mjs > seen
diff expected seen && echo 'as found'
