#!/bin/sh
# undici 8.13.1, SnapshotAgent with fetch, on Node 26.10.0.
# An answer with two Set-Cookie headers is played back with one, in which both are joined by a comma; a cookie jar
# then finds one cookie. The status text of a played answer is undefined, which no Response of a server ever has.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . undici@8.13.1

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import { fetch, SnapshotAgent } from 'undici'

const server = createServer((_, answer) => {
  answer.writeHead(200, 'Fine', { 'set-cookie': ['session=1', 'theme=dark'] })
  answer.end()
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))

for (const mode of ['record', 'playback']) {
  const dispatcher = new SnapshotAgent({ mode, snapshotPath: 'snapshots.json' })
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/`, { dispatcher })
  await answer.text()
  console.log(mode, answer.statusText, answer.headers.getSetCookie())
  if (mode === 'record') await dispatcher.close()
}
process.exit()
END
cat > expected <<'END'
record Fine [ 'session=1', 'theme=dark' ]
playback undefined [ 'session=1, theme=dark' ]
END
NODE_NO_WARNINGS=1 node find.mjs > seen
diff expected seen && echo 'as found'
