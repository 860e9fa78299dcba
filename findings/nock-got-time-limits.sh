#!/bin/sh
# nock 15.0.6 with got 16.1.0, on Node 26.10.0.
# Where a real server that stays silent gives a TimeoutError with ETIMEDOUT, a mocked answer with delay() gives a
# ReadError with ECONNRESET for the limit of the whole request, and the limit for the answer is not applied at all:
# the answer arrives after the delay. A program that tells the two errors apart takes the wrong branch in tests.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . nock@15.0.6 got@16.1.0

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import got from 'got'
import nock from 'nock'

const get = (url, timeout) =>
  got(url, { timeout, retry: { limit: 0 } })
    .text()
    .catch(({ name, code }) => `${name} ${code}`)
nock('http://mocked.test').get('/').times(2).delay(2_000).reply(200, 'late')
console.log('mock, request:', await get('http://mocked.test/', { request: 200 }))
console.log('mock, response:', await get('http://mocked.test/', { response: 200 }))

nock.restore()
const server = createServer((_, answer) => setTimeout(() => answer.end('late'), 2_000)).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const url = `http://127.0.0.1:${server.address().port}/`
console.log('server, request:', await get(url, { request: 200 }))
console.log('server, response:', await get(url, { response: 200 }))
process.exit()
END
cat > expected <<'END'
mock, request: ReadError ECONNRESET
mock, response: late
server, request: TimeoutError ETIMEDOUT
server, response: TimeoutError ETIMEDOUT
END
node find.mjs > seen
diff expected seen && echo 'as found'
