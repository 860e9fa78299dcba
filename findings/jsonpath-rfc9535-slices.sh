#!/bin/sh
# jsonpath-rfc9535 1.3.0 with jsonpath-js 0.3.1, on Node 26.10.0.
# By RFC 9535 a slice that starts before the first element starts with it: `$[-5:]` is "the last five, or all". Of three
# elements `$[-4:]` gives one and `$[-5:]` two. And `match()` has to fit the whole text; where the expression is an
# alternative, it is enough that the text begins with one part or ends with another.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . jsonpath-rfc9535@1.3.0 jsonpath-js@0.3.1

cat > find.mjs <<'END'
import * as other from 'jsonpath-js'
import { query } from 'jsonpath-rfc9535'

const JSONPath = other.JSONPathJS ?? other.default
const show = (list, path) => {
  const seen = JSON.stringify(query(list, path))
  console.log(`${path}: jsonpath-rfc9535 ${seen}, jsonpath-js ${JSON.stringify(new JSONPath(path).find(list))}`)
}
for (const path of ['$[-2:]', '$[-3:]', '$[-4:]', '$[-5:]', '$[-6:]', '$[-5:2]']) show([1, 2, 3], path)
for (const path of ["$[?match(@, 'GET')]", "$[?match(@, 'GET|PUT')]", "$[?match(@, '(GET|PUT)')]"])
  show(['GET', 'GETS', 'INPUT', 'PUT'], path)
END
cat > expected <<'END'
$[-2:]: jsonpath-rfc9535 [2,3], jsonpath-js [2,3]
$[-3:]: jsonpath-rfc9535 [1,2,3], jsonpath-js [1,2,3]
$[-4:]: jsonpath-rfc9535 [3], jsonpath-js [1,2,3]
$[-5:]: jsonpath-rfc9535 [2,3], jsonpath-js [1,2,3]
$[-6:]: jsonpath-rfc9535 [1,2,3], jsonpath-js [1,2,3]
$[-5:2]: jsonpath-rfc9535 [2], jsonpath-js [1,2]
$[?match(@, 'GET')]: jsonpath-rfc9535 ["GET"], jsonpath-js ["GET"]
$[?match(@, 'GET|PUT')]: jsonpath-rfc9535 ["GET","GETS","INPUT","PUT"], jsonpath-js ["GET","PUT"]
$[?match(@, '(GET|PUT)')]: jsonpath-rfc9535 ["GET","PUT"], jsonpath-js ["GET","PUT"]
END
node find.mjs > seen
diff expected seen && echo 'as found'
