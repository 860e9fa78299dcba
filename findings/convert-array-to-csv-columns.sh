#!/bin/sh
# convert-array-to-csv 2.0.0, with papaparse 5.7.1, on Node 26.10.0.
# Each object is written in the order of its own members, under the header of the first: where an API answers with
# members in another order, or leaves one out, the values are in the wrong columns, without an error. A list in a cell
# becomes cells of its own.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . convert-array-to-csv@2.0.0 papaparse@5.7.1

cat > find.mjs <<'END'
import { convertArrayToCSV } from 'convert-array-to-csv'
import papaparse from 'papaparse'

for (const tasks of [
  [{ id: 1, credits: 5 }, { id: 2, credits: 7 }],
  [{ id: 1, credits: 5 }, { credits: 7, id: 2 }],
  [{ id: 1, due: 'now', credits: 5 }, { id: 2, credits: 7 }],
  [{ id: 1, tags: ['red', 'blue'], credits: 5 }],
]) {
  console.log(JSON.stringify(tasks))
  console.log('  papaparse:', JSON.stringify(papaparse.unparse(tasks, { newline: '\n' })))
  console.log('  convert-array-to-csv:', JSON.stringify(convertArrayToCSV(tasks)))
}
END
cat > expected <<'END'
[{"id":1,"credits":5},{"id":2,"credits":7}]
  papaparse: "id,credits\n1,5\n2,7"
  convert-array-to-csv: "id,credits\n1,5\n2,7\n"
[{"id":1,"credits":5},{"credits":7,"id":2}]
  papaparse: "id,credits\n1,5\n2,7"
  convert-array-to-csv: "id,credits\n1,5\n7,2\n"
[{"id":1,"due":"now","credits":5},{"id":2,"credits":7}]
  papaparse: "id,due,credits\n1,now,5\n2,,7"
  convert-array-to-csv: "id,due,credits\n1,now,5\n2,7\n"
[{"id":1,"tags":["red","blue"],"credits":5}]
  papaparse: "id,tags,credits\n1,\"red,blue\",5"
  convert-array-to-csv: "id,tags,credits\n1,red,blue,5\n"
END
node find.mjs > seen
diff expected seen && echo 'as found'
