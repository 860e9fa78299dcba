#!/bin/sh
# koa-ratelimit 6.0.0 with its `driver: 'memory'`, on Node 26.10.0.
# A client that waits the seconds of `Retry-After` is refused again: they are rounded down, so that it is 1 with 1.9 s
# left, and 0 in the last second, while the body says 2. `X-RateLimit-Reset` is a number of seconds with six digits of a
# fraction, which readers of whole numbers do not take.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . koa@3.3.0 koa-ratelimit@6.0.0

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import Koa from 'koa'
import limit from 'koa-ratelimit'

const service = new Koa()
service.use(limit({ driver: 'memory', db: new Map(), duration: 2000, max: 1, id: () => 'key' }))
service.use((context) => (context.body = 'done'))
const server = createServer(service.callback()).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
for (const name of ['first', 'second', 'after Retry-After']) {
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/tasks`)
  const wait = answer.headers.get('retry-after')
  const reset = answer.headers.get('x-ratelimit-reset')
  console.log(`${name}: ${answer.status}, Retry-After ${wait}, a reset in ${/^\d+$/.test(reset) ? 'whole seconds' : 'parts of a second'}, ${(await answer.text()).replace(/\d{3} ms/, '9.. ms')}`)
  if (wait !== null) await new Promise((later) => setTimeout(later, wait * 1000))
}
server.close()
server.closeAllConnections()
END
cat > expected <<'END'
first: 200, Retry-After null, a reset in parts of a second, done
second: 429, Retry-After 1, a reset in parts of a second, Rate limit exceeded, retry in 2 seconds.
after Retry-After: 429, Retry-After 0, a reset in parts of a second, Rate limit exceeded, retry in 9.. ms.
END
node find.mjs > seen
diff expected seen && echo 'as found'
