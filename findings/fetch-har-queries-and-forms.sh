#!/bin/sh
# fetch-har 12.0.4, on Node 26.10.0.
# It sends again what a HAR holds. A browser writes the query both into the URL and into a list beside it, and
# fetch-har sends it twice; a value of the list is sent as it stands, so that "salt&pepper" is two parameters; of a
# name that a form has twice the last value is sent; a JSON body without a header of its type goes out as text/plain.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . fetch-har@12.0.4

cat > find.mjs <<'END'
import fetchHAR from 'fetch-har'

globalThis.fetch = async (url, options) => {
  const request = new Request(url, options)
  const type = request.headers.get('content-type')
  console.log([request.method, request.url, type, await request.text()].filter(Boolean).join(' '))
}
const tags = [
  { name: 'tag', value: 'red' },
  { name: 'tag', value: 'blue' },
]
const form = 'application/x-www-form-urlencoded'
const url = 'http://mocked.test/tasks'
for (const request of [
  { method: 'GET', url: `${url}?tag=red&tag=blue`, queryString: tags },
  { method: 'GET', url: `${url}?title=salt%26pepper`, queryString: [{ name: 'title', value: 'salt&pepper' }] },
  { method: 'POST', url, queryString: [], postData: { mimeType: form, params: tags } },
  { method: 'POST', url, queryString: [], postData: { mimeType: 'application/json', text: '{"id":1}' } },
]) {
  const common = { httpVersion: 'HTTP/1.1', headers: [], cookies: [], headersSize: -1, bodySize: -1 }
  await fetchHAR({ log: { version: '1.2', creator: {}, entries: [{ request: { ...common, ...request } }] } })
}
END
cat > expected <<'END'
GET http://mocked.test/tasks?tag=red&tag=blue&tag=red&tag=blue
GET http://mocked.test/tasks?title=salt&pepper&title=salt&pepper
POST http://mocked.test/tasks application/x-www-form-urlencoded tag=blue
POST http://mocked.test/tasks text/plain;charset=UTF-8 {"id":1}
END
node find.mjs > seen
diff expected seen && echo 'as found'
