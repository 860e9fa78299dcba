#!/bin/sh
# typebox 1.4.3 and @sinclair/typebox 0.34.52, Value of both, on Node 26.10.0.
# Value.Equal() holds any two dates for equal, also inside an object, and Value.Diff() finds no difference between them,
# so that a patch leaves out a changed due date. Value.Hash() of the same release tells them apart, and its predecessor
# compared them by their time. Neither README nor the types say that dates are not compared.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @sinclair/typebox@0.34.52 typebox@1.4.3

cat > find.mjs <<'END'
import { Value as Predecessor } from '@sinclair/typebox/value'
import { Value } from 'typebox/value'

const before = { title: 'a', due: new Date('2024-05-01') }
const after = { title: 'a', due: new Date('2025-12-24') }
console.log('0.34 Equal:', Predecessor.Equal(before, after))
console.log('1.4 Equal:', Value.Equal(before, after))
console.log('1.4 Diff:', JSON.stringify(Value.Diff(before, after)))
console.log('1.4 Diff of texts:', Value.Diff({ due: '2024-05-01' }, { due: '2025-12-24' }).length)
console.log('1.4 equal hashes:', Value.Hash(before) === Value.Hash(after))
END
cat > expected <<'END'
0.34 Equal: false
1.4 Equal: true
1.4 Diff: []
1.4 Diff of texts: 1
1.4 equal hashes: false
END
node find.mjs > seen
diff expected seen && echo 'as found'
