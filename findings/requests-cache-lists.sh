#!/bin/sh
# Debian's python3-requests-cache 0.9.8-1, on Debian 12.
# With POST among the allowable methods, as its page has it for searches, two bodies that are lists in another order are
# one request: the second gets the answer to the first, where a list within an object tells them apart. `?done=` is the
# request without a query, though `?done` is not. And with cache_control set, a PUT or DELETE of a URL leaves what is
# kept of it, and Vary is not heeded unless match_headers is set.
set -eu
package=python3-requests-cache=0.9.8-1
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.py <<'END'
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import requests_cache


class Service(BaseHTTPRequestHandler):
    count = 0

    def answer(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        Service.count += 1
        self.send_response(200)
        self.send_header("Cache-Control", "max-age=60")
        self.send_header("Vary", "Accept")
        self.end_headers()
        self.wfile.write(str(Service.count).encode())

    def log_message(self, *_):
        pass

    do_GET = do_POST = do_PUT = do_DELETE = answer


server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/tasks"


def answers(name, *requests):
    Service.count = 0
    session = requests_cache.CachedSession(
        backend="memory", allowable_methods=("GET", "POST"), cache_control=True, expire_after=60
    )
    print(f"{name}:", *(session.request(method, url + more, **rest).text for method, more, rest in requests))


answers("two words", *(("POST", "", {"json": word}) for word in ("red", "blue")))
answers("two lists", *(("POST", "", {"json": order}) for order in (["red", "blue"], ["blue", "red"])))
answers("two lists in objects", *(("POST", "", {"json": {"sort": s}}) for s in (["red", "blue"], ["blue", "red"])))
answers("no query, ?done=, ?done", *(("GET", query, {}) for query in ("", "?done=", "?done")))
answers("GET, PUT, GET, DELETE, GET", *((method, "", {}) for method in ("GET", "PUT", "GET", "DELETE", "GET")))
answers("two types", *(("GET", "", {"headers": {"Accept": accept}}) for accept in ("text/csv", "application/json")))
END
cat > expected <<'END'
two words: 1 2
two lists: 1 1
two lists in objects: 1 2
no query, ?done=, ?done: 1 1 2
GET, PUT, GET, DELETE, GET: 1 2 1 3 1
two types: 1 1
END
/usr/bin/python3 find.py > seen
diff expected seen && echo 'as found'
