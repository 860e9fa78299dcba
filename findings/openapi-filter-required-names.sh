#!/bin/sh
# openapi-filter 3.2.3, on Node 26.10.0.
# It takes what is marked as internal out of an OpenAPI document. A property that it takes out stays in `required`: a
# task with what the public document describes does not fit it. A schema that is but a reference to one that was taken
# out stays, and leads nowhere, where one within a list is gone; and an operation keeps a tag that the document no
# longer has.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . openapi-filter@3.2.3

cat > find.cjs <<'END'
const library = require('openapi-filter')

const internal = { 'x-internal': true }
const ref = { $ref: '#/components/schemas/Internal' }
const filtered = (library.filter ?? library.default)({
  openapi: '3.0.3',
  info: { title: 'Tasks', version: '1' },
  tags: [{ name: 'tasks' }, { name: 'audit', ...internal }],
  paths: { '/tasks': { get: { tags: ['tasks', 'audit'], responses: { 204: { description: 'None' } } } } },
  components: {
    schemas: {
      Task: {
        type: 'object',
        required: ['title', 'cost'],
        properties: { title: { type: 'string' }, cost: { type: 'integer', ...internal } },
      },
      Internal: { type: 'string', ...internal },
      Alias: ref,
      Choice: { oneOf: [ref, { type: 'string' }] },
    },
  },
}, { flags: ['x-internal'] })
console.log('tags:', JSON.stringify(filtered.tags), JSON.stringify(filtered.paths['/tasks'].get.tags))
for (const name of Object.keys(filtered.components.schemas))
  console.log(`${name}:`, JSON.stringify(filtered.components.schemas[name]))
END
cat > expected <<'END'
tags: [{"name":"tasks"}] ["tasks","audit"]
Task: {"type":"object","required":["title","cost"],"properties":{"title":{"type":"string"}}}
Alias: {"$ref":"#/components/schemas/Internal"}
Choice: {"oneOf":[{"type":"string"}]}
END
node find.cjs > seen
diff expected seen && echo 'as found'
