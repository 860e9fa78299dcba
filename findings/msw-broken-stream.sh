#!/bin/sh
# msw 3.0.5, setupServer with a body that breaks in the middle, on Node 26.10.0.
# The global fetch takes what came before the break for a whole answer and reports no error; node:http, got and axios
# report the same answer as aborted. A test that mocks a cut answer shows nothing to a program that uses fetch; a real
# server that breaks off makes fetch throw.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . msw@3.0.5 got@16.1.0 axios@1.21.1

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import axios from 'axios'
import got from 'got'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'

const brokenBody = () =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('half'))
      setTimeout(() => controller.error(new Error('broken')), 200)
    },
  })
const clients = {
  fetch: async (url) => (await fetch(url)).text(),
  got: (url) => got(url, { retry: { limit: 0 } }).text(),
  axios: async (url) => (await axios(url)).data,
}
async function show(name, url) {
  for (const [client, get] of Object.entries(clients))
    console.log(`${name}, ${client}:`, await get(url).catch(() => 'error'))
}

const msw = setupServer(http.get('http://mocked.test/', () => new HttpResponse(brokenBody())))
msw.listen()
await show('mock', 'http://mocked.test/')
msw.close()

const server = createServer((_, answer) => {
  answer.write('half')
  setTimeout(() => answer.destroy(), 200)
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
await show('server', `http://127.0.0.1:${server.address().port}/`)
process.exit()
END
cat > expected <<'END'
mock, fetch: half
mock, got: error
mock, axios: error
server, fetch: error
server, got: error
server, axios: error
END
node find.mjs > seen
diff expected seen && echo 'as found'
