#!/bin/sh
# swagger-typescript-api 13.13.0, its fetch client, on Node 26.10.0.
# The generated function puts a path parameter into the path as it is: the key "a/b" asks for another path, and what
# follows "?" is a query; a query parameter of the same client is encoded. And an answer of text/csv, which the function
# promises as a string, is null, with status 200 and no error. The client that oazapfts 7.5.0 writes gets both right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  esbuild@0.28.2 oazapfts@7.5.0 @oazapfts/runtime@1.2.0 swagger-typescript-api@13.13.0

cat > api.json <<'END'
{ "openapi": "3.0.3", "info": { "title": "Files", "version": "1" }, "servers": [{ "url": "http://127.0.0.1:23053" }],
  "paths": { "/files/{key}": { "get": { "operationId": "getFile",
    "parameters": [{ "name": "key", "in": "path", "required": true, "schema": { "type": "string" } },
      { "name": "label", "in": "query", "schema": { "type": "string" } }],
    "responses": { "200": { "description": "A table",
      "content": { "text/csv": { "schema": { "type": "string" } } } } } } } } }
END
node_modules/.bin/swagger-typescript-api generate --path api.json --output . --name one.ts --silent > log 2>&1 || cat log
node_modules/.bin/oazapfts api.json two.ts
node_modules/.bin/esbuild --bundle --format=esm --log-level=error --outfile=one.mjs one.ts
node_modules/.bin/esbuild --bundle --format=esm --log-level=error --outfile=two.mjs two.ts

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import { Api } from './one.mjs'
import { getFile } from './two.mjs'

const asked = []
const server = createServer(({ url }, answer) => {
  asked.push(url)
  answer.setHeader('content-type', 'text/csv')
  answer.end('id\n1\n')
}).listen(23053, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const api = new Api()
for (const key of ['plain', 'a/b', 'why?']) {
  const query = { label: key }
  const one = await api.files.getFile(key, query)
  console.log(`swagger-typescript-api: ${asked.pop()} -> ${one.status} ${JSON.stringify(one.data)}`)
  const two = await getFile(key, query)
  console.log(`oazapfts: ${asked.pop()} -> ${two.status} ${JSON.stringify(two.data)}`)
}
process.exit()
END
cat > expected <<'END'
swagger-typescript-api: /files/plain?label=plain -> 200 null
oazapfts: /files/plain?label=plain -> 200 "id\n1\n"
swagger-typescript-api: /files/a/b?label=a%2Fb -> 200 null
oazapfts: /files/a%2Fb?label=a%2Fb -> 200 "id\n1\n"
swagger-typescript-api: /files/why??label=why%3F -> 200 null
oazapfts: /files/why%3F?label=why%3F -> 200 "id\n1\n"
END
node find.mjs > seen
diff expected seen && echo 'as found'
