#!/bin/sh
# @openapi-contrib/json-schema-to-openapi-schema 4.3.4 with openapi-response-validator 12.1.3, on Node 26.10.0.
# "This schema or null", written as anyOf with $ref and null, becomes a $ref with `nullable` beside it. In OpenAPI 3.0
# what stands beside $ref is ignored: the document does not allow null any more, and a validator of answers refuses it. The
# same without $ref is converted right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  @openapi-contrib/json-schema-to-openapi-schema@4.3.4 openapi-response-validator@12.1.3

cat > find.mjs <<'END'
import { convert } from '@openapi-contrib/json-schema-to-openapi-schema'
import validator from 'openapi-response-validator'

const person = { type: 'object', properties: { name: { type: 'string' } } }
for (const [name, schema] of [
  ['inline', person],
  ['$ref', { $ref: '#/components/schemas/Person' }],
]) {
  const owner = { anyOf: [schema, { type: 'null' }] }
  const task = await convert({ type: 'object', properties: { owner } })
  const responses = { 200: { description: 'A task', content: { 'application/json': { schema: task } } } }
  const validate = new (validator.default ?? validator)({ responses, components: { schemas: { Person: person } } })
  console.log(`${name}: ${JSON.stringify(task.properties.owner)}`)
  for (const answer of [{ owner: { name: 'a' } }, { owner: null }])
    console.log(`${name}: ${JSON.stringify(answer)} ${validate.validateResponse(200, answer)?.message ?? 'is right'}`)
}
END
cat > expected <<'END'
inline: {"anyOf":[{"type":"object","properties":{"name":{"type":"string"}},"nullable":true}]}
inline: {"owner":{"name":"a"}} is right
inline: {"owner":null} is right
$ref: {"anyOf":[{"$ref":"#/components/schemas/Person","nullable":true}]}
$ref: {"owner":{"name":"a"}} is right
$ref: {"owner":null} The response was not valid.
END
node find.mjs > seen
diff expected seen && echo 'as found'
