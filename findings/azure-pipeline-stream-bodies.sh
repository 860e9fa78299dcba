#!/bin/sh
# @azure/core-rest-pipeline 1.25.1, on Node 26.10.0.
# Its retry policy sends a POST again too, after a 503 as after a lost connection. A body that is a stream was read by
# the first attempt: all further ones have an empty body, and when the service takes that, the status is 200. After a
# 307 it is the same. A function that makes a stream, which the type of a body also allows, is called for each attempt.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @azure/core-rest-pipeline@1.25.1

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { createDefaultHttpClient, createPipelineFromOptions, createPipelineRequest } from '@azure/core-rest-pipeline'

const first = {
  'a 503': (answer) => answer.writeHead(503).end(),
  'a lost connection': (answer) => answer.destroy(),
  'a 307': (answer) => answer.writeHead(307, { location: '/moved' }).end(),
}
let failure = ''
let sent = []
const server = createServer(async (request, answer) => {
  let body = ''
  for await (const part of request) body += part
  sent.push(`${request.method} "${body}"`)
  if (sent.length === 1) first[failure](answer)
  else answer.writeHead(200).end()
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))

const client = createDefaultHttpClient()
const pipeline = createPipelineFromOptions({ retryOptions: { retryDelayInMs: 10 } })
const stream = () => Readable.from(['task'])
const bodies = { text: () => 'task', stream, function: () => stream }
for (failure of Object.keys(first))
  for (const [name, make] of Object.entries(bodies)) {
    sent = []
    const url = `http://127.0.0.1:${server.address().port}/tasks`
    const request = createPipelineRequest({ url, method: 'POST', body: make(), allowInsecureConnection: true })
    const { status } = await pipeline.sendRequest(client, request)
    console.log(`${failure}, ${name}: ${sent.join(', ')}, status ${status}`)
  }
process.exit()
END
cat > expected <<'END'
a 503, text: POST "task", POST "task", status 200
a 503, stream: POST "task", POST "", status 200
a 503, function: POST "task", POST "task", status 200
a lost connection, text: POST "task", POST "task", status 200
a lost connection, stream: POST "task", POST "", status 200
a lost connection, function: POST "task", POST "task", status 200
a 307, text: POST "task", POST "task", status 200
a 307, stream: POST "task", POST "", status 200
a 307, function: POST "task", POST "task", status 200
END
node find.mjs > seen
diff expected seen && echo 'as found'
