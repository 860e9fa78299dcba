#!/bin/sh
# @mswjs/source 0.5.0, fromTraffic(), with msw 2.15.0, on Node 26.10.0.
# A recorded URL is a URL. The playback takes it for a pattern of msw, in which :cancel is a parameter: the recorded
# answer to POST /tasks/1:cancel, a path in the style of Google's APIs, is played for /tasks/1:start and for /tasks/1x,
# so that a client which calls the wrong one is told that it was done.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @mswjs/source@0.5.0 msw@2.15.0

cat > find.mjs <<'END'
import { fromTraffic } from '@mswjs/source/traffic'
import { setupServer } from 'msw/node'

function record(path, text) {
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headers: [], headersSize: -1, bodySize: -1 }
  const content = { size: text.length, mimeType: 'text/plain', text }
  return {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 0,
    request: { ...common, method: 'POST', url: `http://localhost:3000${path}`, queryString: [] },
    response: { ...common, status: 200, statusText: 'OK', content, redirectURL: '' },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  }
}
const entries = [record('/tasks/1:cancel', 'canceled'), record('/tasks/1:start', 'started')]
const server = setupServer(...fromTraffic({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries } }))
server.listen({ onUnhandledRequest: 'error' })
for (const path of ['/tasks/1:cancel', '/tasks/1:start', '/tasks/1x']) {
  const answer = await fetch(`http://localhost:3000${path}`, { method: 'POST' })
  console.log(`POST ${path}: ${answer.status} ${await answer.text()}`)
}
server.close()
END
cat > expected <<'END'
POST /tasks/1:cancel: 200 canceled
POST /tasks/1:start: 200 canceled
POST /tasks/1x: 200 canceled
END
node --no-warnings find.mjs > seen
diff expected seen && echo 'as found'
