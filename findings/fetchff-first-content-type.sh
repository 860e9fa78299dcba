#!/bin/sh
# fetchff 4.2.0, on Node 26.10.0.
# By its page the Content-Type of a request follows from its body, and is not set for FormData and Blob. The type of the
# first body that is sent is written into the defaults that all requests share: from then on each one has it, a form of
# files and a GET too. Which one it is depends on the order of a program's requests.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . fetchff@4.2.0

cat > find.mjs <<'END'
import { fork } from 'node:child_process'
import { createServer } from 'node:http'

const form = new FormData()
form.append('title', 'a task')
const bodies = {
  json: { title: 'a task' },
  query: new URLSearchParams({ title: 'a task' }),
  multipart: form,
  none: undefined,
}
if (process.argv[2]) {
  const { fetchf } = await import('fetchff')
  for (const name of process.argv.slice(3))
    await fetchf(process.argv[2], { method: bodies[name] ? 'POST' : 'GET', body: bodies[name] })
  process.exit()
}
let types = []
const server = createServer((request, answer) => {
  types.push((request.headers['content-type'] ?? 'none').split(';')[0])
  answer.end()
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
for (const order of [
  ['json', 'query', 'multipart', 'none'],
  ['query', 'json', 'multipart', 'none'],
  ['multipart', 'none', 'json', 'query'],
]) {
  types = []
  const child = fork('find.mjs', [`http://127.0.0.1:${server.address().port}/`, ...order])
  await new Promise((ended) => child.on('exit', ended))
  console.log(order.map((name, index) => `${name} ${types[index].split('/')[1] ?? 'none'}`).join(', '))
}
process.exit()
END
cat > expected <<'END'
json json, query json, multipart json, none json
query x-www-form-urlencoded, json x-www-form-urlencoded, multipart x-www-form-urlencoded, none x-www-form-urlencoded
multipart form-data, none none, json json, query json
END
node find.mjs > seen
diff expected seen && echo 'as found'
