#!/bin/sh
# openapi-schema-diff 0.0.1, on Node 26.10.0.
# `isEqual` is true, says its page, if the target has no breaking changes. It is true where a body that could be left
# out becomes required, where an answer without a body goes, and where the operation needs a key. It is false where an
# answer gets a further property, which its readers may ignore.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . openapi-schema-diff@0.0.1

cat > find.mjs <<'END'
import { createRequire } from 'node:module'

const compare = createRequire(import.meta.url)('openapi-schema-diff')
const content = () => ({ 'application/json': { schema: { type: 'object', properties: { title: { type: 'string' } } } } })
const document = () => ({
  openapi: '3.0.3',
  info: { title: 'Tasks', version: '1' },
  paths: {
    '/tasks': {
      post: {
        requestBody: { content: content() },
        responses: { 201: { description: 'Made', content: content() }, 409: { description: 'Exists' } },
      },
    },
  },
})
const changes = {
  'nothing': () => {},
  'the body becomes required': ({ post }) => (post.requestBody.required = true),
  '409 goes': ({ post }) => delete post.responses[409],
  '201 becomes 202': ({ post }) => {
    post.responses[202] = post.responses[201]
    delete post.responses[201]
  },
  'a key is needed': ({ post }, whole) => {
    whole.components = { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } }
    post.security = [{ key: [] }]
  },
  'the answer gets a property': ({ post }) =>
    (post.responses[201].content['application/json'].schema.properties.due = { type: 'string' }),
}
for (const [what, change] of Object.entries(changes)) {
  const target = document()
  change(target.paths['/tasks'], target)
  const { isEqual } = compare(document(), target)
  console.log(`${what}: isEqual ${isEqual}`)
}
END
cat > expected <<'END'
nothing: isEqual true
the body becomes required: isEqual true
409 goes: isEqual true
201 becomes 202: isEqual false
a key is needed: isEqual true
the answer gets a property: isEqual false
END
node find.mjs > seen
diff expected seen && echo 'as found'
