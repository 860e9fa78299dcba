#!/bin/sh
# @readme/oas-to-har 38.5.1, oas 38.6.0, httpsnippet 3.0.10, on Node 26.10.0.
# A HAR holds the names and values of a query as they are. oas-to-har encodes them, and joins those of a list in one:
# what reads the HAR, here httpsnippet, encodes once more and asks for one tag `red&tag=blue`. A list in a form is
# joined by a comma, where OpenAPI has each value sent as a field.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @readme/oas-to-har@38.5.1 oas@38.6.0 httpsnippet@3.0.10

cat > find.mjs <<'END'
import oasToHar from '@readme/oas-to-har'
import { HTTPSnippet } from 'httpsnippet'
import Oas from 'oas'

const tags = { type: 'array', items: { type: 'string' } }
const content = { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties: { tag: tags } } } }
const parameters = [
  { in: 'query', name: 'tag', schema: tags },
  { in: 'query', name: 'since', schema: { type: 'string' } },
]
const document = Oas.init({
  openapi: '3.1.0',
  info: { title: 'Tasks', version: '1' },
  servers: [{ url: 'http://mocked.test' }],
  paths: { '/tasks': { get: { parameters, responses: {} }, post: { requestBody: { content }, responses: {} } } },
})
for (const [method, values] of [
  ['get', { query: { tag: ['red', 'blue'], since: '12:30' } }],
  ['post', { formData: { tag: ['red', 'blue'] } }],
]) {
  const { request } = oasToHar(document, document.operation('/tasks', method), values).log.entries[0]
  console.log(JSON.stringify(method === 'get' ? request.queryString : request.postData.params))
  console.log(new HTTPSnippet(request).convert('shell', 'curl').match(/--(?:url|data) '.*'/)[0])
}
END
cat > expected <<'END'
[{"name":"tag","value":"red&tag=blue"},{"name":"since","value":"12%3A30"}]
--url 'http://mocked.test/tasks?tag=red%26tag%3Dblue&since=12%253A30'
[{"name":"tag","value":"red,blue"}]
--data 'tag=red,blue'
END
node find.mjs > seen
diff expected seen && echo 'as found'
