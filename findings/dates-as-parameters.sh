#!/bin/sh
# @better-fetch/fetch 1.3.3, fetchff 4.2.0, needle 3.5.0, swagger-client 3.39.0, and axios 1.21.1, on Node 26.10.0.
# A Date as a parameter: axios sends it in ISO 8601. The others take it too, without an error, and send no date that a
# service can read: in quotes, not at all, or in the place of its own name.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  @better-fetch/fetch@1.3.3 axios@1.21.1 fetchff@4.2.0 needle@3.5.0 swagger-client@3.39.0

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import { betterFetch } from '@better-fetch/fetch'
import axios from 'axios'
import { fetchf } from 'fetchff'
import needle from 'needle'
import SwaggerClient from 'swagger-client'

let seen = ''
const server = createServer(async (request, answer) => {
  let body = ''
  for await (const part of request) body += part
  seen = decodeURIComponent(request.url.split('?')[1] ?? '') || body
  answer.end()
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const url = `http://127.0.0.1:${server.address().port}`
const parameters = ['page', 'since'].map((name) => ({ name, in: 'query', schema: {} }))
const list = { operationId: 'list', parameters, responses: { 200: { description: 'Tasks' } } }
const spec = { openapi: '3.0.3', info: { title: 'Tasks', version: '1' }, servers: [{ url }], paths: { '/': { get: list } } }
const { apis } = await SwaggerClient({ spec })

const query = { page: 1, since: new Date('2024-05-01') }
for (const [name, send] of [
  ['axios', () => axios.get(url, { params: query })],
  ['better-fetch', () => betterFetch(url, { query })],
  ['fetchff', () => fetchf(url, { params: query })],
  ['swagger-client', () => apis.default.list(query)],
  ['needle, form', () => needle('post', url, query)],
]) {
  await send()
  console.log(`${name}: ${seen}`)
}
process.exit()
END
cat > expected <<'END'
axios: page=1&since=2024-05-01T00:00:00.000Z
better-fetch: page=1&since="2024-05-01T00:00:00.000Z"
fetchff: page=1
swagger-client: page=1
needle, form: page=1&2024-05-01T00:00:00.000Z
END
node find.mjs > seen
diff expected seen && echo 'as found'
