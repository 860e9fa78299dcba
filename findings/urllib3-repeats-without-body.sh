#!/bin/sh
# urllib3 2.8.0, alone and under requests 2.34.2.
# A PUT whose body is a generator is sent again after a 503, as Retry says, and after a 307, but the generator is used
# up by then: the repeat has an empty body and gets 200. The upload is empty and the client is told of a success; for
# a body that cannot be wound back there is an UnrewindableBodyError. A file is wound back, but not by urllib3's own
# PoolManager after a 307.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet urllib3==2.8.0 requests==2.34.2

cat > find.py <<'END'
import io
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import requests
import urllib3
from requests.adapters import HTTPAdapter

bodies = []


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_PUT(self):
        body = b""
        if self.headers["Transfer-Encoding"]:
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers["Content-Length"]))
        bodies.append(body.decode())
        self.send_response(int(self.path[1:]) if len(bodies) == 1 else 200)
        self.send_header("Location", "/200")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"
retry = urllib3.Retry(3, status_forcelist=[503])
pool = urllib3.PoolManager()
session = requests.Session()
session.mount("http://", HTTPAdapter(max_retries=retry))
for status in (503, 307):
    for kind, body in (
        ("file", lambda: io.BytesIO(b"onetwo")),
        ("generator", lambda: (part for part in (b"one", b"two"))),
    ):
        for name, put in (
            ("urllib3", lambda: pool.request("PUT", f"{base}/{status}", body=body(), retries=retry).status),
            ("requests", lambda: session.put(f"{base}/{status}", data=body()).status_code),
        ):
            bodies.clear()
            print(f"{name}, {kind}, {status}: {put()}, bodies {bodies}")
END
cat > expected <<'END'
urllib3, file, 503: 200, bodies ['onetwo', 'onetwo']
requests, file, 503: 200, bodies ['onetwo', 'onetwo']
urllib3, generator, 503: 200, bodies ['onetwo', '']
requests, generator, 503: 200, bodies ['onetwo', '']
urllib3, file, 307: 200, bodies ['onetwo', '']
requests, file, 307: 200, bodies ['onetwo', 'onetwo']
urllib3, generator, 307: 200, bodies ['onetwo', '']
requests, generator, 307: 200, bodies ['onetwo', '']
END
env/bin/python find.py > seen
diff expected seen && echo 'as found'
