#!/bin/sh
# openapi-client-axios 7.9.1 with axios 1.21.1, on Node 26.10.0.
# The client is made from the document, but does not look at the type of a body there: an operation that takes a form is
# sent JSON, and a file in a multipart form arrives as {}, without an error. Lists in the query are sent as
# "tags[]", which the document's default, tags=red&tags=blue, does not know. The client of swagger-client 3.39.0 heeds all.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  axios@1.21.1 openapi-client-axios@7.9.1 swagger-client@3.39.0

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import { OpenAPIClientAxios } from 'openapi-client-axios'
import SwaggerClient from 'swagger-client'

let client = ''
const server = createServer(async (request, answer) => {
  const [type] = (request.headers['content-type'] ?? 'no body').split(';')
  let body = ''
  for await (const part of request) body += part
  if (type.startsWith('multipart')) body = `a file of "${/\r\n\r\n(.*)\r\n/.exec(body)[1]}"`
  console.log(`${client}: ${decodeURIComponent(request.url)} ${type} ${body}`.trimEnd())
  answer.writeHead(204).end()
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))

const responses = { 204: { description: 'Done' } }
const list = { type: 'array', items: { type: 'string' } }
const body = (type, name, schema) => ({
  content: { [type]: { schema: { type: 'object', properties: { [name]: schema } } } },
})
const form = body('application/x-www-form-urlencoded', 'title', { type: 'string' })
const upload = body('multipart/form-data', 'file', { type: 'string', format: 'binary' })
const paths = {
  '/tasks': {
    get: { operationId: 'list', parameters: [{ name: 'tags', in: 'query', schema: list }], responses },
    post: { operationId: 'add', requestBody: form, responses },
  },
  '/files': { post: { operationId: 'upload', requestBody: upload, responses } },
}
const servers = [{ url: `http://127.0.0.1:${server.address().port}` }]
const document = { openapi: '3.0.3', info: { title: 'Tasks', version: '1' }, servers, paths }

const tags = ['red', 'blue']
const title = 'a task'
const file = new File(['text'], 'a.txt')
client = 'openapi-client-axios'
const one = await new OpenAPIClientAxios({ definition: structuredClone(document) }).init()
await one.list({ tags })
await one.add(null, { title })
await one.upload(null, { file })
client = 'swagger-client'
const { apis } = await SwaggerClient({ spec: structuredClone(document) })
await apis.default.list({ tags })
await apis.default.add({}, { requestBody: { title } })
await apis.default.upload({}, { requestBody: { file } })
process.exit()
END
cat > expected <<'END'
openapi-client-axios: /tasks?tags[]=red&tags[]=blue no body
openapi-client-axios: /tasks application/json {"title":"a task"}
openapi-client-axios: /files application/json {"file":{}}
swagger-client: /tasks?tags=red&tags=blue no body
swagger-client: /tasks application/x-www-form-urlencoded title=a%20task
swagger-client: /files multipart/form-data a file of "text"
END
node find.mjs > seen
diff expected seen && echo 'as found'
