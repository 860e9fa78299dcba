#!/bin/sh
# @dmitryrechkin/json-schema-to-zod 1.0.1, @composio/json-schema-to-zod 0.3.3, zod 3.25.76, ajv 8.20.0, on Node 26.10.0.
# Two packages that make zod schemas of JSON Schemas. The first drops without an error the length and the pattern of a
# text, the limits of a number and `const`, and takes what fits two parts of a `oneOf`; the second does as ajv does.
# Both refuse members that the schema does not describe, which JSON Schema allows.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  @dmitryrechkin/json-schema-to-zod@1.0.1 @composio/json-schema-to-zod@0.3.3 zod@3.25.76 ajv@8.20.0

cat > find.mjs <<'END'
import { jsonSchemaToZod } from '@composio/json-schema-to-zod'
import { JSONSchemaToZod } from '@dmitryrechkin/json-schema-to-zod'
import Ajv from 'ajv'

const schema = {
  type: 'object',
  properties: {
    currency: { type: 'string', minLength: 3, maxLength: 3, pattern: '^[A-Z]+$' },
    count: { type: 'integer', minimum: 1, maximum: 5 },
    kind: { const: 'task' },
    size: { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 5 }] },
    state: { type: 'string', enum: ['open', 'done'] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
  },
  required: ['currency'],
}
const first = JSONSchemaToZod.convert(schema)
const second = jsonSchemaToZod(schema)
const validate = new Ajv({ strict: false }).compile(schema)
console.log('ajv, @composio, @dmitryrechkin')
for (const more of [
  ...[{}, { currency: 'euros' }, { currency: 'eur' }, { count: 0 }, { count: 9 }, { kind: 'list' }, { size: 7 }],
  ...[{ state: 'late' }, { tags: ['a', 'b', 'c'] }, { note: 'new' }],
]) {
  const value = { currency: 'EUR', ...more }
  const found = [validate(value), second.safeParse(value).success, first.safeParse(value).success]
  console.log(`${JSON.stringify(more)}: ${found.join(', ')}`)
}
END
cat > expected <<'END'
ajv, @composio, @dmitryrechkin
{}: true, true, true
{"currency":"euros"}: false, false, true
{"currency":"eur"}: false, false, true
{"count":0}: false, false, true
{"count":9}: false, false, true
{"kind":"list"}: false, false, true
{"size":7}: false, false, true
{"state":"late"}: false, false, false
{"tags":["a","b","c"]}: false, false, false
{"note":"new"}: true, false, false
END
node find.mjs > seen
diff expected seen && echo 'as found'
