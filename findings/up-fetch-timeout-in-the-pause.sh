#!/bin/sh
# up-fetch 2.6.1, timeout and retry, on Node 26.10.0.
# By its guide each attempt has a time limit of its own. The limit of an attempt runs on in the pause that follows it:
# with a pause above the timeout a 503 is never repeated, and the caller is told of a timeout although the answer came at
# once. An attempt that did time out is repeated after the same pause.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . up-fetch@2.6.1

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import { up } from 'up-fetch'

let requests = 0
let isSlow = false
const server = createServer((_, answer) => {
  const isFirst = ++requests === 1
  answer.statusCode = isFirst ? 503 : 200
  setTimeout(() => answer.end('done'), isFirst && isSlow ? 1_500 : 0)
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const upfetch = up(fetch)

for (const [name, slow, options] of [
  ['503 at once, pause 1 s, timeout 3 s', false, { timeout: 3_000 }],
  ['503 at once, pause 1 s, timeout 0.5 s', false, { timeout: 500 }],
  ['timed out, pause 1 s, timeout 0.5 s', true, { timeout: 500 }],
]) {
  requests = 0
  isSlow = slow
  const retry = { attempts: 2, delay: 1_000, when: ({ response, error }) => error || response?.status === 503 }
  const outcome = await upfetch(`http://127.0.0.1:${server.address().port}/`, { ...options, retry }).catch(
    ({ name, status }) => status ?? name,
  )
  console.log(`${name}: ${outcome}, requests: ${requests}`)
}
process.exit()
END
cat > expected <<'END'
503 at once, pause 1 s, timeout 3 s: done, requests: 2
503 at once, pause 1 s, timeout 0.5 s: TimeoutError, requests: 1
timed out, pause 1 s, timeout 0.5 s: done, requests: 2
END
node find.mjs > seen
diff expected seen && echo 'as found'
