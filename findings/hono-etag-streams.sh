#!/bin/sh
# hono 4.13.19, its etag middleware, with streamSSE, on Node 26.10.0.
# The middleware makes the ETag from the whole body, so an answer with it begins when the body is over: of a stream of
# events each arrives together with the last one, and of one that never ends none does. `app.request()` in a test shows
# the right events, as it waits for the end anyway.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . hono@4.13.19 @hono/node-server@2.1.9

cat > find.mjs <<'END'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { streamSSE } from 'hono/streaming'

const events = (context) =>
  streamSSE(context, async (stream) => {
    for (const data of ['1', '2']) {
      await stream.writeSSE({ data })
      await sleep(600)
    }
  })
const app = new Hono().get('/plain', events).use(etag()).get('/etag', events)
const address = { port: 0, hostname: '127.0.0.1' }
const { port } = await new Promise((listening) => serve({ fetch: app.fetch, ...address }, listening))
for (const path of ['/plain', '/etag']) {
  const begin = performance.now()
  let text = ''
  for await (const part of (await fetch(`http://127.0.0.1:${port}${path}`)).body) {
    const late = performance.now() - begin > 1000
    if (text === '') console.log(`${path}: the first event arrives ${late ? 'after the last' : 'at once'}`)
    text += Buffer.from(part)
  }
  console.log(`${path}: ${JSON.stringify(text)}`)
}
process.exit()
END
cat > expected <<'END'
/plain: the first event arrives at once
/plain: "data: 1\n\ndata: 2\n\n"
/etag: the first event arrives after the last
/etag: "data: 1\n\ndata: 2\n\n"
END
node find.mjs > seen
diff expected seen && echo 'as found'
