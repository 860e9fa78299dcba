#!/bin/sh
# jsonpath-rfc9535 1.3.0 with jsonpath-js 0.3.1, on Node 26.10.0.
# By RFC 9535 a filter may compare what a path selects, also one with an index. With an index in it, the path selects
# nothing in a comparison, on either side: `==` finds nothing, `!=` finds everything. As a test of existence and as the
# argument of a function the same path works.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . jsonpath-rfc9535@1.3.0 jsonpath-js@0.3.1

cat > find.mjs <<'END'
import * as other from 'jsonpath-js'
import { query } from 'jsonpath-rfc9535'

const JSONPath = other.JSONPathJS ?? other.default
const tasks = [{ tags: ['red'], name: 'red' }, { tags: ['blue'], name: 'blue' }]
for (const path of [
  "$[?@.name=='red'].name",
  "$[?@.tags[0]=='red'].name",
  "$[?'red'==@.tags[0]].name",
  "$[?@.tags[0]!='red'].name",
  '$[?@.name==$[1].name].name',
  '$[?@.tags[0]].name',
  "$[?match(@.tags[0], 'red')].name",
]) {
  const seen = JSON.stringify(query(tasks, path))
  console.log(`${path}: jsonpath-rfc9535 ${seen}, jsonpath-js ${JSON.stringify(new JSONPath(path).find(tasks))}`)
}
END
cat > expected <<'END'
$[?@.name=='red'].name: jsonpath-rfc9535 ["red"], jsonpath-js ["red"]
$[?@.tags[0]=='red'].name: jsonpath-rfc9535 [], jsonpath-js ["red"]
$[?'red'==@.tags[0]].name: jsonpath-rfc9535 [], jsonpath-js ["red"]
$[?@.tags[0]!='red'].name: jsonpath-rfc9535 ["red","blue"], jsonpath-js ["blue"]
$[?@.name==$[1].name].name: jsonpath-rfc9535 [], jsonpath-js ["blue"]
$[?@.tags[0]].name: jsonpath-rfc9535 ["red","blue"], jsonpath-js ["red","blue"]
$[?match(@.tags[0], 'red')].name: jsonpath-rfc9535 ["red"], jsonpath-js ["red"]
END
node find.mjs > seen
diff expected seen && echo 'as found'
