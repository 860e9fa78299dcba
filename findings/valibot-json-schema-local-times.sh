#!/bin/sh
# @valibot/to-json-schema 1.8.0 with valibot 1.5.0, ajv 8.20.0 and ajv-formats 3.0.1, on Node 26.10.0.
# Valibot's isoDateTime() and isoTime() take times without a zone only; their JSON Schema has the formats "date-time" and
# "time", which need one. No value passes both: what the document allows the service refuses, and the other way round. Its
# page marks both actions as supported. The schema that zod writes for its own local time agrees with zod.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  @valibot/to-json-schema@1.8.0 ajv@8.20.0 ajv-formats@3.0.1 valibot@1.5.0 zod@4.6.7

cat > find.mjs <<'END'
import { toJsonSchema } from '@valibot/to-json-schema'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import * as v from 'valibot'
import * as z from 'zod'

const ajv = formats.default(new Ajv())
function show(name, schema, takes, values) {
  for (const value of values)
    console.log(`${name}: ${value}: itself ${takes(value)}, its schema ${ajv.validate(schema, value)}`)
}
const times = { isoDateTime: ['2024-05-01T10:00', '2024-05-01T10:00:00Z'], isoTime: ['10:00', '10:00:00Z'] }
for (const [action, values] of Object.entries(times)) {
  const schema = v.pipe(v.string(), v[action]())
  show(`valibot ${action}`, toJsonSchema(schema), (value) => v.is(schema, value), values)
}
const local = z.iso.datetime({ local: true, offset: false })
const { format, ...schema } = z.toJSONSchema(local, { target: 'draft-7' })
show(`zod local, format ${format}`, schema, (value) => local.safeParse(value).success, times.isoDateTime)
END
cat > expected <<'END'
valibot isoDateTime: 2024-05-01T10:00: itself true, its schema false
valibot isoDateTime: 2024-05-01T10:00:00Z: itself false, its schema true
valibot isoTime: 10:00: itself true, its schema false
valibot isoTime: 10:00:00Z: itself false, its schema true
zod local, format undefined: 2024-05-01T10:00: itself true, its schema true
zod local, format undefined: 2024-05-01T10:00:00Z: itself true, its schema true
END
node find.mjs > seen
diff expected seen && echo 'as found'
