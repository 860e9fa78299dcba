#!/bin/sh
# responses 0.26.3 with CacheControl 0.14.4 and requests 2.34.2.
# CacheControl caches a real answer. It never caches a mocked one, since responses replaces the method that builds the
# answer: a test that the second call sends nothing fails, and a test of what the service is asked passes whatever the
# cache does.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet responses==0.26.3 CacheControl==0.14.4 requests==2.34.2

cat > find.py <<'END'
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import requests
import responses
from cachecontrol import CacheControl

asked = 0


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        global asked
        asked += 1
        self.send_response(200)
        self.send_header("Cache-Control", "max-age=600")
        self.end_headers()
        self.wfile.write(b"text")

    def log_message(self, *_):
        pass


def twice(url):
    session = CacheControl(requests.Session())
    return [session.get(url).text for _ in range(2)]


server = HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print("real:", twice(f"http://127.0.0.1:{server.server_port}/"), asked)
with responses.RequestsMock() as mock:
    mock.get("http://mocked.test/", body="text", headers={"Cache-Control": "max-age=600"})
    print("mocked:", twice("http://mocked.test/"), len(mock.calls))
END
cat > expected <<'END'
real: ['text', 'text'] 1
mocked: ['text', 'text'] 2
END
env/bin/python find.py > seen
diff expected seen && echo 'as found'
