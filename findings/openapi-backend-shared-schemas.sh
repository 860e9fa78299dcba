#!/bin/sh
# openapi-backend 5.21.2, validateResponse(), on Node 26.10.0.
# Its page shows how to validate responses: validateResponse(c.response, c.operation). A right body is refused there as
# soon as two statuses of the operation share a schema, 200 and 201 or two errors, since it has to match exactly one.
# With a status as third argument the body is accepted, but so is any body for a status that the document does not
# have.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . openapi-backend@5.21.2

cat > find.mjs <<'END'
import { OpenAPIBackend } from 'openapi-backend'

const task = {
  description: 'A task',
  content: {
    'application/json': { schema: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } },
  },
}
const one = { get: { operationId: 'getTask', responses: { 200: task } } }
const two = { put: { operationId: 'putTask', responses: { 200: task, 201: task } } }
const api = new OpenAPIBackend({
  definition: { openapi: '3.0.3', info: { title: 'Tasks', version: '1' }, paths: { '/task': { ...one, ...two } } },
})
await api.init()
for (const [operation, body, ...status] of [
  ['getTask', { id: 1 }],
  ['putTask', { id: 1 }],
  ['putTask', { id: 1 }, 201],
  ['putTask', { id: 'one' }, 201],
  ['putTask', { id: 'one' }, 202],
]) {
  const { errors } = api.validateResponse(body, operation, ...status)
  console.log(operation, JSON.stringify(body), ...status, '->', errors?.map(({ message }) => message) ?? 'valid')
}
END
cat > expected <<'END'
getTask {"id":1} -> valid
putTask {"id":1} -> [ 'must match exactly one schema in oneOf' ]
putTask {"id":1} 201 -> valid
putTask {"id":"one"} 201 -> [ 'must be integer' ]
putTask {"id":"one"} 202 -> valid
END
node find.mjs > seen
diff expected seen && echo 'as found'
