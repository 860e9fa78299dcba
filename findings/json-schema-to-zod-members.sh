#!/bin/sh
# json-schema-to-zod 2.8.1, @n8n/json-schema-to-zod 1.16.0, zod 3.25.76, ajv 8.20.0, on Node 26.10.0.
# The first writes zod schemas as code, the second makes them. By JSON Schema `patternProperties` says nothing of
# members that fit no pattern: both hold these to it too. A `const` that is an object or a list fits no value at all.
# And they drop without an error `required` where no property is described, `contains`, `minProperties` and, without a
# `type` beside it, `minimum`.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  json-schema-to-zod@2.8.1 @n8n/json-schema-to-zod@1.16.0 zod@3.25.76 ajv@8.20.0

cat > find.mjs <<'END'
import { createRequire } from 'node:module'
import Ajv from 'ajv'
import { z } from 'zod'

const require = createRequire(import.meta.url)
const { jsonSchemaToZod } = require('json-schema-to-zod')
const n8n = require('@n8n/json-schema-to-zod')
for (const [schema, ...values] of [
  [{ type: 'object', patternProperties: { '^n-': { type: 'integer' } } }, { 'n-a': 1 }, { title: 'c' }],
  [{ const: { at: 1 } }, { at: 1 }],
  [{ const: ['a'] }, ['a']],
  [{ type: 'object', required: ['id'] }, {}],
  [{ type: 'array', contains: { type: 'integer' } }, ['a']],
  [{ type: 'object', minProperties: 1 }, {}],
  [{ minimum: 3 }, 2],
]) {
  console.log(JSON.stringify(schema))
  const code = jsonSchemaToZod(schema)
  const written = new Function('z', `return ${code}`)(z)
  const made = n8n.jsonSchemaToZod(schema)
  for (const value of values) {
    const right = new Ajv({ strict: false }).validate(schema, value)
    const found = [right, written.safeParse(value).success, made.safeParse(value).success]
    console.log(`  ${JSON.stringify(value)}: ajv, json-schema-to-zod, n8n: ${found.join(', ')}`)
  }
}
END
cat > expected <<'END'
{"type":"object","patternProperties":{"^n-":{"type":"integer"}}}
  {"n-a":1}: ajv, json-schema-to-zod, n8n: true, true, true
  {"title":"c"}: ajv, json-schema-to-zod, n8n: true, false, false
{"const":{"at":1}}
  {"at":1}: ajv, json-schema-to-zod, n8n: true, false, false
{"const":["a"]}
  ["a"]: ajv, json-schema-to-zod, n8n: true, false, false
{"type":"object","required":["id"]}
  {}: ajv, json-schema-to-zod, n8n: false, true, true
{"type":"array","contains":{"type":"integer"}}
  ["a"]: ajv, json-schema-to-zod, n8n: false, true, true
{"type":"object","minProperties":1}
  {}: ajv, json-schema-to-zod, n8n: false, true, true
{"minimum":3}
  2: ajv, json-schema-to-zod, n8n: false, true, true
END
node find.mjs > seen
diff expected seen && echo 'as found'
