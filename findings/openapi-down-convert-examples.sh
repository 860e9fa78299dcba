#!/bin/sh
# @apiture/openapi-down-convert 0.14.2, on Node 26.10.0.
# From OpenAPI 3.1 to 3.0 it rewrites keywords of a schema, and also members of that name in the data of an `example`, a
# `default` and an `enum`: where an API takes a JSON Schema, as one that registers tools does, the example of the
# request is another request. A property that is called `const` is renamed to `enum` in the schema itself.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @apiture/openapi-down-convert@0.14.2

cat > find.mjs <<'END'
import { Converter } from '@apiture/openapi-down-convert'

const tool = { name: 'pay', input: { type: ['string', 'null'], const: 'EUR', examples: ['EUR'], $comment: 'a currency' } }
const schema = {
  type: 'object',
  properties: { const: { type: 'string' }, count: { const: 1 } },
  default: tool,
  enum: [tool],
}
const document = {
  openapi: '3.1.0',
  info: { title: 'Tools', version: '1' },
  servers: [{ url: 'http://mocked.test' }],
  paths: { '/tools': { post: {
    requestBody: { content: { 'application/json': { schema, example: tool } } },
    responses: { 204: { description: 'None' } },
  } } },
}
const content = new Converter(document).convert().paths['/tools'].post.requestBody.content['application/json']
console.log('properties', JSON.stringify(content.schema.properties))
for (const [name, data] of [
  ['example', content.example],
  ['default', content.schema.default],
  ['enum', content.schema.enum[0]],
])
  console.log(name, JSON.stringify(data.input))
END
cat > expected <<'END'
properties {"count":{"enum":[1]},"enum":[{"type":"string"}]}
example {"type":"string","example":"EUR","enum":["EUR"],"nullable":true}
default {"type":"string","example":"EUR","enum":["EUR"],"nullable":true}
enum {"type":"string","example":"EUR","enum":["EUR"],"nullable":true}
END
node find.mjs > seen
diff expected seen && echo 'as found'
