#!/bin/sh
# msw 3.0.5, HttpResponse.error(), with got 16.1.0 and axios-retry 4.5.0 (axios 1.21.1), on Node 26.10.0.
# The mocked network error has no code. got, which looks at codes, sends the request once, while it repeats it when a
# real server drops the connection; axios-retry repeats both. A suite that counts what got sends after
# HttpResponse.error() learns the opposite of what happens.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . msw@3.0.5 got@16.1.0 axios@1.21.1 axios-retry@4.5.0

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import axios from 'axios'
import axiosRetry from 'axios-retry'
import got from 'got'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'

const retrying = axios.create()
axiosRetry(retrying, { retries: 2 })
const clients = {
  got: (url) => got(url, { retry: { limit: 2, calculateDelay: ({ computedValue }) => Math.min(computedValue, 1) } }),
  'axios-retry': (url) => retrying.get(url),
}
let requests = 0
async function show(name, url) {
  for (const [client, get] of Object.entries(clients)) {
    requests = 0
    const error = await get(url).catch((thrown) => thrown)
    console.log(`${name}, ${client}: ${requests} sent,`, error.code)
  }
}

const count = () => {
  requests++
  return HttpResponse.error()
}
const msw = setupServer(http.get('http://mocked.test/', count))
msw.listen()
await show('mock', 'http://mocked.test/')
msw.close()

const server = createServer((request) => {
  requests++
  request.socket.destroy()
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
await show('server', `http://127.0.0.1:${server.address().port}/`)
process.exit()
END
cat > expected <<'END'
mock, got: 1 sent, ERR_GOT_REQUEST_ERROR
mock, axios-retry: 3 sent, undefined
server, got: 3 sent, ECONNRESET
server, axios-retry: 3 sent, ECONNRESET
END
node find.mjs > seen
diff expected seen && echo 'as found'
