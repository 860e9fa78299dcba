#!/bin/sh
# har-to-k6 0.14.16, on Node 26.10.0.
# The script is to load a service with the requests of the HAR. Where a name comes twice it sends others: of the query
# tag=red&tag=blue the second value twice, and of a form with the fields tag=red and tag=blue one field "red,blue".
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . har-to-k6@0.14.16

cat > find.mjs <<'END'
import { liHARToK6Script } from 'har-to-k6'

const mimeType = 'application/x-www-form-urlencoded'
const fields = [
  { name: 'tag', value: 'red' },
  { name: 'tag', value: 'blue' },
]
const common = { httpVersion: 'HTTP/1.1', cookies: [], headers: [], queryString: [], headersSize: -1, bodySize: -1 }
const headers = [{ name: 'Content-Type', value: mimeType }]
const requests = [
  { method: 'GET', url: 'http://localhost:3000/tasks?tag=red&tag=blue', queryString: fields },
  { method: 'POST', url: 'http://localhost:3000/tasks', headers, postData: { mimeType, params: fields } },
]
const entries = requests.map((request) => ({ request: { ...common, ...request } }))
const { main } = await liHARToK6Script({
  log: { version: '1.2', creator: { name: 'browser', version: '1' }, entries },
})
for (const line of main.split('\n')) if (line.includes('http.')) console.log(line.trim())
END
cat > expected <<'END'
response = http.get('http://localhost:3000/tasks?tag=red&tag=blue&tag=blue')
response = http.post('http://localhost:3000/tasks', 'tag=red%2Cblue', {
END
node find.mjs > seen
diff expected seen && echo 'as found'
