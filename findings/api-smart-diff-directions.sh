#!/bin/sh
# api-smart-diff 1.0.6, on Node 26.10.0.
# It says which changes of an OpenAPI document are breaking, and knows the direction: a further value of an `enum` is
# breaking in an answer and not in a request. Of other changes it says the opposite: a number in place of an integer is
# breaking in a request, which then takes more, and not in an answer; an answer that may be null is not, nor is a
# request that refuses further members.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . api-smart-diff@1.0.6

cat > find.mjs <<'END'
import { createRequire } from 'node:module'

const { compareOpenApi } = createRequire(import.meta.url)('api-smart-diff')
const content = () => ({
  'application/json': {
    schema: {
      type: 'object',
      properties: { count: { type: 'integer' }, state: { type: 'string', enum: ['open', 'done'] } },
    },
  },
})
const document = () => ({
  openapi: '3.0.3',
  info: { title: 'Tasks', version: '1' },
  paths: {
    '/tasks': {
      post: { requestBody: { content: content() }, responses: { 200: { description: 'A task', content: content() } } },
    },
  },
})
for (const [what, change] of Object.entries({
  'a further value': ({ properties }) => properties.state.enum.push('late'),
  'integer becomes number': ({ properties }) => (properties.count.type = 'number'),
  'may be null': ({ properties }) => (properties.count.nullable = true),
  'no further members': (schema) => (schema.additionalProperties = false),
}))
  for (const part of ['request', 'answer']) {
    const target = document()
    const { requestBody, responses } = target.paths['/tasks'].post
    change((part === 'request' ? requestBody : responses[200]).content['application/json'].schema)
    console.log(`${what}, ${part}: ${compareOpenApi(document(), target).diffs.map(({ type }) => type).join(', ')}`)
  }
END
cat > expected <<'END'
a further value, request: non-breaking
a further value, answer: breaking
integer becomes number, request: breaking
integer becomes number, answer: non-breaking
may be null, request: breaking
may be null, answer: non-breaking
no further members, request: non-breaking
no further members, answer: breaking
END
node find.mjs > seen
diff expected seen && echo 'as found'
