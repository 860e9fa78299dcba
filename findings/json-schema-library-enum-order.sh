#!/bin/sh
# json-schema-library 11.6.2 and ajv 8.20.0, on Node 26.10.0.
# Two JSON objects are equal in whatever order their members stand. An object that is one of an `enum` is refused here if
# its members come in another order, in each draft; the same object as `const` is accepted, and `uniqueItems` takes the
# two for equal.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ajv@8.20.0 json-schema-library@11.6.2

cat > find.mjs <<'END'
import { Ajv } from 'ajv'
import { compileSchema } from 'json-schema-library'

const listed = { unit: 'EUR', value: 5 }
const reordered = { value: 5, unit: 'EUR' }
for (const [name, schema, value] of [
  ['enum, same order', { enum: [listed] }, { ...listed }],
  ['enum', { enum: [listed] }, reordered],
  ['const', { const: listed }, reordered],
  ['uniqueItems', { type: 'array', uniqueItems: true }, [listed, reordered]],
]) {
  const drafts = ['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema']
  const here = drafts.map(($schema) => compileSchema({ $schema, ...schema }).validate(value).valid)
  console.log(`${name}: ajv ${new Ajv().validate(schema, value)}, json-schema-library ${here.join(', ')}`)
}
END
cat > expected <<'END'
enum, same order: ajv true, json-schema-library true, true
enum: ajv true, json-schema-library false, false
const: ajv true, json-schema-library true, true
uniqueItems: ajv false, json-schema-library false, false
END
node find.mjs > seen
diff expected seen && echo 'as found'
