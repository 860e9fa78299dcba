#!/bin/sh
# retry-axios 4.0.3 with axios 1.21.1, transformRequest, on Node 26.10.0.
# Its page says that it retries failed requests. With a transformRequest of one's own the repeat is another request:
# the body, already transformed, is transformed once more and then cut to the Content-Length of the first attempt. The
# service refuses what is left over, so that a 503 becomes a 400, which is not repeated. axios-retry 4.5.0 repeats what
# was sent.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . axios@1.21.1 axios-retry@4.5.0 retry-axios@4.0.3

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import axios from 'axios'
import axiosRetry from 'axios-retry'
import * as rax from 'retry-axios'

let bodies = []
const server = createServer(async (request, answer) => {
  let body = ''
  for await (const part of request) body += part
  bodies.push(body)
  answer.statusCode = bodies.length < 2 ? 503 : 200
  answer.end()
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))

function attachRax(client) {
  client.defaults.raxConfig = { retry: 2 }
  rax.attach(client)
}
for (const [name, attach] of [
  ['axios-retry', (client) => axiosRetry(client, { retries: 2 })],
  ['retry-axios', attachRax],
]) {
  bodies = []
  const client = axios.create({ transformRequest: [(data) => JSON.stringify({ task: data })] })
  attach(client)
  const outcome = await client.put(`http://127.0.0.1:${server.address().port}/`, { title: 'one' }).then(
    ({ status }) => status,
    ({ message }) => message,
  )
  console.log(`${name}: ${outcome}`)
  for (const body of bodies) console.log(`  received ${body}`)
}
process.exit()
END
cat > expected <<'END'
axios-retry: 200
  received {"task":{"title":"one"}}
  received {"task":{"title":"one"}}
retry-axios: Request failed with status code 400
  received {"task":{"title":"one"}}
  received {"task":"{\"task\":{\"ti
END
node find.mjs > seen
diff expected seen && echo 'as found'
