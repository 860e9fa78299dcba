#!/bin/sh
# undici 8.13.1, MockAgent, on Node 26.10.0.
# A mocked answer with delay(1500) arrives although headersTimeout is 100 ms, so that a test of the time limit passes
# for a program without a working one and fails for one that has it; a real server is given up. AbortSignal is heeded.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . undici@8.13.1

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import { Agent, MockAgent, request } from 'undici'

const server = createServer((_, answer) => setTimeout(() => answer.end('late'), 1500)).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const origin = `http://127.0.0.1:${server.address().port}`
const mock = new MockAgent()
mock.get(origin).intercept({ path: '/' }).reply(200, 'late').delay(1500).persist()
const get = (dispatcher, options) =>
  request(`${origin}/`, { dispatcher, ...options })
    .then(({ body }) => body.text())
    .catch(({ name }) => name)

console.log('mock, headersTimeout:', await get(mock, { headersTimeout: 100 }))
console.log('mock, signal:', await get(mock, { signal: AbortSignal.timeout(100) }))
console.log('server, headersTimeout:', await get(new Agent(), { headersTimeout: 100 }))
process.exit()
END
cat > expected <<'END'
mock, headersTimeout: late
mock, signal: TimeoutError
server, headersTimeout: HeadersTimeoutError
END
node find.mjs > seen
diff expected seen && echo 'as found'
