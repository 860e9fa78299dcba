#!/bin/sh
# axios-cache-interceptor 1.12.3 with axios 1.21.1, on Node 26.10.0.
# What a request asked for as `responseType` is no part of its key: whoever asks next for the same address as text or as
# bytes gets what the first one got, an object of parsed JSON, though `responseType` in the answer's own config says
# otherwise. And the `timeout` of the second is not applied while it waits for the first.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . axios@1.21.1 axios-cache-interceptor@1.12.3

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import axios from 'axios'
import { setupCache } from 'axios-cache-interceptor'

const server = createServer(({ url }, answer) => {
  answer.setHeader('content-type', 'application/json')
  setTimeout(() => answer.end('{"id":1}'), url === '/slow' ? 400 : 0)
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const baseURL = `http://127.0.0.1:${server.address().port}`

for (const [name, client] of [
  ['axios', axios.create({ baseURL })],
  ['cached', setupCache(axios.create({ baseURL }))],
]) {
  for (const responseType of ['json', 'text', 'arraybuffer']) {
    const { data } = await client.get('/task', { responseType })
    console.log(`${name}, ${responseType}: ${data.constructor.name}`)
  }
  const first = client.get('/slow')
  const second = client.get('/slow', { timeout: 100 })
  console.log(`${name}, timeout 0.1 s: ${await second.then(({ status }) => status, ({ code }) => code)}`)
  await first
}
process.exit()
END
cat > expected <<'END'
axios, json: Object
axios, text: String
axios, arraybuffer: Buffer
axios, timeout 0.1 s: ECONNABORTED
cached, json: Object
cached, text: Object
cached, arraybuffer: Object
cached, timeout 0.1 s: 200
END
node find.mjs > seen
diff expected seen && echo 'as found'
