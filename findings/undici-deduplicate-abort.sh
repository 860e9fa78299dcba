#!/bin/sh
# undici 8.13.1, interceptors.deduplicate(), on Node 26.10.0.
# Two callers request the same URL at once and share one request. When the first gives up by its own signal, the
# second fails too, although it has no signal and its answer was on the way; nothing is requested again for it.
# The other way round a second caller keeps none of its own limits: its headersTimeout of 50 ms is not applied.
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
  requests++
  setTimeout(() => answer.end('done'), 800)
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const dispatcher = new Agent().compose(interceptors.deduplicate())
const get = (options) =>
  request(`http://127.0.0.1:${server.address().port}/`, { dispatcher, ...options })
    .then(({ body }) => body.text())
    .catch((error) => error.name)

const hasty = new AbortController()
const pair = [get({ signal: hasty.signal }), get({})]
setTimeout(() => hasty.abort(), 200)
console.log('one of two gives up:', ...(await Promise.all(pair)), 'after', requests, 'request')
requests = 0
const limited = [get({}), get({ headersTimeout: 50 })]
console.log('the second has a limit of 50 ms:', ...(await Promise.all(limited)), 'after', requests, 'request')
process.exit()
END
cat > expected <<'END'
one of two gives up: AbortError AbortError after 1 request
the second has a limit of 50 ms: done done after 1 request
END
node find.mjs > seen
diff expected seen && echo 'as found'
