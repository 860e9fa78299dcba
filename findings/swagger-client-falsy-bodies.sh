#!/bin/sh
# swagger-client 3.39.0, on Node 26.10.0.
# A request body that is false or 0 is not sent, and neither is its type: the service gets an empty PUT of an operation
# whose body is required, and nobody is told. true and 1 are sent. openapi-fetch 0.17.0 sends each.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . openapi-fetch@0.17.0 swagger-client@3.39.0

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import createClient from 'openapi-fetch'
import SwaggerClient from 'swagger-client'

let seen = ''
const server = createServer(async (request, answer) => {
  let body = ''
  for await (const part of request) body += part
  seen = `${request.headers['content-type'] ?? 'no type'} ${body || 'no body'}`
  answer.writeHead(204).end()
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))

const requestBody = { required: true, content: { 'application/json': { schema: {} } } }
const put = { operationId: 'put', requestBody, responses: { 204: { description: 'Done' } } }
const url = `http://127.0.0.1:${server.address().port}`
const info = { title: 'Switches', version: '1' }
const spec = { openapi: '3.0.3', info, servers: [{ url }], paths: { '/on': { put } } }

const { apis } = await SwaggerClient({ spec })
const other = createClient({ baseUrl: url })
for (const body of [true, false, 1, 0]) {
  await apis.default.put({}, { requestBody: body })
  console.log(`swagger-client ${body}: ${seen}`)
  await other.PUT('/on', { body })
  console.log(`openapi-fetch ${body}: ${seen}`)
}
process.exit()
END
cat > expected <<'END'
swagger-client true: application/json true
openapi-fetch true: application/json true
swagger-client false: no type no body
openapi-fetch false: application/json false
swagger-client 1: application/json 1
openapi-fetch 1: application/json 1
swagger-client 0: no type no body
openapi-fetch 0: application/json 0
END
node find.mjs > seen
diff expected seen && echo 'as found'
