#!/bin/sh
# openapi-to-postmanv2 6.3.3, on Node 26.10.0.
# The Postman collection that Postman's own package makes of an OpenAPI document with examples: an answer whose example
# is false or 0 has an empty body, beside `Content-Type: application/json`, where true and [] have theirs, and the text
# "on" stands without its quotes. A parameter whose value is JSON is empty, and an object in a form with files is
# `[object Object]`.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . openapi-to-postmanv2@6.3.3

cat > find.cjs <<'END'
const { convertV2 } = require('openapi-to-postmanv2')

const json = (example) => ({ description: 'answer', content: { 'application/json': { schema: {}, example } } })
const limits = { type: 'object', properties: { max: { type: 'integer' } }, example: { max: 5 } }
const data = {
  openapi: '3.0.3',
  info: { title: 'Tasks', version: '1' },
  servers: [{ url: 'https://api.test' }],
  paths: {
    '/tasks': {
      get: {
        parameters: [{ in: 'query', name: 'filter', content: { 'application/json': { schema: { type: 'object' }, example: { done: true } } } }],
        responses: { 200: json(true), 201: json(false), 202: json(0), 203: json('on'), 206: json([]) },
      },
      post: {
        requestBody: { content: { 'multipart/form-data': { schema: { type: 'object', properties: { limits } } } } },
        responses: { 204: { description: 'none' } },
      },
    },
  },
}
const options = { parametersResolution: 'Example', requestParametersResolution: 'Example', exampleParametersResolution: 'Example' }
convertV2({ type: 'json', data }, options, (error, { output }) => {
  const walk = (item) => {
    for (const inner of item.item ?? []) walk(inner)
    if (!item.request) return
    const { method, url, body } = item.request
    console.log(method, JSON.stringify(url.query.map(({ key, value }) => [key, value])), JSON.stringify(body.formdata?.map(({ key, value }) => [key, value])))
    for (const { code, header, body } of item.response) console.log(`  ${code}`, header?.map(({ value }) => value).join(), JSON.stringify(body))
  }
  walk(output[0].data)
})
END
cat > expected <<'END'
GET [["filter",""]] undefined
  200 application/json "true"
  201 application/json ""
  202 application/json ""
  203 application/json "on"
  206 application/json "[]"
POST [] [["limits","[object Object]"]]
  204  undefined
END
node find.cjs > seen 2> errors
diff expected seen && echo 'as found'
