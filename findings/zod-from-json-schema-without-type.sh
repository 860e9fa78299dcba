#!/bin/sh
# zod 4.6.7, z.fromJSONSchema(), with ajv 8.20.0, on Node 26.10.0.
# A keyword that it cannot keep, such as `not` or `if`, makes it throw. A part of a schema that names no `type` is taken for
# "anything" without a word, so three everyday forms change their meaning: `allOf` with a part that only makes a
# property required accepts what lacks it, and "one of these two properties" by `oneOf` refuses each object.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ajv@8.20.0 zod@4.6.7

cat > find.mjs <<'END'
import { Ajv } from 'ajv'
import * as z from 'zod'

const task = { type: 'object', properties: { id: { type: 'integer' }, title: { type: 'string' } } }
const contact = { type: 'object', properties: { mail: { type: 'string' }, phone: { type: 'string' } } }
const cases = {
  'required in allOf': [{ allOf: [task, { required: ['id'] }] }, { title: 'a' }],
  'properties in allOf': [{ ...task, allOf: [{ properties: { due: { type: 'string' } } }] }, { due: 5 }],
  'oneOf two properties': [{ ...contact, oneOf: [{ required: ['mail'] }, { required: ['phone'] }] }, { mail: 'a' }],
}
for (const [name, [schema, value]] of Object.entries(cases)) {
  const { success } = z.fromJSONSchema(schema).safeParse(value)
  console.log(`${name}: ${JSON.stringify(value)} ajv ${new Ajv({ strict: false }).validate(schema, value)}, zod ${success}`)
}
for (const schema of [{ not: { required: ['id'] } }, { type: 'object', if: { required: ['id'] } }])
  try {
    console.log(z.fromJSONSchema(schema).safeParse({}).success)
  } catch ({ message }) {
    console.log(`${Object.keys(schema).at(-1)}: ${/not supported/.exec(message)}`)
  }
END
cat > expected <<'END'
required in allOf: {"title":"a"} ajv false, zod true
properties in allOf: {"due":5} ajv false, zod true
oneOf two properties: {"mail":"a"} ajv true, zod false
not: not supported
if: not supported
END
node find.mjs > seen
diff expected seen && echo 'as found'
