#!/bin/sh
# undici 8.13.1, interceptors.responseError() and interceptors.retry(), on Node 26.10.0.
# With retry() around responseError() no status is ever repeated, although the retrying one stands outside: the error
# of the inner one carries a code that retry() does not know, and its status is not looked at. The other way round the
# 503 is repeated.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . undici@8.13.1

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import { Agent, interceptors, request } from 'undici'

let requests = 0
const server = createServer((_, answer) => {
  answer.statusCode = ++requests < 3 ? 503 : 200
  answer.end('done')
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const [retry, responseError] = [interceptors.retry({ minTimeout: 10 }), interceptors.responseError()]
for (const [name, chain] of [
  ['responseError around retry', [retry, responseError]],
  ['retry around responseError', [responseError, retry]],
]) {
  requests = 0
  const outcome = await request(`http://127.0.0.1:${server.address().port}/`, {
    dispatcher: new Agent().compose(...chain),
  }).then(
    ({ statusCode }) => statusCode,
    ({ code, statusCode }) => `${code} ${statusCode}`,
  )
  console.log(`${name}: ${outcome} after ${requests}`)
}
process.exit()
END
cat > expected <<'END'
responseError around retry: 200 after 3
retry around responseError: UND_ERR_RESPONSE 503 after 1
END
node find.mjs > seen
diff expected seen && echo 'as found'
