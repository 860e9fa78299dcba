#!/bin/sh
# @scalar/postman-to-openapi 0.7.14 with ajv 8.20.0, on Node 26.10.0.
# An answer that a collection has saved, of the type application/json, is documented with the schema "string", next to
# the list that it is; a request body that is a string with the schema "object". Whoever validates by the document, or
# mocks with it, refuses the very answers that it was made from. Both examples are kept.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @scalar/postman-to-openapi@0.7.14 ajv@8.20.0

cat > find.mjs <<'END'
import { convert } from '@scalar/postman-to-openapi'
import { Ajv } from 'ajv'

const header = [{ key: 'Content-Type', value: 'application/json' }]
const url = (name) => ({ raw: `http://a.test/${name}`, protocol: 'http', host: ['a', 'test'], path: [name] })
const options = { raw: { language: 'json' } }
const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const saved = [{ name: 'ok', code: 200, status: 'OK', header, body: '[{"id":1}]' }]
const put = { method: 'PUT', header, url: url('name'), body: { mode: 'raw', raw: '"kitchen"', options } }
const { paths } = convert({
  info: { name: 'Tasks', schema },
  item: [
    { name: 'List', request: { method: 'GET', url: url('tasks') }, response: saved },
    { name: 'Rename', request: put, response: [] },
  ],
})
const answer = paths['/tasks'].get.responses[200].content['application/json']
console.log('answer, example:', JSON.stringify(Object.values(answer.examples)[0]))
console.log('answer, schema:', JSON.stringify(answer.schema), new Ajv().validate(answer.schema, JSON.parse(saved[0].body)))
const body = paths['/name'].put.requestBody.content['application/json']
console.log('body, example:', JSON.stringify(Object.values(body.examples)[0].value))
console.log('body, schema:', JSON.stringify(body.schema), new Ajv().validate(body.schema, JSON.parse(put.body.raw)))
END
cat > expected <<'END'
answer, example: [{"id":1}]
answer, schema: {"type":"string"} false
body, example: "\"kitchen\""
body, schema: {"type":"object"} false
END
node find.mjs > seen
diff expected seen && echo 'as found'
