#!/bin/sh
# csvjson 5.1.0 and csvjson-csv2json 5.0.6, with papaparse 5.7.1, on Node 26.10.0.
# csvjson writes a comma in a value as a tab, and a quotation mark as it is, so that others cannot read the file; with
# its option `quote` it reads of a quoted value with a comma and a quotation mark what stands before the comma.
# csvjson-csv2json loses the quotation mark at the end of a value.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . csvjson@5.1.0 csvjson-csv2json@5.0.6 papaparse@5.7.1

cat > find.cjs <<'END'
const csvjson = require('csvjson')
const csv2json = require('csvjson-csv2json')
const papaparse = require('papaparse')

for (const note of ['red, blue', 'say "red"', 'red, or "blue"']) {
  const file = papaparse.unparse([{ id: 1, note }], { newline: '\n' })
  console.log(JSON.stringify(note), 'as papaparse writes it:', JSON.stringify(file))
  console.log('  csvjson writes', JSON.stringify(csvjson.toCSV([{ id: 1, note }], { headers: 'key' })))
  console.log('  csvjson reads', JSON.stringify(csvjson.toObject(file, { quote: true })))
  console.log('  csvjson-csv2json reads', JSON.stringify(csv2json(file)))
  console.log('  papaparse reads', JSON.stringify(papaparse.parse(file, { header: true }).data))
}
END
cat > expected <<'END'
"red, blue" as papaparse writes it: "id,note\n1,\"red, blue\""
  csvjson writes "id,note\n1,red\t blue"
  csvjson reads [{"id":"1","note":"red, blue"}]
  csvjson-csv2json reads [{"id":"1","note":"red, blue"}]
  papaparse reads [{"id":"1","note":"red, blue"}]
"say \"red\"" as papaparse writes it: "id,note\n1,\"say \"\"red\"\"\""
  csvjson writes "id,note\n1,say \"red\""
  csvjson reads [{"id":"1","note":""}]
  csvjson-csv2json reads [{"id":"1","note":"say \"red"}]
  papaparse reads [{"id":"1","note":"say \"red\""}]
"red, or \"blue\"" as papaparse writes it: "id,note\n1,\"red, or \"\"blue\"\"\""
  csvjson writes "id,note\n1,red\t or \"blue\""
  csvjson reads [{"id":"1","note":"red"}]
  csvjson-csv2json reads [{"id":"1","note":"red, or \"blue"}]
  papaparse reads [{"id":"1","note":"red, or \"blue\""}]
END
node find.cjs > seen
diff expected seen && echo 'as found'
