#!/bin/sh
# fetch-cookie 3.2.0 around Node's fetch, on Node 26.10.0.
# Its page: with a library that implements the standard of fetch one should be fine. Given a Request instead of a URL
# with options, it follows a redirect with nothing of it: after a 307 or 308, which keep the method and the body, a
# POST arrives as a GET without body and headers, and the caller gets its answer with status 200.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . fetch-cookie@3.2.0

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import makeFetchCookie from 'fetch-cookie'

const server = createServer(async (request, answer) => {
  let body = ''
  for await (const part of request) body += part
  if (request.url === '/moved') return answer.writeHead(308, { Location: '/tasks' }).end()
  answer.end(`${request.method} ${request.headers['x-trace']} ${body}`)
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))

const url = `http://127.0.0.1:${server.address().port}/moved`
const options = { method: 'POST', headers: { 'X-Trace': '1' }, body: 'one' }
const fetchCookie = makeFetchCookie(fetch)
for (const [name, send] of [
  ['fetch, options', () => fetch(url, options)],
  ['fetch, Request', () => fetch(new Request(url, options))],
  ['fetch-cookie, options', () => fetchCookie(url, options)],
  ['fetch-cookie, Request', () => fetchCookie(new Request(url, options))],
]) {
  const answer = await send()
  console.log(`${name}: ${answer.status}, received: ${(await answer.text()).trimEnd()}`)
}
process.exit()
END
cat > expected <<'END'
fetch, options: 200, received: POST 1 one
fetch, Request: 200, received: POST 1 one
fetch-cookie, options: 200, received: POST 1 one
fetch-cookie, Request: 200, received: GET undefined
END
node find.mjs > seen
diff expected seen && echo 'as found'
