#!/bin/sh
# Debian's php-guzzlehttp-guzzle 7.4.5-1, on Debian 12.
# A POST whose answer ends inside its header is sent again by itself, up to two times, on a new connection each time and
# with CURLOPT_FRESH_CONNECT as well: the caller sees one success. One whose connection ends before any byte of the
# answer is an error at once, as is one that ends inside the body.
set -eu
package=php-guzzlehttp-guzzle=7.4.5-1
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > server.mjs <<'END'
import { createServer } from 'node:net'

const cut = {
  '/header': 'HTTP/1.1 201 Created\r\nContent-Type: applic',
  '/body': 'HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"id"',
  '/nothing': '',
}
const counts = {}
const server = createServer((socket) => {
  let received = ''
  socket.on('error', () => {}).on('data', (data) => {
    received += data
    if (!received.endsWith('{"text":"one"}') && !received.startsWith('GET')) return
    const path = received.split(' ')[1]
    if (path === '/counts') return socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${JSON.stringify(counts)}`)
    const [, how, times] = path.split('-')
    counts[path] = (counts[path] ?? 0) + 1
    socket.end(counts[path] <= Number(times) ? cut[`/${how}`] : 'HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
  })
}).listen(0, '127.0.0.1', () => console.log(server.address().port))
END
node server.mjs > port &
server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done

cat > find.php <<'END'
<?php
require '/usr/share/php/GuzzleHttp/autoload.php';
$service = 'http://127.0.0.1:' . trim(file_get_contents('port'));
foreach ([[], [CURLOPT_FRESH_CONNECT => true]] as $nth => $curl)
  foreach (['header-1', 'header-2', 'header-9', 'nothing-1', 'body-1'] as $how) {
    $client = new GuzzleHttp\Client(['base_uri' => $service, 'curl' => $curl]);
    $path = "/$nth-$how";
    try {
      $status = $client->post($path, ['json' => ['text' => 'one']])->getStatusCode();
    } catch (GuzzleHttp\Exception\TransferException $error) {
      $status = 'an error';
    }
    $counts = json_decode(file_get_contents("$service/counts"), true);
    echo ($nth ? 'fresh connections, ' : '') . "$how: $status, sent {$counts[$path]} times\n";
  }
END
cat > expected <<'END'
header-1: 201, sent 2 times
header-2: 201, sent 3 times
header-9: an error, sent 3 times
nothing-1: an error, sent 1 times
body-1: an error, sent 1 times
fresh connections, header-1: 201, sent 2 times
fresh connections, header-2: 201, sent 3 times
fresh connections, header-9: an error, sent 3 times
fresh connections, nothing-1: an error, sent 1 times
fresh connections, body-1: an error, sent 1 times
END
php find.php > seen
diff expected seen && echo 'as found'
