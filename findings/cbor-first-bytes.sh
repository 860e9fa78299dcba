#!/bin/sh
# cbor 10.0.12, cbor2 2.3.0, on Node 26.10.0.
# On Node 26 `encode()` and its like give the first byte or bytes of what they should, without an error: they write into
# a stream and read it once, and since Node 26 one read gives one piece. `encodeAsync()` gives all, and what it gives
# can be read. cbor2 of the same maker writes all of it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . cbor@10.0.12 cbor2@2.3.0

cat > find.mjs <<'END'
import cbor from 'cbor'
import { encode } from 'cbor2'

const hex = (bytes) => Buffer.from(bytes).toString('hex')
for (const value of [7, 'done', [1, 2], { id: 1, tags: ['red'] }]) {
  console.log(JSON.stringify(value))
  console.log('  cbor2:', hex(encode(value)))
  console.log('  cbor, encodeAsync():', hex(await cbor.encodeAsync(value)))
  for (const name of ['encode', 'encodeCanonical', 'encodeOne']) console.log(`  cbor, ${name}():`, hex(cbor[name](value)))
}
END
cat > expected <<'END'
7
  cbor2: 07
  cbor, encodeAsync(): 07
  cbor, encode(): 07
  cbor, encodeCanonical(): 07
  cbor, encodeOne(): 07
"done"
  cbor2: 64646f6e65
  cbor, encodeAsync(): 64646f6e65
  cbor, encode(): 64
  cbor, encodeCanonical(): 64
  cbor, encodeOne(): 64
[1,2]
  cbor2: 820102
  cbor, encodeAsync(): 820102
  cbor, encode(): 82
  cbor, encodeCanonical(): 82
  cbor, encodeOne(): 82
{"id":1,"tags":["red"]}
  cbor2: a26269640164746167738163726564
  cbor, encodeAsync(): a26269640164746167738163726564
  cbor, encode(): a2
  cbor, encodeCanonical(): a2
  cbor, encodeOne(): a2
END
node find.mjs > seen
diff expected seen && echo 'as found'
