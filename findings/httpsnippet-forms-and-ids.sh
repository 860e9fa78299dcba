#!/bin/sh
# httpsnippet 3.0.10, axios 1.21.1, on Node 26.10.0.
# The code that it writes for a request of a HAR sends that request. For fetch a form with tag=red and tag=blue
# becomes one field, for axios the last one alone; axios asks for `tag[]` where the query had `tag` twice; and an id
# of 20 digits in a JSON body is another one. The code for curl sends all of it as recorded.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . httpsnippet@3.0.10 axios@1.21.1

cat > find.mjs <<'END'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { HTTPSnippet } from 'httpsnippet'

const server = createServer(async (request, answer) => {
  let body = ''
  for await (const part of request) body += part
  console.log(` ${request.method} ${decodeURIComponent(request.url)} ${body}`.trimEnd())
  answer.end('[]')
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))

const url = `http://127.0.0.1:${server.address().port}/tasks`
const tags = ['red', 'blue'].map((value) => ({ name: 'tag', value }))
const run = promisify(execFile)
for (const [target, client] of [
  ['shell', 'curl'],
  ['javascript', 'fetch'],
  ['node', 'axios'],
]) {
  console.log(client)
  for (const request of [
    { method: 'GET', url, queryString: tags },
    { method: 'POST', url, postData: { mimeType: 'application/x-www-form-urlencoded', params: tags } },
    { method: 'POST', url, postData: { mimeType: 'application/json', text: '{"id":12345678901234567890}' } },
  ]) {
    const code = new HTTPSnippet(request).convert(target, client)
    writeFileSync('snippet.cjs', client === 'curl' ? code : `(async () => {\n${code}\n})()`)
    await run(client === 'curl' ? 'sh' : 'node', ['snippet.cjs'])
  }
}
process.exit()
END
cat > expected <<'END'
curl
 GET /tasks?tag=red&tag=blue
 POST /tasks tag=red&tag=blue
 POST /tasks {"id":12345678901234567890}
fetch
 GET /tasks?tag=red&tag=blue
 POST /tasks tag=red%2Cblue
 POST /tasks {"id":12345678901234567000}
axios
 GET /tasks?tag[]=red&tag[]=blue
 POST /tasks tag=blue
 POST /tasks {"id":12345678901234567000}
END
node find.mjs > seen
diff expected seen && echo 'as found'
