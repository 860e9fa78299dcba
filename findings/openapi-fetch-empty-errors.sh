#!/bin/sh
# openapi-fetch 0.17.0, on Node 26.10.0.
# Its page tells a success from a failure by `error`, and so do its types: without one there is `data`. A 503 without a
# body, as a load balancer gives it, has neither, and one whose body is null has that for an error, so that `if (error)`
# takes each of them for a success.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . openapi-fetch@0.17.0

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import createClient from 'openapi-fetch'

let body
const server = createServer((_, answer) => {
  answer.statusCode = 503
  answer.setHeader('Content-Type', 'application/json')
  if (body === 'an empty chunked one') answer.flushHeaders()
  answer.end(body === 'an empty chunked one' ? '' : body)
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const client = createClient({ baseUrl: `http://127.0.0.1:${server.address().port}` })
for (body of ['{"code":"busy"}', '', 'an empty chunked one', 'null']) {
  const { data, error, response } = await client.GET('/tasks')
  console.log(`503 with ${body || 'no body'}:`, { data, error }, error ? 'a failure' : 'a success', response.status)
}
process.exit()
END
cat > expected <<'END'
503 with {"code":"busy"}: { data: undefined, error: { code: 'busy' } } a failure 503
503 with no body: { data: undefined, error: undefined } a success 503
503 with an empty chunked one: { data: undefined, error: '' } a success 503
503 with null: { data: undefined, error: null } a success 503
END
node find.mjs > seen
diff expected seen && echo 'as found'
