#!/bin/sh
# fetch-retry 6.0.0, ofetch 1.5.1, retry-axios 4.0.3 (axios 1.21.1) and xior 0.8.5, on Node 26.10.0.
# A signal is to end a call when its caller gives up. In the pause before a repeat these four do not hear it: the
# caller waits on for that pause, and three of them then for each further pause too, although nothing more is sent. A
# limit of 0.5 s by AbortSignal.timeout() takes 3 s, and as long as Retry-After says if it gives the pauses.
# axios-retry 4.5.0 and ky 2.1.0 end at once.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  axios@1.21.1 axios-retry@4.5.0 fetch-retry@6.0.0 ky@2.1.0 ofetch@1.5.1 retry-axios@4.0.3 xior@0.8.5

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import axios from 'axios'
import axiosRetry from 'axios-retry'
import fetchRetry from 'fetch-retry'
import ky from 'ky'
import { ofetch } from 'ofetch'
import * as rax from 'retry-axios'
import xior from 'xior'
import xiorRetry from 'xior/plugins/error-retry'

const [pause, times] = [1_500, 2]
let requests = 0
const server = createServer((_, answer) => {
  requests++
  answer.writeHead(503).end()
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const url = `http://127.0.0.1:${server.address().port}/`

const repeating = axios.create()
axiosRetry(repeating, { retries: times, retryDelay: () => pause })
const raxed = axios.create()
raxed.defaults.raxConfig = { retry: times, retryDelay: pause, backoffType: 'static' }
rax.attach(raxed)
const xiorClient = xior.create()
xiorClient.plugins.use(xiorRetry({ retryTimes: times, retryInterval: pause }))
const clients = {
  'axios-retry': (signal) => repeating.get(url, { signal }),
  ky: (signal) => ky(url, { signal, retry: { limit: times, delay: () => pause } }),
  'retry-axios': (signal) => raxed.get(url, { signal }),
  'fetch-retry': (signal) => fetchRetry(fetch)(url, { signal, retries: times, retryDelay: pause, retryOn: [503] }),
  ofetch: (signal) => ofetch(url, { signal, retry: times, retryDelay: pause }),
  xior: (signal) => xiorClient.get(url, { signal }),
}
for (const [name, call] of Object.entries(clients)) {
  requests = 0
  const start = performance.now()
  await call(AbortSignal.timeout(500)).catch(() => {})
  console.log(`${name}: ${Math.round((performance.now() - start) / 500) / 2} s, requests: ${requests}`)
}
process.exit()
END
cat > expected <<'END'
axios-retry: 0.5 s, requests: 1
ky: 0.5 s, requests: 1
retry-axios: 1.5 s, requests: 1
fetch-retry: 3 s, requests: 1
ofetch: 3 s, requests: 1
xior: 3 s, requests: 1
END
node find.mjs > seen
diff expected seen && echo 'as found'
