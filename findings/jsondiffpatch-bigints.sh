#!/bin/sh
# jsondiffpatch 0.7.7, on Node 26.10.0.
# Two BigInts that are members are never different for it, as ids of 19 digits are that a careful reader of JSON gives:
# `diff()` finds nothing, where `isDeepStrictEqual` of Node and, between lists, `diff()` itself tell them apart. And a
# member of one's own called `_t` makes a delta that `patch()` takes for that of a list: what had the member is gone.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . jsondiffpatch@0.7.7

cat > find.mjs <<'END'
import { isDeepStrictEqual } from 'node:util'
import * as jsondiffpatch from 'jsondiffpatch'

const show = (value) => JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))
for (const [left, right] of [
  [{ id: 1 }, { id: 2 }],
  [{ id: 1850000000000000001n }, { id: 1850000000000000002n }],
  [[1850000000000000001n], [1850000000000000002n]],
  [{ id: 1n }, { id: 'one' }],
  [{ task: { _t: 'b' } }, { task: { _t: 'c' } }],
  [{ task: { _t: 'a' } }, { task: { _t: 'b' } }],
  [{ task: { _t: 'a', n: 1 } }, { task: { _t: 'b', n: 2 } }],
]) {
  const delta = jsondiffpatch.diff(left, right)
  const patched = jsondiffpatch.patch(structuredClone(left), structuredClone(delta))
  console.log(`${show(left)} and ${show(right)}: equal ${isDeepStrictEqual(left, right)}, delta ${show(delta)}, patched ${show(patched)}`)
}
END
cat > expected <<'END'
{"id":1} and {"id":2}: equal false, delta {"id":[1,2]}, patched {"id":2}
{"id":"1850000000000000001n"} and {"id":"1850000000000000002n"}: equal false, delta undefined, patched {"id":"1850000000000000001n"}
["1850000000000000001n"] and ["1850000000000000002n"]: equal false, delta {"0":["1850000000000000002n"],"_t":"a","_0":["1850000000000000001n",0,0]}, patched ["1850000000000000002n"]
{"id":"1n"} and {"id":"one"}: equal false, delta {"id":["1n","one"]}, patched {"id":"one"}
{"task":{"_t":"b"}} and {"task":{"_t":"c"}}: equal false, delta {"task":{"_t":["b","c"]}}, patched {}
{"task":{"_t":"a"}} and {"task":{"_t":"b"}}: equal false, delta {"task":{"_t":["a","b"]}}, patched {}
{"task":{"_t":"a","n":1}} and {"task":{"_t":"b","n":2}}: equal false, delta {"task":{"_t":["a","b"],"n":[1,2]}}, patched {}
END
node find.mjs > seen
diff expected seen && echo 'as found'
