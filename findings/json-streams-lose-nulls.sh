#!/bin/sh
# JSONStream 1.3.5, ndjson 2.0.0, split2 4.2.0 with JSON.parse, jsonlines 0.1.1, stream-json 1.9.1, on Node 26.10.0.
# JSONStream leaves out each null of a list, so that later elements move up, and makes texts of the ids beyond 2^53 among
# numbers. For the other three a line with null is the end of the stream: each line after it is lost, with the error
# "stream.push() after EOF". stream-json gives out a list as JSON.parse() does.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . JSONStream@1.3.5 ndjson@2.0.0 split2@4.2.0 jsonlines@0.1.1 stream-json@1.9.1

cat > find.mjs <<'END'
import { Readable } from 'node:stream';
import JSONStream from 'JSONStream';
import jsonlines from 'jsonlines';
import ndjson from 'ndjson';
import split2 from 'split2';
import StreamArray from 'stream-json/streamers/StreamArray.js';

const read = (text, stream) => new Promise((resolve) => {
  const values = [];
  stream.on('data', (value) => values.push(value));
  stream.on('error', (error) => resolve(`${JSON.stringify(values)} ${error.message}`));
  stream.on('end', () => resolve(JSON.stringify(values)));
  Readable.from([text]).pipe(stream);
});

for (const list of ['[1,2,3]', '[1,null,3]', '[7,9007199254740993]']) {
  console.log(list);
  console.log('  JSONStream', await read(list, JSONStream.parse('*')));
  const values = (await StreamArray.withParser().on('error', console.error).end(list).toArray()).map(({ value }) => value);
  console.log('  stream-json', JSON.stringify(values));
}
for (const lines of ['1\n0\n3\n', '1\nnull\n3\n']) {
  console.log(JSON.stringify(lines));
  console.log('  ndjson', await read(lines, ndjson.parse()));
  console.log('  split2', await read(lines, split2(JSON.parse)));
  console.log('  jsonlines', await read(lines, jsonlines.parse()));
}
END
cat > expected <<'END'
[1,2,3]
  JSONStream [1,2,3]
  stream-json [1,2,3]
[1,null,3]
  JSONStream [1,3]
  stream-json [1,null,3]
[7,9007199254740993]
  JSONStream [7,"9007199254740993"]
  stream-json [7,9007199254740992]
"1\n0\n3\n"
  ndjson [1,0,3]
  split2 [1,0,3]
  jsonlines [1,0,3]
"1\nnull\n3\n"
  ndjson [1] stream.push() after EOF
  split2 [1] stream.push() after EOF
  jsonlines [1] stream.push() after EOF
END
node find.mjs > seen
diff expected seen && echo 'as found'
