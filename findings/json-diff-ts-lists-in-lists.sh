#!/bin/sh
# json-diff-ts 4.10.4, on Node 26.10.0.
# What diff() found between two documents, applyChangeset() turns the one into the other. Where a list in a list loses
# an element, as a line of a polygon in GeoJSON loses a point, it does not: the element stays, or the list gets another
# one twice. No error is thrown; a line on the console is all.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . json-diff-ts@4.10.4

cat > find.mjs <<'END'
import { applyChangeset, diff } from 'json-diff-ts'

const cases = {
  'a list': [{ tasks: [{ id: 1 }, { id: 2 }] }, { tasks: [{ id: 2 }] }],
  'lists in a list': [{ board: [[{ id: 1 }, { id: 2 }]] }, { board: [[{ id: 2 }]] }],
  polygon: [{ area: [[[0, 0], [0, 1], [1, 1], [0, 0]]] }, { area: [[[0, 0], [0, 1], [1, 1]]] }],
}
console.warn = () => undefined
for (const [name, [from, to]] of Object.entries(cases))
  console.log(`${name}: ${JSON.stringify(applyChangeset(structuredClone(from), diff(from, to)))}`)
END
cat > expected <<'END'
a list: {"tasks":[{"id":2}]}
lists in a list: {"board":[[{"id":2},{"id":2}]]}
polygon: {"area":[[[0,0],[0,1],[1,1],[0,0]]]}
END
node find.mjs > seen
diff expected seen && echo 'as found'
