#!/bin/sh
# @asyncapi/converter 2.0.2, @asyncapi/parser 3.6.6, on Node 26.10.0.
# Both are of the makers of AsyncAPI. The converter makes an AsyncAPI document of an OpenAPI one. An answer in JSON or
# in CSV becomes one message, in that of the two that comes last, and the header of a request without a body is gone; no
# warning says so. A query parameter becomes one of a channel whose address has none of that name, which the parser then
# calls an error.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @asyncapi/converter@2.0.2 @asyncapi/parser@3.6.6

cat > find.mjs <<'END'
import converter from '@asyncapi/converter'
import asyncapi from '@asyncapi/parser'

const schema = { type: 'integer' }
const document = {
  openapi: '3.0.0',
  info: { title: 'Tasks', version: '1' },
  servers: [{ url: 'https://api.test/v1' }],
  paths: {
    '/tasks/{id}': {
      get: {
        operationId: 'getTask',
        parameters: [
          { name: 'id', in: 'path', required: true, schema },
          { name: 'fields', in: 'query', schema: { type: 'string' } },
          { name: 'X-Team', in: 'header', schema: { type: 'string' } },
        ],
        responses: {
          200: {
            description: 'The task',
            content: { 'application/json': { schema: { type: 'object' } }, 'text/csv': { schema: { type: 'string' } } },
          },
        },
      },
    },
  },
}
console.warn = console.log
const made = converter.convertOpenAPI(document, '3.0.0', { perspective: 'server' })
const [channel] = Object.values(made.channels)
console.log('parameters:', JSON.stringify(channel.parameters))
for (const message of Object.values(channel.messages))
  console.log('message:', message.contentType, JSON.stringify(message.payload.schema))
console.log('says X-Team:', JSON.stringify(made).includes('X-Team'))
const { diagnostics } = await new asyncapi.Parser().parse(made)
for (const { severity, message, path } of diagnostics)
  if (severity < 2 && path[0] === 'channels') console.log(severity === 0 ? 'error:' : 'warning:', message)
END
cat > expected <<'END'
parameters: {"id":{"description":"Path parameter id"},"fields":{"location":"$message.header#/fields"}}
message: text/csv {"type":"string"}
says X-Team: false
error: Channel's "parameters" object has redundant defined "fields" parameter.
END
node find.mjs > seen
diff expected seen && echo 'as found'
