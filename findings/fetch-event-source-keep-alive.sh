#!/bin/sh
# @microsoft/fetch-event-source 2.0.1 and eventsource-client 1.2.0, on Node 26.10.0.
# A comment line keeps a connection open and is no message. fetchEventSource calls onmessage for it, with empty data. A
# handler that parses JSON throws there, which counts as a failed connection: the POST is sent again each second, before
# its first message is read, for as long as the service keeps connections open so.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  @microsoft/fetch-event-source@2.0.1 eventsource-client@1.2.0

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import { fetchEventSource } from '@microsoft/fetch-event-source'
import { createEventSource } from 'eventsource-client'

globalThis.document = { hidden: false, addEventListener() {}, removeEventListener() {} }
globalThis.window = globalThis
let posts = 0
const server = createServer(({ url }, answer) => {
  posts++
  answer.setHeader('content-type', 'text/event-stream')
  if (url === '/kept-alive') answer.write(': keep-alive\n\n')
  setTimeout(() => answer.end('data: {"done":true}\n\n'), 100)
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))

for (const path of ['/plain', '/kept-alive']) {
  const url = `http://127.0.0.1:${server.address().port}${path}`
  const stop = new AbortController()
  const read = ({ data }) => JSON.parse(data).done && stop.abort()
  posts = 0
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(2_500)])
  await fetchEventSource(url, { method: 'POST', body: '{}', signal, onmessage: read })
  console.log(`${path}: fetch-event-source: done ${stop.signal.aborted}, more than one POST: ${posts > 1}`)
  posts = 0
  const source = createEventSource({ url, method: 'POST', body: '{}' })
  for await (const { data } of source) if (JSON.parse(data).done) break
  source.close()
  console.log(`${path}: eventsource-client: done true, more than one POST: ${posts > 1}`)
}
process.exit()
END
cat > expected <<'END'
/plain: fetch-event-source: done true, more than one POST: false
/plain: eventsource-client: done true, more than one POST: false
/kept-alive: fetch-event-source: done false, more than one POST: true
/kept-alive: eventsource-client: done true, more than one POST: false
END
node find.mjs > seen
diff expected seen && echo 'as found'
