#!/bin/sh
# @readme/postman-to-openapi 4.1.0, on Node 26.10.0.
# The OpenAPI document that it makes of a Postman collection. A body in JSON with a type of its own, as a merge patch,
# is a text of any type, whose example has quotes around it; so has that of a plain text. Saved answers are text/plain,
# whatever their `Content-Type`. Of two POSTs to one path, with different names, the last one is left.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @readme/postman-to-openapi@4.1.0

cat > find.mjs <<'END'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const module = createRequire(import.meta.url)('@readme/postman-to-openapi')
const convert = module.default ?? module
const url = { raw: 'https://api.test/tasks', protocol: 'https', host: ['api', 'test'], path: ['tasks'] }
const item = (name, method, type, raw, response) => ({
  name, response, request: { method, url, header: [{ key: 'Content-Type', value: type }], body: { mode: 'raw', raw } },
})
writeFileSync('collection.json', JSON.stringify({
  info: { name: 'Tasks', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  item: [
    item('change', 'PATCH', 'application/merge-patch+json', '{"due":null}', [
      { name: 'done', code: 200, header: [{ key: 'Content-Type', value: 'application/json' }], body: '{"id":1}' },
      { name: 'none', code: 404, header: [{ key: 'Content-Type', value: 'application/problem+json' }], body: '{"title":"none"}' },
    ]),
    item('note', 'PUT', 'text/plain', 'red'),
    item('make', 'POST', 'application/xml', '<task/>'),
    item('make many', 'POST', 'application/x-ndjson', '{"id":1}'),
  ],
}))
await convert('collection.json', 'document.json', { outputFormat: 'json' })
const document = JSON.parse(readFileSync('document.json', 'utf8'))
for (const [method, operation] of Object.entries(document.paths['/tasks'])) {
  console.log(method, operation.summary, JSON.stringify(operation.requestBody.content))
  for (const [status, { content }] of Object.entries(operation.responses)) console.log(`  ${status}`, JSON.stringify(content))
}
END
cat > expected <<'END'
patch change {"*/*":{"schema":{"type":"string","example":"\"{\\\"due\\\":null}\""}}}
  200 {"text/plain":{"schema":{"type":"string"},"example":"{\"id\":1}"}}
  404 {"text/plain":{"schema":{"type":"string"},"example":"{\"title\":\"none\"}"}}
put note {"*/*":{"schema":{"type":"string","example":"\"red\""}}}
  200 {"application/json":{}}
post make many {"*/*":{"schema":{"type":"string","example":"\"{\\\"id\\\":1}\""}}}
  200 {"application/json":{}}
END
node find.mjs > seen
diff expected seen && echo 'as found'
