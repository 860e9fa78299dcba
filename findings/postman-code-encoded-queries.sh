#!/bin/sh
# postman-code-generators 2.1.1, which Postman shows code with, on Node 26.10.0.
# One saved request, as the code for Node's fetch, for axios and for `node:http` sends it. The query, which the request
# has encoded, is encoded once more for `node:http`: the service gets `50%25` for `50%`. Of a form's repeated field
# axios and `node:http` send the last value, and `node:http` sends the form without its type.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . axios@1.21.1 form-data@4.0.6 qs@6.17.1 postman-code-generators@2.1.1 postman-collection@5.3.1

cat > find.mjs <<'END'
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import generators from 'postman-code-generators'
import collection from 'postman-collection'

const service = createServer(async (request, answer) => {
  let body = ''
  for await (const part of request) body += part
  console.log(`  ${request.method} ${request.url}${body && `, ${request.headers['content-type']}: ${body}`}`)
  answer.setHeader('connection', 'close').end('{}')
}).listen(0, '127.0.0.1')
await new Promise((listening) => service.on('listening', listening))
const url = `http://127.0.0.1:${service.address().port}/tasks`
const urlencoded = [{ key: 'tag', value: 'red' }, { key: 'tag', value: 'blue' }]
for (const [language, variant] of [['javascript', 'fetch'], ['nodejs', 'axios'], ['nodejs', 'native']]) {
  console.log(variant)
  for (const request of [{ method: 'GET', url: `${url}?done=50%25&q=red%20blue` }, { method: 'POST', url, body: { mode: 'urlencoded', urlencoded } }]) {
    const code = await new Promise((done) => generators.convert(language, variant, new collection.Request(request), {}, (_, code) => done(code)))
    writeFileSync('made.cjs', code)
    await new Promise((done) => spawn(process.execPath, ['made.cjs']).on('close', done))
  }
}
service.close()
END
cat > expected <<'END'
fetch
  GET /tasks?done=50%25&q=red%20blue
  POST /tasks, application/x-www-form-urlencoded;charset=UTF-8: tag=red&tag=blue
axios
  GET /tasks?done=50%25&q=red%20blue
  POST /tasks, application/x-www-form-urlencoded: tag=blue
native
  GET /tasks?done=50%2525&q=red%2520blue
  POST /tasks, undefined: tag=blue
END
node find.mjs > seen
diff expected seen && echo 'as found'
