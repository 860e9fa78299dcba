#!/bin/sh
# json5 2.2.3, @croct/json5-parser 0.2.2, jju 1.4.0, golden-fleece 1.0.9, on Node 26.10.0.
# All read and write JSON5. @croct/json5-parser refuses what json5 writes where a text in apostrophes has a quotation
# mark, escapes of JSON5 in a text, and the names `new` and `class`. jju writes a name of digits without quotation
# marks, as JSON5 does not allow, and reads 010 as 8; golden-fleece writes a Date as an empty object.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  json5@2.2.3 @croct/json5-parser@0.2.2 jju@1.4.0 golden-fleece@1.0.9

cat > find.mjs <<'END'
import { JsonParser } from '@croct/json5-parser'
import { evaluate, stringify } from 'golden-fleece'
import jju from 'jju'
import JSON5 from 'json5'

const attempt = (work) => {
  try {
    return JSON.stringify(work())
  } catch {
    return 'refused'
  }
}
const readers = {
  json5: (text) => JSON5.parse(text),
  '@croct/json5-parser': (text) => JsonParser.parse(text).toJSON(),
  jju: (text) => jju.parse(text, { mode: 'json5' }),
  'golden-fleece': (text) => evaluate(text),
}
const quoted = JSON5.stringify({ said: '"yes"' })
for (const text of [`{said:'yes'}`, quoted, String.raw`{said:'\x41\v'}`, '{new:1,class:2}', '[010]']) {
  const found = Object.entries(readers).map(([name, read]) => `${name} ${attempt(() => read(text))}`)
  console.log(`${text}: ${found.join(', ')}`)
}
for (const value of [{ 200: 'OK' }, { at: new Date(0) }])
  for (const [name, write] of Object.entries({
    json5: (entry) => JSON5.stringify(entry),
    jju: (entry) => jju.stringify(entry, { mode: 'json5', indent: 0 }),
    'golden-fleece': (entry) => stringify(entry, { spaces: 0 }).replace(/\s+/g, ' '),
  })) {
    const text = write(value)
    console.log(`written by ${name}: ${text}, read by json5: ${attempt(() => JSON5.parse(text))}`)
  }
END
cat > expected <<'END'
{said:'yes'}: json5 {"said":"yes"}, @croct/json5-parser {"said":"yes"}, jju {"said":"yes"}, golden-fleece {"said":"yes"}
{said:'"yes"'}: json5 {"said":"\"yes\""}, @croct/json5-parser refused, jju {"said":"\"yes\""}, golden-fleece {"said":"\"yes\""}
{said:'\x41\v'}: json5 {"said":"A\u000b"}, @croct/json5-parser refused, jju {"said":"A\u000b"}, golden-fleece {"said":"A\u000b"}
{new:1,class:2}: json5 {"new":1,"class":2}, @croct/json5-parser refused, jju {"new":1,"class":2}, golden-fleece {"new":1,"class":2}
[010]: json5 refused, @croct/json5-parser refused, jju [8], golden-fleece refused
written by json5: {'200':'OK'}, read by json5: {"200":"OK"}
written by jju: {200:'OK'}, read by json5: refused
written by golden-fleece: { "200": "OK" }, read by json5: {"200":"OK"}
written by json5: {at:'1970-01-01T00:00:00.000Z'}, read by json5: {"at":"1970-01-01T00:00:00.000Z"}
written by jju: {at:'1970-01-01T00:00:00.000Z'}, read by json5: {"at":"1970-01-01T00:00:00.000Z"}
written by golden-fleece: { at: { } }, read by json5: {"at":{}}
END
node find.mjs > seen
diff expected seen && echo 'as found'
