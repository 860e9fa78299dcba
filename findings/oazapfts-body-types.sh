#!/bin/sh
# oazapfts 7.5.0 with @oazapfts/runtime 1.2.0, on Node 26.10.0.
# The generated function sends a body of application/merge-patch+json as application/json, which a service that
# heeds the type refuses or takes for a replacement; and a form with the list ["red","blue"] as the one field "red,blue",
# while a list in the query, with the same defaults, is two values. hey-api's client sends both as the document says.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  esbuild@0.28.2 @hey-api/openapi-ts@0.99.0 oazapfts@7.5.0 @oazapfts/runtime@1.2.0 typescript@5.9.3

cat > api.json <<'END'
{ "openapi": "3.0.3", "info": { "title": "Tasks", "version": "1" }, "servers": [{ "url": "http://127.0.0.1:23054" }],
  "paths": { "/tasks": {
    "patch": { "operationId": "change", "requestBody": { "content": { "application/merge-patch+json": { "schema": {
      "type": "object", "properties": { "due": { "type": "string", "nullable": true } } } } } },
      "responses": { "204": { "description": "Changed" } } },
    "post": { "operationId": "tag", "parameters": [
        { "name": "tags", "in": "query", "schema": { "type": "array", "items": { "type": "string" } } }],
      "requestBody": { "content": { "application/x-www-form-urlencoded": { "schema": {
      "type": "object", "properties": { "tags": { "type": "array", "items": { "type": "string" } } } } } } },
      "responses": { "204": { "description": "Tagged" } } } } } }
END
node_modules/.bin/oazapfts api.json one.ts
node_modules/.bin/openapi-ts --input api.json --output two --client @hey-api/client-fetch --silent
node_modules/.bin/esbuild --bundle --format=esm --log-level=error --outfile=one.mjs one.ts
node_modules/.bin/esbuild --bundle --format=esm --log-level=error --outfile=two.mjs two/index.ts

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import * as one from './one.mjs'
import * as two from './two.mjs'

let client = ''
const server = createServer(async (request, answer) => {
  let body = ''
  for await (const part of request) body += part
  console.log(`${client}: ${request.method} ${request.url} ${request.headers['content-type']} ${body}`)
  answer.writeHead(204).end()
}).listen(23054, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const due = { due: null }
const tags = { tags: ['red', 'blue'] }
client = 'oazapfts'
await one.change(due)
await one.tag(tags, tags)
client = 'hey-api'
await two.change({ body: due })
await two.tag({ body: tags, query: tags })
process.exit()
END
cat > expected <<'END'
oazapfts: PATCH /tasks application/json {"due":null}
oazapfts: POST /tasks?tags=red&tags=blue application/x-www-form-urlencoded tags=red,blue
hey-api: PATCH /tasks application/merge-patch+json {"due":null}
hey-api: POST /tasks?tags=red&tags=blue application/x-www-form-urlencoded tags=red&tags=blue
END
node find.mjs > seen
diff expected seen && echo 'as found'
