#!/bin/sh
# orval 8.38.0 with axios 1.21.1, its clients "fetch" and "axios-functions", on Node 26.10.0.
# From one document it writes clients that send different requests. A JSON body of the string "on" or of false goes out right
# with fetch; with axios as a form with the name on, and as an empty form. An object in the query, whose members are to
# be parameters by the document's default, is "[object Object]" with fetch; with axios "filter[done]". Both compile.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . axios@1.21.1 esbuild@0.28.2 orval@8.38.0

cat > api.json <<'END'
{ "openapi": "3.0.3", "info": { "title": "Switches", "version": "1" }, "paths": {
  "/name": { "put": { "operationId": "name", "responses": { "204": { "description": "Done" } },
    "requestBody": { "content": { "application/json": { "schema": { "type": "string" } } } } } },
  "/on": { "put": { "operationId": "turn", "responses": { "204": { "description": "Done" } },
    "requestBody": { "content": { "application/json": { "schema": { "type": "boolean" } } } } } },
  "/list": { "get": { "operationId": "list", "responses": { "204": { "description": "None" } }, "parameters": [
    { "name": "filter", "in": "query", "schema": { "type": "object", "properties": { "done": { "type": "boolean" } } } }] } } } }
END
node_modules/.bin/orval --input api.json --output fetch.ts --client fetch > log
node_modules/.bin/orval --input api.json --output axios.ts --client axios-functions > log
node_modules/.bin/esbuild --bundle --format=esm --log-level=error --outfile=one.mjs fetch.ts
node_modules/.bin/esbuild --bundle --format=esm --log-level=error --external:axios --outfile=two.mjs axios.ts

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import axios from 'axios'
import * as one from './one.mjs'
import * as two from './two.mjs'

let client = ''
const server = createServer(async (request, answer) => {
  let body = ''
  for await (const part of request) body += part
  const type = request.headers['content-type'] ?? ''
  console.log(`${client}: ${decodeURIComponent(request.url).replace('+', ' ')} ${type} ${body}`.trimEnd())
  answer.writeHead(204).end()
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const base = `http://127.0.0.1:${server.address().port}`
const { fetch } = globalThis
globalThis.fetch = (path, options) => fetch(base + path, options)
axios.defaults.baseURL = base
for (const [name, { name: rename, turn, list }] of [
  ['fetch', one],
  ['axios', two],
]) {
  client = name
  await rename('on')
  await turn(false)
  await list({ filter: { done: true } })
}
process.exit()
END
cat > expected <<'END'
fetch: /name application/json "on"
fetch: /on application/json false
fetch: /list?filter=[object Object]
axios: /name application/x-www-form-urlencoded on
axios: /on application/x-www-form-urlencoded
axios: /list?filter[done]=true
END
node find.mjs > seen
diff expected seen && echo 'as found'
