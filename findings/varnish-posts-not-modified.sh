#!/bin/sh
# Debian's varnish 7.1.1-2+deb12u1, on Debian 12, without any rules of one's own.
# A POST with an If-None-Match reaches the service, and when the answer to it has that ETag the client gets 304 without
# a body: the new task is made and its answer lost, which RFC 9110 has for GET and HEAD alone. A request for two ranges
# of a whole answer gets 416, as if there were none. `Expires: 0`, which is over, is kept for two minutes, and what was
# marked must-revalidate is given out when it is over.
set -eu
package=varnish=7.1.1-2+deb12u1
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.mjs <<'END'
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

let count = 0;
const service = createServer(async (received, answer) => {
  await text(received);
  count += 1;
  if (received.url === '/etag') answer.setHeader('etag', '"a"');
  if (received.url === '/etag') answer.setHeader('cache-control', 'max-age=60');
  if (received.url === '/expires') answer.setHeader('expires', '0');
  if (received.url === '/revalidate') answer.setHeader('cache-control', 'max-age=1, must-revalidate');
  answer.setHeader('content-length', 8).end(`answer ${count}`);
}).listen(0, '127.0.0.1');
await pause(100);
const varnish = spawn('varnishd', ['-F', '-j', 'none', '-n', `${process.cwd()}/state`, '-s', 'malloc,10m',
  '-a', `${process.cwd()}/socket`, '-b', `127.0.0.1:${service.address().port}`], { stdio: 'ignore' });
const send = (method, path, headers, body) => new Promise((resolve, reject) => {
  request({ socketPath: 'socket', method, path, headers }, async (answer) => {
    resolve(`${answer.statusCode} ${await text(answer) || 'no body'}`);
  }).on('error', reject).end(body);
});
const show = async (method, path, headers, body) =>
  console.log(`${method} ${path} ${JSON.stringify(headers)}: ${await send(method, path, headers, body)}`);
for (let wait = 0; wait < 100 && !await send('GET', '/ready', {}).catch(() => false); wait += 1) await pause(100);
count = 0;
await show('POST', '/etag', { 'if-none-match': '"a"' }, 'one');
console.log(`requests to the service: ${count}`);
await show('GET', '/etag', {});
await show('GET', '/etag', { range: 'bytes=0-1' });
await show('GET', '/etag', { range: 'bytes=0-1,3-4' });
await show('GET', '/expires', {});
await show('GET', '/expires', {});
await show('GET', '/revalidate', {});
await pause(2000);
await show('GET', '/revalidate', {});
varnish.kill();
service.close();
service.closeAllConnections();
END
cat > expected <<'END'
POST /etag {"if-none-match":"\"a\""}: 304 no body
requests to the service: 1
GET /etag {}: 200 answer 2
GET /etag {"range":"bytes=0-1"}: 206 an
GET /etag {"range":"bytes=0-1,3-4"}: 416 no body
GET /expires {}: 200 answer 3
GET /expires {}: 200 answer 3
GET /revalidate {}: 200 answer 4
GET /revalidate {}: 200 answer 4
END
node find.mjs > seen
diff expected seen && echo 'as found'
