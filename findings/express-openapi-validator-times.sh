#!/bin/sh
# express-openapi-validator 5.6.2 with express 5.3.0, axios 1.21.1 and openapi-backend 5.21.2, on Node 26.10.0.
# A time as a query parameter with the format date-time: fetch with URLSearchParams encodes its colons, axios keeps them,
# as a query may have them. The validator answers axios with 400: the value "must be url encoded". A service that
# is tested with one client refuses each time, and each list with commas, of the other. openapi-backend takes both.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  axios@1.21.1 express@5.3.0 express-openapi-validator@5.6.2 openapi-backend@5.21.2

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import axios from 'axios'
import express from 'express'
import { middleware } from 'express-openapi-validator'
import { OpenAPIBackend } from 'openapi-backend'

const parameters = [{ name: 'since', in: 'query', schema: { type: 'string', format: 'date-time' } }]
const paths = { '/tasks': { get: { operationId: 'list', parameters, responses: { 200: { description: 'Tasks' } } } } }
const document = { openapi: '3.0.3', info: { title: 'Tasks', version: '1' }, paths }

const app = express()
app.use(middleware({ apiSpec: structuredClone(document) }))
app.get('/tasks', (_, answer) => answer.end('listed'))
app.use(({ status, message }, _, answer, __) => answer.status(status).end(message))
const handlers = { list: () => 'listed', validationFail: () => 'refused' }
const api = new OpenAPIBackend({ definition: document, handlers, ajvOpts: { logger: false } })
await api.init()
const plain = createServer(async ({ method, url: path }, answer) =>
  answer.end(await api.handleRequest({ method, path, headers: {} })),
)

const since = '2024-05-01T10:00:00Z'
for (const [name, listener] of [
  ['openapi-backend', plain],
  ['express-openapi-validator', createServer(app)],
]) {
  await new Promise((listening) => listener.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${listener.address().port}/tasks`
  const text = async (answer) => `${answer.status} ${await answer.text()}`
  console.log(`${name}, fetch: ${await fetch(`${url}?${new URLSearchParams({ since })}`).then(text)}`)
  const { status, data } = await axios.get(url, { params: { since }, validateStatus: null })
  console.log(`${name}, axios: ${status} ${data}`)
}
process.exit()
END
cat > expected <<'END'
openapi-backend, fetch: 200 listed
openapi-backend, axios: 200 listed
express-openapi-validator, fetch: 200 listed
express-openapi-validator, axios: 400 Parameter 'since' must be url encoded. Its value may not contain reserved characters.
END
node find.mjs > seen
diff expected seen && echo 'as found'
