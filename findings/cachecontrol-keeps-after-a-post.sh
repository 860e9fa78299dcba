#!/bin/sh
# CacheControl 0.14.4 with requests 2.34.2; httplib2 0.22.0.
# RFC 9111 4.4: a cache must drop what it holds of a URL when an unsafe request to it has succeeded. CacheControl does
# so after PUT, PATCH and DELETE and not after POST: a client that adds an entry and lists again gets the old list.
# httplib2 asks the service.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet CacheControl==0.14.4 requests==2.34.2 httplib2==0.22.0

cat > find.py <<'END'
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import httplib2
import requests
from cachecontrol import CacheControl

changes = 0


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        global changes
        changes += self.command != "GET"
        self.send_response(200)
        if self.command == "GET":
            self.send_header("Cache-Control", "max-age=600")
        self.end_headers()
        self.wfile.write(b"%d" % changes)

    do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/tasks"
for method in ("PUT", "PATCH", "DELETE", "POST"):
    session = CacheControl(requests.Session())
    other = httplib2.Http(f"cache-{method}")
    for name, send in (
        ("CacheControl", lambda verb: session.request(verb, url).text),
        ("httplib2", lambda verb: other.request(url, verb)[1].decode()),
    ):
        before = send("GET")
        send(method)
        print(f"{name}: after {method} the {'old' if send('GET') == before else 'new'} list")
END
cat > expected <<'END'
CacheControl: after PUT the new list
httplib2: after PUT the new list
CacheControl: after PATCH the new list
httplib2: after PATCH the new list
CacheControl: after DELETE the new list
httplib2: after DELETE the new list
CacheControl: after POST the old list
httplib2: after POST the new list
END
env/bin/python find.py > seen
diff expected seen && echo 'as found'
