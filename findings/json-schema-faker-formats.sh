#!/bin/sh
# json-schema-faker 0.6.3, ajv 8.20.0, ajv-formats 3.0.1, on Node 26.10.0.
# What it makes is to fit the schema. Of values with a format some do not: a duration is `PT0D`, most of the base64
# lacks its padding, and an address of mail is cut off at the `maxLength`. Without `maxLength` all the addresses fit.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . json-schema-faker@0.6.3 ajv@8.20.0 ajv-formats@3.0.1

cat > find.mjs <<'END'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { generateSync } from 'json-schema-faker'

const ajv = new Ajv()
addFormats.default(ajv)
for (const members of [
  { format: 'date-time' },
  { format: 'email' },
  { format: 'email', maxLength: 10 },
  { format: 'duration' },
  { format: 'byte' },
]) {
  const schema = { type: 'string', ...members }
  const fits = ajv.compile(schema)
  const made = Array.from({ length: 40 }, (_, index) => generateSync(schema, { seed: index + 1 }))
  const wrong = made.filter((value) => !fits(value))
  console.log(`${JSON.stringify(members)}: ${wrong.length} do not fit ${wrong[0] ?? ''}`.trim())
}
END
cat > expected <<'END'
{"format":"date-time"}: 0 do not fit
{"format":"email"}: 0 do not fit
{"format":"email","maxLength":10}: 40 do not fit frank3@dem
{"format":"duration"}: 3 do not fit PT0D
{"format":"byte"}: 28 do not fit aG88rL
END
node find.mjs > seen
diff expected seen && echo 'as found'
