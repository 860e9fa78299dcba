#!/bin/sh
# json-2-csv 5.6.0, csv-parse 7.0.3, on Node 26.10.0.
# By RFC 4180 the last line of a CSV file may end with a line break or not. csv2json() takes that line break for a part
# of the last value, where this has no quotation marks and is no JSON: a name, a date and a code with zeros in front
# have it, a number has not, so that a file looks right as long as its last column is one of numbers.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . json-2-csv@5.6.0 csv-parse@7.0.3

cat > find.mjs <<'END'
import { parse } from 'csv-parse/sync'
import { csv2json } from 'json-2-csv'

for (const text of [
  'name\nAda\nBob',
  'name\nAda\nBob\n',
  'id,due\n1,2026-12-01\n',
  'id,zip\n1,00420\n',
  'name,id\nAda,1\n',
  'name\n"Ada"\n"Bob"\n',
]) {
  console.log(JSON.stringify(text))
  console.log('  csv-parse:', JSON.stringify(parse(text, { columns: true })))
  console.log('  json-2-csv:', JSON.stringify(csv2json(text)))
}
END
cat > expected <<'END'
"name\nAda\nBob"
  csv-parse: [{"name":"Ada"},{"name":"Bob"}]
  json-2-csv: [{"name":"Ada"},{"name":"Bob"}]
"name\nAda\nBob\n"
  csv-parse: [{"name":"Ada"},{"name":"Bob"}]
  json-2-csv: [{"name":"Ada"},{"name":"Bob\n"}]
"id,due\n1,2026-12-01\n"
  csv-parse: [{"id":"1","due":"2026-12-01"}]
  json-2-csv: [{"id":1,"due":"2026-12-01\n"}]
"id,zip\n1,00420\n"
  csv-parse: [{"id":"1","zip":"00420"}]
  json-2-csv: [{"id":1,"zip":"00420\n"}]
"name,id\nAda,1\n"
  csv-parse: [{"name":"Ada","id":"1"}]
  json-2-csv: [{"name":"Ada","id":1}]
"name\n\"Ada\"\n\"Bob\"\n"
  csv-parse: [{"name":"Ada"},{"name":"Bob"}]
  json-2-csv: [{"name":"Ada"},{"name":"Bob"}]
END
node find.mjs > seen
diff expected seen && echo 'as found'
