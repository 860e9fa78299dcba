#!/bin/sh
# @msgpack/msgpack 3.1.3, msgpackr 2.1.4, msgpack-lite 0.2.2, msgpack5 6.1.0, on Node 26.10.0.
# A time in milliseconds is a safe integer. @msgpack/msgpack and msgpack5 write it as one of 64 bits, and msgpackr,
# which writes a float, reads that as a BigInt: JSON.stringify() refuses it, and so does a sum with a number.
# msgpack-lite writes dates and bytes as extensions of its own, though MessagePack has both: the others throw, or give
# back an ExtData.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  @msgpack/msgpack@3.1.3 msgpackr@2.1.4 msgpack-lite@0.2.2 msgpack5@6.1.0

cat > find.mjs <<'END'
import { inspect } from 'node:util'
import { decode, encode } from '@msgpack/msgpack'
import lite from 'msgpack-lite'
import msgpack5 from 'msgpack5'
import { pack, unpack } from 'msgpackr'

const five = msgpack5()
const libraries = {
  '@msgpack/msgpack': [encode, decode],
  msgpackr: [pack, unpack],
  'msgpack-lite': [lite.encode, lite.decode],
  msgpack5: [(value) => five.encode(value).slice(), (bytes) => five.decode(Buffer.from(bytes))],
}
const show = (value) => {
  if (value instanceof Uint8Array) return `${value.length} bytes`
  return ['number', 'bigint'].includes(typeof value) || value instanceof Date ? inspect(value) : value.constructor.name
}
for (const value of [Date.UTC(2026, 11, 1), new Date(Date.UTC(2026, 11, 1, 10, 0, 0, 250)), new Uint8Array(3)])
  for (const [writer, [write]] of Object.entries(libraries)) {
    const others = Object.entries(libraries).map(([reader, [, parse]]) => {
      try {
        const read = show(parse(write(value)))
        return read === show(value) ? '' : `\n  ${reader} reads ${read}`
      } catch (error) {
        return `\n  ${reader} throws: ${error.message}`
      }
    })
    console.log(`${show(value)} of ${writer}:${others.join('') || ' read by all'}`)
  }
END
cat > expected <<'END'
1796083200000 of @msgpack/msgpack:
  msgpackr reads 1796083200000n
1796083200000 of msgpackr: read by all
1796083200000 of msgpack-lite: read by all
1796083200000 of msgpack5:
  msgpackr reads 1796083200000n
2026-12-01T10:00:00.250Z of @msgpack/msgpack:
  msgpack-lite reads ExtBuffer
2026-12-01T10:00:00.250Z of msgpackr:
  msgpack-lite reads ExtBuffer
2026-12-01T10:00:00.250Z of msgpack-lite:
  @msgpack/msgpack reads ExtData
  msgpackr throws: Unknown extension type 13
  msgpack5 throws: unable to find ext type 13
2026-12-01T10:00:00.250Z of msgpack5:
  msgpack-lite reads ExtBuffer
3 bytes of @msgpack/msgpack: read by all
3 bytes of msgpackr: read by all
3 bytes of msgpack-lite:
  @msgpack/msgpack reads ExtData
  msgpackr throws: Unknown extension type 18
  msgpack5 throws: unable to find ext type 18
3 bytes of msgpack5: read by all
END
node find.mjs > seen
diff expected seen && echo 'as found'
