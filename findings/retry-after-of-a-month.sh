#!/bin/sh
# axios-retry 4.5.0, axios 1.21.1, got 14.6.6, ky 2.1.0, on Node 26.10.0.
# A quota of a month may answer 429 with a `Retry-After` of 30 days. ky waits. The timer of the other two takes no more
# than 24.8 days and ends after a millisecond, so that they send all their repeats at once.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  axios-retry@4.5.0 axios@1.21.1 got@14.6.6 ky@2.1.0

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import axios from 'axios'
import axiosRetry from 'axios-retry'
import got from 'got'
import ky from 'ky'

let times = 0
const server = createServer((request, response) => {
  times += 1
  if (times > 4) response.end('done')
  else response.writeHead(429, { 'retry-after': request.url.slice(1) }).end()
}).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))

const first = axios.create()
axiosRetry(first, { retries: 4, retryCondition: () => true })
const clients = {
  'axios-retry': (url) => first.get(url),
  got: (url) => got(url, { retry: { limit: 4, methods: ['GET'] } }),
  ky: (url) => ky(url, { retry: { limit: 4 } }),
}
for (const [name, send] of Object.entries(clients))
  for (const [what, seconds] of [['20 days', 1_728_000], ['30 days', 2_592_000]]) {
    times = 0
    const sent = send(`http://127.0.0.1:${server.address().port}/${seconds}`)
    await Promise.race([sent.catch(() => {}), new Promise((resolve) => setTimeout(resolve, 1500))])
    console.log(`${name}, Retry-After of ${what}: ${times} requests within 1.5 s`)
  }
process.exit()
END
cat > expected <<'END'
axios-retry, Retry-After of 20 days: 1 requests within 1.5 s
axios-retry, Retry-After of 30 days: 5 requests within 1.5 s
got, Retry-After of 20 days: 1 requests within 1.5 s
got, Retry-After of 30 days: 5 requests within 1.5 s
ky, Retry-After of 20 days: 1 requests within 1.5 s
ky, Retry-After of 30 days: 1 requests within 1.5 s
END
node --no-warnings find.mjs > seen
diff expected seen && echo 'as found'
