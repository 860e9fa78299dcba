#!/bin/sh
# to-json-schema 0.2.5, @jsonhero/schema-infer 0.1.5, ajv 8.20.0, ajv-formats 3.0.1, on Node 26.10.0.
# Both make a JSON Schema from a sample, which then should fit it. to-json-schema gives the text 10:00 the format
# `style` and each text of digits `utc-millisec`; its option `required` writes no list, as no draft since the fourth
# allows. schema-infer takes the year 2026 for a time and 2026-12 for a date, drops a null that stands in a list with
# others, and writes for an empty list that it has to stay empty. (It needs lodash, which it does not name.)
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  to-json-schema@0.2.5 @jsonhero/schema-infer@0.1.5 ajv@8.20.0 ajv-formats@3.0.1 lodash@4.17.21

cat > find.mjs <<'END'
import infer from '@jsonhero/schema-infer'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import toJsonSchema from 'to-json-schema'

const fits = (schema, value) => {
  const ajv = new Ajv2020({ strict: false, logger: false })
  addFormats.default(ajv)
  try {
    return ajv.validate(schema, value) ? 'fits' : `does not fit: ${ajv.errorsText()}`
  } catch (error) {
    return error.message
  }
}
const samples = [{ at: '10:00' }, { zip: '00420' }, { year: '2026' }, { month: '2026-12' }, { list: [1, 'a', null] }]
for (const sample of samples) {
  console.log(JSON.stringify(sample))
  const first = toJsonSchema(sample)
  console.log('  to-json-schema:', JSON.stringify(first.properties), fits(first, sample))
  const second = infer.inferSchema(sample).toJSONSchema()
  console.log('  schema-infer:', JSON.stringify(second.properties), fits(second, sample))
}
console.log('required:', fits(toJsonSchema({ id: 1 }, { required: true }), { id: 1 }))
console.log('another list:', fits(infer.inferSchema({ tags: [] }).toJSONSchema(), { tags: ['red'] }))
END
cat > expected <<'END'
{"at":"10:00"}
  to-json-schema: {"at":{"type":"string","format":"style"}} fits
  schema-infer: {"at":{"type":"string","format":"time"}} does not fit: data/at must match format "time"
{"zip":"00420"}
  to-json-schema: {"zip":{"type":"string","format":"utc-millisec"}} fits
  schema-infer: {"zip":{"type":"string"}} fits
{"year":"2026"}
  to-json-schema: {"year":{"type":"string","format":"utc-millisec"}} fits
  schema-infer: {"year":{"type":"string","format":"time"}} does not fit: data/year must match format "time"
{"month":"2026-12"}
  to-json-schema: {"month":{"type":"string"}} fits
  schema-infer: {"month":{"type":"string","format":"date"}} does not fit: data/month must match format "date"
{"list":[1,"a",null]}
  to-json-schema: {"list":{"type":"array"}} fits
  schema-infer: {"list":{"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"string"}]}}} does not fit: data/list/2 must be integer, data/list/2 must be string, data/list/2 must match a schema in anyOf
required: schema is invalid: data/properties/id/required must be array
another list: does not fit: data/tags/0 boolean schema is false
END
node find.mjs > seen
diff expected seen && echo 'as found'
