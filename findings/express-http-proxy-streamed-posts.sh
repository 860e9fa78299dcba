#!/bin/sh
# express-http-proxy 2.1.2 and koa-better-http-proxy 0.2.10, with http-proxy-3 2.0.1, on Node 26.10.0.
# A POST whose length is not known, as fetch sends a stream, does not reach the service: the first two answer 400 by
# themselves, with an empty body. One with a length passes. A stream of events comes through koa-better-http-proxy when
# it is over.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . express@5.3.0 express-http-proxy@2.1.2 http-proxy-3@2.0.1 koa@3.3.0 koa-better-http-proxy@0.2.10

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import express from 'express'
import expressProxy from 'express-http-proxy'
import { createProxyServer } from 'http-proxy-3'
import Koa from 'koa'
import koaProxy from 'koa-better-http-proxy'

const listen = async (listener) => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((listening) => server.on('listening', listening))
  return server.address().port
}
const service = await listen(async (request, answer) => {
  let body = ''
  for await (const part of request) body += part
  if (request.method === 'POST') return answer.end(`got ${body}`)
  answer.setHeader('content-type', 'text/event-stream').write('data: 1\n\n')
  setTimeout(() => answer.end('data: 2\n\n'), 1500)
})
const target = `http://127.0.0.1:${service}`
const proxy = createProxyServer({ target })
for (const [name, listener] of [
  ['http-proxy-3', (request, answer) => proxy.web(request, answer)],
  ['express-http-proxy', express().use(expressProxy(target))],
  ['koa-better-http-proxy', new Koa().use(koaProxy('127.0.0.1', { port: service })).callback()],
]) {
  const url = `http://127.0.0.1:${await listen(listener)}/tasks`
  for (const [kind, body] of [['text', 'one'], ['stream', new Blob(['one']).stream()]]) {
    const answer = await fetch(url, { method: 'POST', body, duplex: 'half' })
    console.log(`${name}, ${kind}: ${answer.status} ${JSON.stringify(await answer.text())}`)
  }
  const begin = performance.now()
  const events = await fetch(url)
  for await (const _ of events.body) break
  console.log(`  first event ${performance.now() - begin < 1000 ? 'at once' : 'after the last one'}`)
}
process.exit()
END
cat > expected <<'END'
http-proxy-3, text: 200 "got one"
http-proxy-3, stream: 200 "got one"
  first event at once
express-http-proxy, text: 200 "got one"
express-http-proxy, stream: 400 ""
  first event at once
koa-better-http-proxy, text: 200 "got one"
koa-better-http-proxy, stream: 400 ""
  first event after the last one
END
node find.mjs > seen 2> errors
diff expected seen && echo 'as found'
