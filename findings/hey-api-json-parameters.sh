#!/bin/sh
# @hey-api/openapi-ts 0.99.0, its fetch client, on Node 26.10.0.
# A query parameter whose `content` is application/json is one value of JSON by the OpenAPI Specification. The generated
# function sends its members as parameters of their own and its name not at all, so that a member named "page" takes
# the place of the parameter "page". oazapfts 7.5.0 sends the JSON.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  esbuild@0.28.2 @hey-api/openapi-ts@0.99.0 oazapfts@7.5.0 @oazapfts/runtime@1.2.0 typescript@5.9.3

cat > api.json <<'END'
{ "openapi": "3.0.3", "info": { "title": "Tasks", "version": "1" }, "servers": [{ "url": "http://127.0.0.1:23055" }],
  "paths": { "/tasks": { "get": { "operationId": "list", "parameters": [
      { "name": "page", "in": "query", "schema": { "type": "integer" } },
      { "name": "filter", "in": "query", "content": { "application/json": { "schema": {
        "type": "object", "properties": { "page": { "type": "string" }, "done": { "type": "boolean" } } } } } }],
    "responses": { "204": { "description": "None" } } } } } }
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
const server = createServer(({ url }, answer) => {
  console.log(`${client}: ${decodeURIComponent(url)}`)
  answer.writeHead(204).end()
}).listen(23055, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const query = { page: 2, filter: { page: 'home', done: false } }
client = 'oazapfts'
await one.list(query)
client = 'hey-api'
await two.list({ query })
process.exit()
END
cat > expected <<'END'
oazapfts: /tasks?page=2&filter={"page":"home","done":false}
hey-api: /tasks?page=2&page=home&done=false
END
node find.mjs > seen
diff expected seen && echo 'as found'
