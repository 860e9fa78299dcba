#!/bin/sh
# got 16.1.0, cache and retry, on Node 26.10.0.
# Its pages say that a GET that fails with 503 is sent again, and that `cache` keeps answers by the rules of HTTP. If
# the failure has a Cache-Control of its own, as a CDN gives it, each repeat, after the pause of Retry-After, finds the
# same 503 in the cache: no second request is sent, although the hooks tell of two. Without `cache` the second request
# succeeds.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . got@16.1.0

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import got from 'got'

let requests = 0
let headers
const server = createServer((_, answer) => {
  answer.writeHead(++requests < 2 ? 503 : 200, requests < 2 ? headers : {})
  answer.end('done')
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
for (const [name, cacheControl, cache] of [
  ['no cache, max-age=10', 'max-age=10'],
  ['cache, no Cache-Control', undefined, new Map()],
  ['cache, max-age=10', 'max-age=10', new Map()],
]) {
  requests = 0
  headers = { 'Retry-After': '1', ...(cacheControl && { 'Cache-Control': cacheControl }) }
  let retries = 0
  const hooks = { beforeRetry: [() => void retries++] }
  const outcome = await got(`http://127.0.0.1:${server.address().port}/`, { cache, hooks }).then(
    ({ statusCode }) => statusCode,
    ({ response }) => response.statusCode,
  )
  console.log(`${name}: ${outcome}, retries: ${retries}, requests: ${requests}`)
}
process.exit()
END
cat > expected <<'END'
no cache, max-age=10: 200, retries: 1, requests: 2
cache, no Cache-Control: 200, retries: 1, requests: 2
cache, max-age=10: 503, retries: 2, requests: 1
END
node find.mjs > seen
diff expected seen && echo 'as found'
