#!/bin/sh
# postman2openapi 1.2.1, on Node 26.10.0.
# A Postman collection may have the URL of a request as an object or as a text: a request of the latter kind is not in
# the OpenAPI document, without an error. Parameters and headers that are switched off are in it like the others. Bodies
# in `application/merge-patch+json` and answers in `application/problem+json` are described as `application/json`, an
# answer in `text/csv` beside one in JSON is left out.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . postman2openapi@1.2.1

cat > find.mjs <<'END'
import { transpile } from 'postman2openapi'

const url = (path, ...query) => ({ raw: `https://api.test/${path}`, protocol: 'https', host: ['api', 'test'], path: path.split('/'), query })
const type = (value) => [{ key: 'Content-Type', value }]
const saved = (code, value, body) => ({ name: `${code}`, code, header: type(value), body })
const document = transpile({
  info: { name: 'Tasks', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  item: [
    {
      name: 'list',
      request: { method: 'GET', url: url('tasks', { key: 'limit', value: '5' }, { key: 'old', value: '1', disabled: true }) },
      response: [saved(200, 'application/json', '[]'), saved(200, 'text/csv', 'id\n1'), saved(404, 'application/problem+json', '{"title":"none"}')],
    },
    { name: 'change', request: { method: 'PATCH', url: url('tasks'), header: type('application/merge-patch+json'), body: { mode: 'raw', raw: '{"due":null}' } } },
    { name: 'drop', request: { method: 'DELETE', url: 'https://api.test/tasks' } },
  ],
})
for (const [path, item] of Object.entries(document.paths))
  for (const [method, operation] of Object.entries(item)) {
    console.log(method, path, JSON.stringify(operation.parameters?.map(({ name }) => name)), JSON.stringify(Object.keys(operation.requestBody?.content ?? {})))
    for (const [status, answer] of Object.entries(operation.responses)) console.log(`  ${status}`, JSON.stringify(Object.keys(answer.content ?? {})))
  }
END
cat > expected <<'END'
get /tasks ["limit","old"] []
  200 ["application/json"]
  404 ["application/json"]
patch /tasks undefined ["application/json"]
  200 []
END
node find.mjs > seen
diff expected seen && echo 'as found'
