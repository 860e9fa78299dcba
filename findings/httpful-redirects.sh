#!/bin/sh
# Debian's php-httpful 0.3.2-2, on Debian 12.
# With followRedirects(), a POST that is answered with 301, 302 or 303 is sent on as a POST without its body, and still
# announces the length and the type of it: the service waits for bytes that never come, or takes an empty document.
# After a 307 it is right. As JSON it sends true as 1 and false as nothing, and reads an answer of 0 as null.
set -eu
package=php-httpful=0.3.2-2
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > server.mjs <<'END'
import { createServer } from 'node:net';

const server = createServer((socket) => {
  let received = '';
  socket.on('error', () => {}).on('data', (data) => { received += data; });
  setTimeout(() => {
    const [head, body] = received.split('\r\n\r\n');
    const [method, path] = head.split(' ');
    const length = /^content-length: *(\d+)/im.exec(head)?.[1] ?? 'none';
    console.error(`${method} ${path}, length ${length}, body ${body || 'none'}`);
    const moved = /^\/(30\d)$/.exec(path)?.[1];
    socket.end(moved ? `HTTP/1.1 ${moved} Moved\r\nLocation: /tasks\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
      : 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1\r\nConnection: close\r\n\r\n0');
  }, 300);
}).listen(0, '127.0.0.1', () => console.log(server.address().port));
END
node server.mjs > port 2> seen &
server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done

cat > find.php <<'END'
<?php
error_reporting(0);
require '/usr/share/php/Httpful/autoload.php';
$service = 'http://127.0.0.1:' . trim(file_get_contents('port'));
foreach ([301, 302, 303, 307] as $status) {
    Httpful\Request::post("$service/$status", '{"id":1}')->sendsJson()->followRedirects()->send();
}
foreach ([true, false] as $flag) {
    $answer = Httpful\Request::post("$service/flag", $flag)->sendsJson()->send();
}
echo "$answer->raw_body is read as ", json_encode($answer->body), "\n";
END
cat > expected <<'END'
POST /301, length 8, body {"id":1}
POST /tasks, length 8, body none
POST /302, length 8, body {"id":1}
POST /tasks, length 8, body none
POST /303, length 8, body {"id":1}
POST /tasks, length 8, body none
POST /307, length 8, body {"id":1}
POST /tasks, length 8, body {"id":1}
POST /flag, length 1, body 1
POST /flag, length 0, body none
0 is read as null
END
php find.php > read
cat seen read | diff expected - && echo 'as found'
