#!/bin/sh
# structured-headers 2.1.0, structured-field-values 2.0.4, @svta/cml-structured-field-values 1.1.6, on Node 26.10.0.
# All three write HTTP's Structured Fields (RFC 8941, RFC 9651) and read them. structured-headers writes a decimal that
# rounds to a whole number with a bare dot, as `1.`; by the RFC a digit has to follow. The other two write a date that
# has milliseconds with a fraction; by RFC 9651 a date is an integer. None of these can be read again by its writer.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  structured-headers@2.1.0 structured-field-values@2.0.4 @svta/cml-structured-field-values@1.1.6

cat > find.mjs <<'END'
import { decodeSfItem, encodeSfItem } from '@svta/cml-structured-field-values'
import { decodeItem, encodeItem } from 'structured-field-values'
import { parseItem, serializeItem } from 'structured-headers'

const libraries = {
  'structured-headers': [serializeItem, parseItem],
  'structured-field-values': [encodeItem, decodeItem],
  '@svta/cml-structured-field-values': [encodeSfItem, decodeSfItem],
}
for (const [what, value] of [
  ['1.25', 1.25],
  ['0.9999', 0.9999],
  ['2.0001', 2.0001],
  ['a date in whole seconds', new Date(1_659_578_233_000)],
  ['a date with milliseconds', new Date(1_659_578_233_500)],
])
  for (const [library, [write, read]] of Object.entries(libraries)) {
    const text = write(value)
    let outcome = 'read again'
    try {
      read(text)
    } catch {
      outcome = 'refused by its own parser'
    }
    console.log(`${what}, ${library}: ${text}, ${outcome}`)
  }
END
cat > expected <<'END'
1.25, structured-headers: 1.25, read again
1.25, structured-field-values: 1.25, read again
1.25, @svta/cml-structured-field-values: 1.25, read again
0.9999, structured-headers: 1., refused by its own parser
0.9999, structured-field-values: 1.0, read again
0.9999, @svta/cml-structured-field-values: 1.0, read again
2.0001, structured-headers: 2., refused by its own parser
2.0001, structured-field-values: 2.0, read again
2.0001, @svta/cml-structured-field-values: 2.0, read again
a date in whole seconds, structured-headers: @1659578233, read again
a date in whole seconds, structured-field-values: @1659578233, read again
a date in whole seconds, @svta/cml-structured-field-values: @1659578233, read again
a date with milliseconds, structured-headers: @1659578233, read again
a date with milliseconds, structured-field-values: @1659578233.5, refused by its own parser
a date with milliseconds, @svta/cml-structured-field-values: @1659578233.5, refused by its own parser
END
node find.mjs > seen
diff expected seen && echo 'as found'
