#!/bin/sh
# ndjson 2.0.0, it-ndjson 2.0.0, on Node 26.10.0.
# `null` is JSON, and so a line of NDJSON, as for an empty answer of a batch. ndjson ends its stream there: without an
# error if it is the last line, so that an entry is missing, and otherwise with an error that names neither the line nor
# JSON. `strict: false`, which skips lines that are no JSON, does not change that. ndjson writes 0, false and an empty
# text.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ndjson@2.0.0 it-ndjson@2.0.0

cat > find.mjs <<'END'
import { Readable } from 'node:stream'
import { parse } from 'it-ndjson'
import ndjson from 'ndjson'

const all = async (source) => {
  const list = []
  try {
    for await (const entry of source) list.push(entry)
  } catch (error) {
    list.push(error)
  }
  return list.map((entry) => (entry instanceof Error ? `error ${entry.message}` : JSON.stringify(entry))).join(' ')
}
for (const lines of [['1', 'null'], ['null', '2'], ['1', 'null', '2', '3'], ['0', 'false', '""']]) {
  const bytes = () => Readable.from([Buffer.from(`${lines.join('\n')}\n`)])
  console.log(lines.join(' | '))
  console.log('  it-ndjson:', await all(parse(bytes())))
  console.log('  ndjson:', await all(bytes().pipe(ndjson.parse())))
  console.log('  ndjson, strict: false:', await all(bytes().pipe(ndjson.parse({ strict: false }))))
}
END
cat > expected <<'END'
1 | null
  it-ndjson: 1 null
  ndjson: 1
  ndjson, strict: false: 1
null | 2
  it-ndjson: null 2
  ndjson: error stream.push() after EOF
  ndjson, strict: false: error stream.push() after EOF
1 | null | 2 | 3
  it-ndjson: 1 null 2 3
  ndjson: error stream.push() after EOF
  ndjson, strict: false: error stream.push() after EOF
0 | false | ""
  it-ndjson: 0 false ""
  ndjson: 0 false ""
  ndjson, strict: false: 0 false ""
END
node find.mjs > seen
diff expected seen && echo 'as found'
