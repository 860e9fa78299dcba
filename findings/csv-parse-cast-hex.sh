#!/bin/sh
# csv-parse 7.0.3, with the option `cast`, on Node 26.10.0.
# `cast: true` makes numbers of what are numbers. An id in hexadecimal, octal or binary, as `0x1F`, is taken for one and
# becomes 0, whatever follows: all such ids of a file are equal. papaparse leaves them texts, d3-dsv reads 31.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . csv-parse@7.0.3 d3-dsv@3.0.2 papaparse@5.7.1

cat > find.mjs <<'END'
import { parse } from 'csv-parse/sync'
import { autoType, csvParse } from 'd3-dsv'
import papaparse from 'papaparse'

const file = 'id\n5\n0x1F\n0xdeadbeef\n0b11\n0o17\n1f'
const ids = (rows) => JSON.stringify(rows.map(({ id }) => id))
console.log('csv-parse:', ids(parse(file, { columns: true })))
console.log('csv-parse, cast:', ids(parse(file, { columns: true, cast: true })))
console.log('papaparse, dynamicTyping:', ids(papaparse.parse(file, { header: true, dynamicTyping: true }).data))
console.log('d3-dsv, autoType:', ids(csvParse(file, autoType)))
END
cat > expected <<'END'
csv-parse: ["5","0x1F","0xdeadbeef","0b11","0o17","1f"]
csv-parse, cast: [5,0,0,0,0,"1f"]
papaparse, dynamicTyping: [5,"0x1F","0xdeadbeef","0b11","0o17","1f"]
d3-dsv, autoType: [5,31,3735928559,3,15,"1f"]
END
node find.mjs > seen
diff expected seen && echo 'as found'
