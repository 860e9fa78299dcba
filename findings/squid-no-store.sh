#!/bin/sh
# Debian's squid 5.7-2+deb12u6, on Debian 12, before a service.
# It reads the directives of Cache-Control in lower case alone, where RFC 9111 makes no difference: an answer that has
# `No-Store` or `No-Cache` is kept and given out again, and one that has `Max-Age` is not kept.
set -eu
package=squid=5.7-2+deb12u6
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
chmod 777 .

cat > find.mjs <<'END'
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

let count = 0;
const service = createServer((request, answer) => {
  count += 1;
  answer.setHeader('cache-control', decodeURIComponent(request.url.slice(1)));
  answer.end(`${count}`);
}).listen(0, '127.0.0.1');
const free = createServer().listen(0, '127.0.0.1');
await pause(100);
const { port } = free.address();
free.close();
writeFileSync('squid.conf', `
http_port 127.0.0.1:${port} accel defaultsite=127.0.0.1 no-vhost
cache_peer 127.0.0.1 parent ${service.address().port} 0 no-query originserver
http_access allow all
access_log none
cache_log ${process.cwd()}/log
pid_filename ${process.cwd()}/pid
coredump_dir ${process.cwd()}
visible_hostname mocked.test
pinger_enable off
shutdown_lifetime 0 seconds
`);
const squid = spawn('squid', ['-N', '-f', 'squid.conf'], { stdio: 'ignore' });
const get = async (control) => (await fetch(`http://127.0.0.1:${port}/${encodeURIComponent(control)}`)).text();
for (let wait = 0; wait < 100 && !await get('no-store').catch(() => false); wait += 1) await pause(100);
await pause(500);
for (const control of ['max-age=60', 'max-age=60, no-store', 'max-age=60, No-Store', 'max-age=60, no-cache', 'max-age=60, No-Cache', 'Max-Age=60']) {
  count = 0;
  console.log(`${control}: ${await get(control)} ${await get(control)}`);
}
squid.kill();
service.close();
service.closeAllConnections();
END
cat > expected <<'END'
max-age=60: 1 1
max-age=60, no-store: 1 2
max-age=60, No-Store: 1 1
max-age=60, no-cache: 1 2
max-age=60, No-Cache: 1 1
Max-Age=60: 1 2
END
node find.mjs > seen
diff expected seen && echo 'as found'
