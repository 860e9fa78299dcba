#!/bin/sh
# mockttp 4.6.5, on Node 26.10.0.
# A reply that is given one header of its own, such as Retry-After, has no other: neither a length nor chunks, so that
# only the end of the connection ends it. A client opens a connection for each such answer, and what it does on a kept
# one is never tested. Without a header, and with thenJson, the connection is kept.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . mockttp@4.6.5

cat > find.mjs <<'END'
import { Agent, request } from 'node:http'
import { getLocal } from 'mockttp'

const server = getLocal()
await server.start()
await server.forGet('/none').thenReply(429, 'Later.')
await server.forGet('/one').thenReply(429, 'Later.', { 'Retry-After': '1' })
await server.forGet('/json').thenJson(429, { error: 'rate_limited' }, { 'Retry-After': '1' })

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
/** Sends a request when the connection of the one before is free; the headers and the local port. */
const get = (path) =>
  new Promise((resolve) =>
    request(server.url + path, { agent }, (answer) => {
      const { localPort } = answer.socket
      answer.resume().on('end', () => setTimeout(() => resolve([Object.keys(answer.headers), localPort]), 50))
    }).end(),
  )
for (const path of ['/none', '/one', '/json']) {
  const answers = [await get(path), await get(path), await get(path)]
  const connections = new Set(answers.map(([, port]) => port)).size
  console.log(`${path}: 3 requests on ${connections} connections, ${answers[0][0].toSorted().join(' ')}`)
}
process.exit()
END
cat > expected <<'END'
/none: 3 requests on 1 connections, connection date keep-alive transfer-encoding
/one: 3 requests on 3 connections, retry-after
/json: 3 requests on 1 connections, connection content-length content-type retry-after
END
node find.mjs > seen
diff expected seen && echo 'as found'
