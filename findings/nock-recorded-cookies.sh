#!/bin/sh
# nock 15.0.6, its recorder and define(), with fetch, on Node 26.10.0.
# Of two Set-Cookie headers in a recorded answer the playback gives the second alone, and the reason phrase becomes the
# usual one of the status.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . nock@15.0.6

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import nock from 'nock'

const server = createServer((_, answer) => {
  answer.writeHead(200, 'Fine', { 'set-cookie': ['session=1', 'theme=dark'] })
  answer.end()
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
async function show(name) {
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/`)
  await answer.text()
  console.log(name, answer.statusText, answer.headers.getSetCookie())
}

nock.restore()
nock.recorder.rec({ output_objects: true, dont_print: true })
await show('recorded')
await new Promise((recorded) => setTimeout(recorded, 200))
const recording = nock.recorder.play()
nock.recorder.clear()
nock.restore()
nock.activate()
nock.define(recording)
await show('played')
process.exit()
END
cat > expected <<'END'
recorded Fine [ 'session=1', 'theme=dark' ]
played OK [ 'theme=dark' ]
END
node find.mjs > seen
diff expected seen && echo 'as found'
