#!/bin/sh
# node-mocks-http 1.18.1 with express 5.3.0, on Node 26.10.0.
# A handler that forgets to return after its first answer, and one that sets a header after it, throw in Express. On the
# mocked response both pass: the test that looks at the status sees 404, and the body is two documents in one. And
# json() takes back the type that was set: application/problem+json, as Express sends it, is application/json there.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . express@5.3.0 node-mocks-http@1.18.1

cat > find.mjs <<'END'
import express from 'express'
import httpMocks from 'node-mocks-http'

const handlers = {
  'answers twice': (_, answer) => {
    answer.status(404).json({ error: 'gone' })
    answer.json({ id: 1 })
  },
  'sets a header late': (_, answer) => {
    answer.json({ id: 1 })
    answer.set('ETag', '"1"')
  },
  'sets a type': (_, answer) => answer.status(404).type('application/problem+json').json({ title: 'gone' }),
}
const app = express()
let thrown = 'nothing thrown'
for (const [name, handler] of Object.entries(handlers)) app.get(`/${encodeURIComponent(name)}`, handler)
app.use(({ code }, request, answer, next) => {
  thrown = code
})
const server = app.listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
for (const [name, handler] of Object.entries(handlers)) {
  thrown = 'nothing thrown'
  const real = await fetch(`http://127.0.0.1:${server.address().port}/${name}`)
  const [realType] = real.headers.get('content-type').split(';')
  console.log(`${name}, express: ${real.status} ${realType} ${await real.text()}, ${thrown}`)
  const { req, res } = httpMocks.createMocks()
  let mocked = 'nothing thrown'
  try {
    handler(req, res)
  } catch ({ code }) {
    mocked = code
  }
  console.log(`${name}, mock: ${res.statusCode} ${res.get('content-type')} ${res._getData()}, ${mocked}`)
}
process.exit()
END
cat > expected <<'END'
answers twice, express: 404 application/json {"error":"gone"}, ERR_HTTP_HEADERS_SENT
answers twice, mock: 404 application/json {"error":"gone"}{"id":1}, nothing thrown
sets a header late, express: 200 application/json {"id":1}, ERR_HTTP_HEADERS_SENT
sets a header late, mock: 200 application/json {"id":1}, nothing thrown
sets a type, express: 404 application/problem+json {"title":"gone"}, nothing thrown
sets a type, mock: 404 application/json {"title":"gone"}, nothing thrown
END
node find.mjs > seen
diff expected seen && echo 'as found'
