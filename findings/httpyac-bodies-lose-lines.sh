#!/bin/sh
# httpyac 6.16.7, on Node 26.10.0.
# Lines of a body in an `.http` file, below the empty line that ends the headers, are still read as those of the file:
# one that begins with `//` is not sent, nor one like `@due=today`, and of a text with a status line nothing after that.
# The request goes out with the length of what is left, and without an error. Lines that begin with `#` are sent.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . httpyac@6.16.7

cat > find.mjs <<'END'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const service = createServer(async (request, answer) => {
  let body = ''
  for await (const part of request) body += part
  console.log('  sent:', request.headers['content-length'], JSON.stringify(body))
  answer.setHeader('connection', 'close').end()
}).listen(0, '127.0.0.1')
await new Promise((listening) => service.on('listening', listening))
for (const body of ['one\n- two', '# Tasks\none', '// one\ntwo', '@due=today\none', 'one\nHTTP/1.1 200 OK\ntwo']) {
  console.log(JSON.stringify(body))
  writeFileSync('note.http', `POST http://127.0.0.1:${service.address().port}/notes\nContent-Type: text/markdown\n\n${body}\n`)
  await new Promise((done) => execFile('node_modules/.bin/httpyac', ['send', 'note.http', '--all', '--output', 'none', '--silent'], done))
}
service.close()
END
cat > expected <<'END'
"one\n- two"
  sent: 9 "one\n- two"
"# Tasks\none"
  sent: 11 "# Tasks\none"
"// one\ntwo"
  sent: 3 "two"
"@due=today\none"
  sent: 3 "one"
"one\nHTTP/1.1 200 OK\ntwo"
  sent: 3 "one"
END
node find.mjs > seen
diff expected seen && echo 'as found'
