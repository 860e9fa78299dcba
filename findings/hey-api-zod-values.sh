#!/bin/sh
# @hey-api/openapi-ts 0.99.0, its zod plugin, zod 4.6.7, with orval 8.38.0 and ajv 8.20.0, on Node 26.10.0.
# Schemas that it makes of an OpenAPI document refuse a date-time with an offset, which a service may send as well as one
# with Z, and null where an enum has it. They take `true` and "5" for an int64, and 7 for a multiple of 5. Those of
# orval take and refuse what the document does.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  orval@8.38.0 @hey-api/openapi-ts@0.99.0 zod@4.6.7 ajv@8.20.0 ajv-formats@3.0.1 esbuild@0.28.2 typescript@5.9.3

cat > make.mjs <<'END'
import { writeFileSync } from 'node:fs'

export const cases = {
  Due: [{ type: 'string', format: 'date-time' }, ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05+02:00']],
  State: [{ enum: ['open', null] }, ['open', null]],
  Count: [{ type: 'integer', format: 'int64' }, [5, true, '5']],
  Step: [{ type: 'integer', multipleOf: 5 }, [5, 7]],
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
import formats from 'ajv-formats'
import * as heyApi from './hey-api/made.mjs'
import { cases } from './make.mjs'
import * as orval from './made.mjs'

const ajv = formats.default(new Ajv({ strict: false }))
const told = (taken) => (taken ? 'takes it' : 'refuses it')
for (const [name, [schema, values]] of Object.entries(cases))
  for (const value of values) {
    const byAjv = told(ajv.validate(schema, value))
    const byOrval = told(orval[`${name}Response`].safeParse(value).success)
    const byHeyApi = told(heyApi[`z${name}`].safeParse(value).success)
    console.log(`${name} ${JSON.stringify(value)}: ajv ${byAjv}, orval ${byOrval}, hey-api ${byHeyApi}`)
  }
END
cat > expected <<'END'
Due "2026-01-02T03:04:05Z": ajv takes it, orval takes it, hey-api takes it
Due "2026-01-02T03:04:05+02:00": ajv takes it, orval takes it, hey-api refuses it
State "open": ajv takes it, orval takes it, hey-api takes it
State null: ajv takes it, orval takes it, hey-api refuses it
Count 5: ajv takes it, orval takes it, hey-api takes it
Count true: ajv refuses it, orval refuses it, hey-api takes it
Count "5": ajv refuses it, orval refuses it, hey-api takes it
Step 5: ajv takes it, orval takes it, hey-api takes it
Step 7: ajv refuses it, orval refuses it, hey-api takes it
END
node find.mjs > seen
diff expected seen && echo 'as found'
