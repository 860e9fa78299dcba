#!/bin/sh
# orval 8.38.0, its zod client, @hey-api/openapi-ts 0.99.0, its zod plugin, zod 4.6.7, with ajv 8.20.0, on Node 26.10.0.
# The schemas that both make of an OpenAPI document take answers that the document refuses: a required property that
# has a default may be missing, and is filled in, further properties pass where `additionalProperties` is false, and a
# value that fits two parts of a `oneOf` passes. Where further properties are described, they are neither checked nor
# kept.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  orval@8.38.0 @hey-api/openapi-ts@0.99.0 zod@4.6.7 ajv@8.20.0 esbuild@0.28.2 typescript@5.9.3

cat > make.mjs <<'END'
import { writeFileSync } from 'node:fs'

const integer = { type: 'integer' }
export const cases = {
  Defaulted: [{ type: 'object', required: ['page'], properties: { page: { ...integer, default: 1 } } }, {}],
  Closed: [{ type: 'object', properties: { page: integer }, additionalProperties: false }, { page: 1, size: 9 }],
  Either: [{ oneOf: [integer, { type: 'number', minimum: 5 }] }, 7],
  Labels: [{ type: 'object', properties: { id: integer }, additionalProperties: { type: 'string' } }, { id: 1, size: 9 }],
  Kept: [{ type: 'object', properties: { id: integer }, additionalProperties: { type: 'string' } }, { id: 1, size: 'big' }],
}
const answer = (name) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } })
const paths = Object.fromEntries(Object.keys(cases).map((name) => [
  `/${name}`,
  { get: { operationId: name, responses: { 200: { description: 'Good', content: answer(name) } } } },
]))
const schemas = Object.fromEntries(Object.entries(cases).map(([name, [schema]]) => [name, schema]))
const document = { openapi: '3.1.0', info: { title: 'Tasks', version: '1' }, paths, components: { schemas } }
writeFileSync('api.json', JSON.stringify(document))
writeFileSync('orval.config.mjs', `export default ${JSON.stringify({
  tasks: { input: './api.json', output: { target: './orval.ts', client: 'zod', mode: 'single' } } })}`)
END
node make.mjs
node_modules/.bin/orval --config orval.config.mjs > log 2>&1
node_modules/.bin/openapi-ts --input api.json --output hey-api --plugins zod --silent
for name in orval.ts hey-api/zod.gen.ts; do
  node_modules/.bin/esbuild --format=esm --log-level=error --outfile="$(dirname "$name")/made.mjs" "$name"
done

cat > find.mjs <<'END'
import { Ajv } from 'ajv'
import * as heyApi from './hey-api/made.mjs'
import { cases } from './make.mjs'
import * as orval from './made.mjs'

const told = ({ success, data }) => (success ? `takes ${JSON.stringify(data)}` : 'refuses')
for (const [name, [schema, value]] of Object.entries(cases)) {
  const ajv = new Ajv({ strict: false }).validate(schema, value) ? 'takes it' : 'refuses it'
  const by = [orval[`${name}Response`], heyApi[`z${name}`]].map((made) => told(made.safeParse(value)))
  console.log(`${name} ${JSON.stringify(value)}: ajv ${ajv}, orval ${by[0]}, hey-api ${by[1]}`)
}
END
cat > expected <<'END'
Defaulted {}: ajv refuses it, orval takes {"page":1}, hey-api takes {"page":1}
Closed {"page":1,"size":9}: ajv refuses it, orval takes {"page":1}, hey-api takes {"page":1}
Either 7: ajv refuses it, orval takes 7, hey-api takes 7
Labels {"id":1,"size":9}: ajv refuses it, orval takes {"id":1}, hey-api takes {"id":1}
Kept {"id":1,"size":"big"}: ajv takes it, orval takes {"id":1}, hey-api takes {"id":1}
END
node find.mjs > seen
diff expected seen && echo 'as found'
