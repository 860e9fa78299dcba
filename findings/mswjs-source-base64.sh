#!/bin/sh
# @mswjs/source 0.5.0, fromTraffic(), with msw 2.15.0, on Node 26.10.0.
# HAR 1.2 marks a body that was recorded in base64 by `encoding`. The playback decodes it only if its type contains
# "text", and then takes each of its bytes for a character: JSON and pictures arrive as letters of base64, and a text
# has two characters for one that is not ASCII. The status and the Content-Type are right, and nothing is said.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @mswjs/source@0.5.0 msw@2.15.0

cat > find.mjs <<'END'
import { fromTraffic } from '@mswjs/source/traffic'
import { setupServer } from 'msw/node'

const recordings = [
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47])],
  ['application/json', Buffer.from('{"id":1}')],
  ['text/plain; charset=utf-8', Buffer.from('schön')],
]
function record([mimeType, bytes], index) {
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 }
  const content = { size: bytes.length, mimeType, encoding: 'base64', text: bytes.toString('base64') }
  const headers = [{ name: 'Content-Type', value: mimeType }]
  return {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 0,
    request: { ...common, method: 'GET', url: `http://localhost:3000/${index}`, headers: [], queryString: [] },
    response: { ...common, status: 200, statusText: 'OK', headers, content, redirectURL: '' },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  }
}
const entries = recordings.map(record)
const server = setupServer(...fromTraffic({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries } }))
server.listen({ onUnhandledRequest: 'error' })
for (const [index, [, bytes]] of recordings.entries()) {
  const answer = await fetch(`http://localhost:3000/${index}`)
  const played = Buffer.from(await answer.arrayBuffer())
  console.log(answer.headers.get('content-type'))
  console.log(`  recorded ${bytes.toString('hex')}`)
  console.log(`  played   ${played.toString('hex')} ${played}`)
}
server.close()
END
cat > expected <<'END'
image/png
  recorded 89504e47
  played   6956424f52773d3d iVBORw==
application/json
  recorded 7b226964223a317d
  played   65794a705a4349364d58303d eyJpZCI6MX0=
text/plain; charset=utf-8
  recorded 736368c3b66e
  played   736368c383c2b66e schÃ¶n
END
node --no-warnings find.mjs > seen
diff expected seen && echo 'as found'
