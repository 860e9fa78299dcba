#!/bin/sh
# Debian's libcpp-httplib-dev 0.11.4+ds-1+deb12u1, on Debian 12.
# With set_follow_location(true) the GET after a 303 has none of the request's headers: without its Accept and its
# Authorization the same service answers in another format, or with 401. After a 301 or 302 a POST is sent on as a POST
# with its headers and its body, where browsers and curl make a GET of it.
set -eu
package=libcpp-httplib-dev=0.11.4+ds-1+deb12u1
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > server.mjs <<'END'
import { createServer } from 'node:http';

const server = createServer(async (request, answer) => {
  let body = '';
  for await (const part of request) body += part;
  const { accept, authorization = 'none' } = request.headers;
  const sent = `${request.method} ${request.url}, Accept ${accept}, Authorization ${authorization}, body ${body || 'none'}\n`;
  const moved = /^\/(30\d)$/.exec(request.url)?.[1];
  if (moved) answer.writeHead(Number(moved), { location: '/tasks' }).end();
  else answer.end(sent);
}).listen(0, '127.0.0.1', () => console.log(server.address().port));
END
node server.mjs > port &
server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done

cat > find.cc <<'END'
#include <httplib.h>
#include <iostream>

int main(int, char **arguments) {
  httplib::Client client("127.0.0.1", std::stoi(arguments[1]));
  client.set_follow_location(true);
  for (auto status : {"302", "303", "307"}) {
    httplib::Headers headers = {{"Accept", "text/csv"}, {"Authorization", "Basic YTpi"}};
    auto answer = client.Post(std::string("/") + status, headers, "{}", "application/json");
    std::cout << status << ": " << answer->body;
  }
}
END
cat > expected <<'END'
302: POST /tasks, Accept text/csv, Authorization Basic YTpi, body {}
303: GET /tasks, Accept */*, Authorization none, body none
307: POST /tasks, Accept text/csv, Authorization Basic YTpi, body {}
END
g++ -std=c++17 find.cc -o find $(pkg-config --cflags --libs cpp-httplib) -pthread
./find "$(cat port)" > seen
diff expected seen && echo 'as found'
