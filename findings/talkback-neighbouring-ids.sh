#!/bin/sh
# talkback 4.2.0, on Node 26.10.0.
# Its page says that differences in formatting are ignored when tapes are compared. Bodies are compared as numbers of
# JavaScript: two requests for different ids of 19 digits, as many services make them, are one request. Already while it
# records, the second never reaches the service and gets the answer to the first.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . talkback@4.2.0

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import talkback from 'talkback'

const service = createServer(async (request, answer) => {
  let body = ''
  for await (const part of request) body += part
  answer.end(`cancelled ${body}`)
}).listen(0, '127.0.0.1')
await new Promise((listening) => service.on('listening', listening))

const host = `http://127.0.0.1:${service.address().port}`
const proxy = talkback({ host, port: 23052, path: './tapes', record: 'NEW', silent: true, summary: false })
await proxy.start()
const headers = { 'content-type': 'application/json' }
for (const body of ['{"id":1001}', '{"id":1002}', '{"id":1850000000000000001}', '{"id":1850000000000000002}']) {
  const answer = await fetch('http://127.0.0.1:23052/cancel', { method: 'POST', headers, body })
  console.log(`${body} -> ${await answer.text()}`)
}
await proxy.close()
process.exit()
END
cat > expected <<'END'
{"id":1001} -> cancelled {"id":1001}
{"id":1002} -> cancelled {"id":1002}
{"id":1850000000000000001} -> cancelled {"id":1850000000000000001}
{"id":1850000000000000002} -> cancelled {"id":1850000000000000001}
END
node find.mjs > seen
diff expected seen && echo 'as found'
