#!/bin/sh
# fetch-to-curl 0.6.0, on Node 26.10.0.
# It takes "the inputs you would usually use" for fetch. A body that is a URLSearchParams or a FormData becomes `{}`, as
# does the body of a Request; headers as a list of pairs get the names 0 and 1. The command says PATCH, and sends an
# empty JSON object in the place of the form.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . fetch-to-curl@0.6.0

cat > find.mjs <<'END'
import * as library from 'fetch-to-curl'

const fetchToCurl = library.fetchToCurl ?? library.default.fetchToCurl ?? library.default
const url = 'http://api.test/tasks'
const form = new FormData()
form.append('title', 'red')
console.log('text:', fetchToCurl(url, { method: 'PATCH', body: 'title=red' }))
console.log('URLSearchParams:', fetchToCurl(url, { method: 'PATCH', body: new URLSearchParams({ title: 'red' }) }))
console.log('FormData:', fetchToCurl(url, { method: 'PATCH', body: form }))
console.log('Request:', fetchToCurl(new Request(url, { method: 'PATCH', body: 'title=red' })))
console.log('object:', fetchToCurl(url, { headers: { 'x-id': '1' } }))
console.log('Headers:', fetchToCurl(url, { headers: new Headers({ 'x-id': '1' }) }))
console.log('pairs:', fetchToCurl(url, { headers: [['x-id', '1'], ['x-tag', 'red']] }))
END
cat > expected <<'END'
text: curl 'http://api.test/tasks' -X PATCH --data-binary 'title=red'
URLSearchParams: curl 'http://api.test/tasks' -X PATCH --data-binary '{}'
FormData: curl 'http://api.test/tasks' -X PATCH --data-binary '{}'
Request: curl 'http://api.test/tasks' -X PATCH -H "content-type: text/plain;charset=UTF-8" --data-binary '{}'
object: curl 'http://api.test/tasks' -H "x-id: 1"
Headers: curl 'http://api.test/tasks' -H "x-id: 1"
pairs: curl 'http://api.test/tasks' -H "0: x-id,1" -H "1: x-tag,red"
END
node find.mjs > seen
diff expected seen && echo 'as found'
