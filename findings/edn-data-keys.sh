#!/bin/sh
# edn-data 1.2.2, on Node 26.10.0.
# An object that it writes as EDN does not come back as it was: each name is written as a keyword as it stands, so that
# a space, a comma or a semicolon in it moves the values to other names, or makes EDN that is read as nothing. Infinity
# is written as a symbol. No error comes of any of these.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . edn-data@1.2.2

cat > find.mjs <<'END'
import { parseEDNString, toEDNStringFromSimpleObject } from 'edn-data'

const read = (text) => JSON.stringify(parseEDNString(text, { mapAs: 'object', keywordAs: 'string', listAs: 'array' }))
for (const value of [{ id: 1 }, { 'x id': 1, y: 2 }, { 'red, blue': 1 }, { '': 1, y: 2 }, { 'a;b': 1, y: 2 }, { limit: Infinity }]) {
  const text = toEDNStringFromSimpleObject(value)
  console.log(`${JSON.stringify(value)} is written ${text}, read ${read(text)}`)
}
END
cat > expected <<'END'
{"id":1} is written {:id 1}, read {"id":1}
{"x id":1,"y":2} is written {:x id 1 :y 2}, read {"1":"y","x":{"sym":"id"}}
{"red, blue":1} is written {:red, blue 1}, read {"red":{"sym":"blue"}}
{"":1,"y":2} is written {: 1 :y 2}, read {"":1,"y":2}
{"a;b":1,"y":2} is written {:a;b 1 :y 2}, read null
{"limit":null} is written {:limit Infinity}, read {"limit":{"sym":"Infinity"}}
END
node find.mjs > seen
diff expected seen && echo 'as found'
