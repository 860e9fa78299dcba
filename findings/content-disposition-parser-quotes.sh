#!/bin/sh
# content-disposition-parser 1.0.2, content-disposition 3.1.0, on Node 26.10.0.
# A file name in quotation marks may have a semicolon, and a quotation mark behind a backslash (RFC 6266, RFC 9110).
# content-disposition-parser ends the name at the semicolon, makes a parameter of the rest, and keeps the backslash; a
# name in ISO 8859-1, which RFC 5987 has readers support, stays encoded. It raises no error, as its page says.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  content-disposition-parser@1.0.2 content-disposition@3.1.0

cat > find.mjs <<'END'
import { createRequire } from 'node:module'
import { parse } from 'content-disposition'

const read = createRequire(import.meta.url)('content-disposition-parser')
for (const header of [
  'attachment; filename="tasks.csv"',
  'attachment; filename="open; done.csv"',
  'attachment; filename="open; size=2.csv"',
  String.raw`attachment; filename="the \"open\" ones.csv"`,
  "attachment; filename*=iso-8859-1'en'%A3%20rates.csv",
]) {
  console.log(header)
  console.log('  content-disposition:', JSON.stringify(parse(header).parameters))
  const { type: _, ...rest } = read(header)
  console.log('  content-disposition-parser:', JSON.stringify(rest))
}
END
cat > expected <<'END'
attachment; filename="tasks.csv"
  content-disposition: {"filename":"tasks.csv"}
  content-disposition-parser: {"filename":"tasks.csv"}
attachment; filename="open; done.csv"
  content-disposition: {"filename":"open; done.csv"}
  content-disposition-parser: {"filename":"open","done.csv\"":true}
attachment; filename="open; size=2.csv"
  content-disposition: {"filename":"open; size=2.csv"}
  content-disposition-parser: {"filename":"open","size":"2.csv"}
attachment; filename="the \"open\" ones.csv"
  content-disposition: {"filename":"the \"open\" ones.csv"}
  content-disposition-parser: {"filename":"the \\\"open\\\" ones.csv"}
attachment; filename*=iso-8859-1'en'%A3%20rates.csv
  content-disposition: {"filename":"£ rates.csv"}
  content-disposition-parser: {"filename":"%A3%20rates.csv","encoding":"iso-8859-1"}
END
node find.mjs > seen
diff expected seen && echo 'as found'
