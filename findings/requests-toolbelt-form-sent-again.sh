#!/bin/sh
# requests-toolbelt 1.0.0 with requests 2.34.2 and urllib3 2.8.0.
# A form of MultipartEncoder that is redirected by a 307, or repeated by Retry after a 503, is announced with its
# length and none of its bytes: the service waits for them. A form of `files` is sent whole, and for a stream that
# cannot be wound back requests and urllib3 have an UnrewindableBodyError.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet requests-toolbelt==1.0.0 requests==2.34.2 urllib3==2.8.0

cat > find.py <<'END'
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import requests
from requests.adapters import HTTPAdapter
from requests_toolbelt import MultipartEncoder
from urllib3.util import Retry

seen = []


class Handler(BaseHTTPRequestHandler):
    def do_PUT(self):
        length = int(self.headers["Content-Length"])
        self.connection.settimeout(2)
        try:
            whole = len(self.rfile.read(length)) == length
        except TimeoutError:
            whole = False
        seen.append("whole" if whole else "nothing came in 2 s")
        self.send_response(int(self.path[1:]) if len(seen) == 1 else 200)
        self.send_header("Location", "/200")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
session = requests.Session()
session.mount("http://", HTTPAdapter(max_retries=Retry(3, status_forcelist=[503])))
for status in (503, 307):
    encoder = MultipartEncoder({"title": "one", "file": ("one.txt", b"text")})
    for name, options in (
        ("files", {"data": {"title": "one"}, "files": {"file": ("one.txt", b"text")}}),
        ("MultipartEncoder", {"data": encoder, "headers": {"Content-Type": encoder.content_type}}),
    ):
        seen.clear()
        session.put(f"http://127.0.0.1:{server.server_port}/{status}", **options)
        print(f"{name}, {status}: first {seen[0]}, then {seen[1]}")
END
cat > expected <<'END'
files, 503: first whole, then whole
MultipartEncoder, 503: first whole, then nothing came in 2 s
files, 307: first whole, then whole
MultipartEncoder, 307: first whole, then nothing came in 2 s
END
env/bin/python find.py > seen
diff expected seen && echo 'as found'
