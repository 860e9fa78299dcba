#!/bin/sh
# json-schema-merge-allof 0.8.1 with ajv 8.20.0, on Node 26.10.0.
# Two parts of an `allOf` that each make a property require another are merged into the first alone: the merged schema
# accepts what the original refuses. `required` of two parts, and a list merged with a schema, become both. Its page
# lists dependencies among what it merges; a keyword that it does not know makes it throw.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ajv@8.20.0 json-schema-merge-allof@0.8.1

cat > find.mjs <<'END'
import { Ajv } from 'ajv'
import merge from 'json-schema-merge-allof'

const card = { card: 1, street: 'a' }
for (const [name, parts, value] of [
  ['required', [{ required: ['street'] }, { required: ['zip'] }], card],
  ['a list and a schema', [{ dependencies: { card: ['street'] } }, { dependencies: { card: { required: ['zip'] } } }], card],
  ['two lists', [{ dependencies: { card: ['street'] } }, { dependencies: { card: ['zip'] } }], card],
]) {
  const schema = { type: 'object', allOf: parts }
  const merged = merge(structuredClone(schema))
  const check = (by) => new Ajv({ strict: false }).validate(by, value)
  console.log(`${name}: original ${check(schema)}, merged ${check(merged)} ${JSON.stringify(merged)}`)
}
END
cat > expected <<'END'
required: original false, merged false {"type":"object","required":["street","zip"]}
a list and a schema: original false, merged false {"type":"object","dependencies":{"card":{"required":["street","zip"]}}}
two lists: original false, merged true {"type":"object","dependencies":{"card":["street"]}}
END
node find.mjs > seen
diff expected seen && echo 'as found'
