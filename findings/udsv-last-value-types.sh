#!/bin/sh
# udsv 0.7.3, on Node 26.10.0.
# The type that it infers for a column is that of one value, and the others are made to fit without an error: of the
# grades A, B and F the column is one of booleans and all are false, of the sizes `5`, `5%` and `6` one is NaN, and
# where true stands with yes, true is false. Its page speaks of inferred types, and not of how.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . udsv@0.7.3

cat > find.mjs <<'END'
import { inferSchema, initParser } from 'udsv'

for (const values of [['true', 'false'], ['A', 'B', 'F'], ['F', 'A', 'B'], ['true', 'yes'], ['5', '5%', '6'], ['12', '13a', '14'], ['#1', '2']]) {
  const schema = inferSchema(`id,value\n${values.map((value, row) => `${row},${value}`).join('\n')}`)
  const rows = initParser(schema).typedObjs(`id,value\n${values.map((value, row) => `${row},${value}`).join('\n')}`)
  console.log(values.join(', '), '->', rows.map(({ value }) => `${typeof value} ${value}`).join(', '))
}
END
cat > expected <<'END'
true, false -> boolean true, boolean false
A, B, F -> boolean false, boolean false, boolean false
F, A, B -> string F, string A, string B
true, yes -> boolean false, boolean true
5, 5%, 6 -> number 5, number NaN, number 6
12, 13a, 14 -> number 12, number NaN, number 14
#1, 2 -> number NaN, number 2
END
node find.mjs > seen
diff expected seen && echo 'as found'
