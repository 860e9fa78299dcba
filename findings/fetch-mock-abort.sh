#!/bin/sh
# fetch-mock 12.6.0 with AbortSignal.timeout(), on Node 26.10.0.
# A mocked request that its time limit ends rejects with an AbortError; the real fetch gives the reason of the signal, a
# TimeoutError, by which programs tell a limit from a user who gave up. A signal that aborts once the headers are there
# does nothing: the body is read to its end, where the real one rejects.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . fetch-mock@12.6.0

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import fetchMock from 'fetch-mock'

async function show(name, slow, streamed) {
  const limit = await fetch(slow, { signal: AbortSignal.timeout(200) }).catch((error) => error.name)
  console.log(`${name}, time limit: ${limit}`)
  const giving = new AbortController()
  const answer = await fetch(streamed, { signal: giving.signal })
  giving.abort()
  console.log(`${name}, abort in the body: ${await answer.text().catch((error) => error.name)}`)
}

fetchMock.mockGlobal()
fetchMock.route('http://mocked.test/slow', 'body', { delay: 1_500 })
fetchMock.route('http://mocked.test/streamed', 'body')
await show('mock', 'http://mocked.test/slow', 'http://mocked.test/streamed')
fetchMock.unmockGlobal()

const server = createServer(({ url }, answer) => {
  if (url === '/streamed') answer.write('bo')
  setTimeout(() => answer.end('dy'), 1_500)
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const origin = `http://127.0.0.1:${server.address().port}`
await show('server', `${origin}/slow`, `${origin}/streamed`)
process.exit()
END
cat > expected <<'END'
mock, time limit: AbortError
mock, abort in the body: body
server, time limit: TimeoutError
server, abort in the body: AbortError
END
node find.mjs > seen
diff expected seen && echo 'as found'
