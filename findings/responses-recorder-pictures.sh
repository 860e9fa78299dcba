#!/bin/sh
# responses 0.26.3 with requests 2.34.2.
# The recorder of responses keeps a body as text, in an encoding that is guessed: a recorded picture is another one
# when it is played, without a word. Two Set-Cookie headers are played as one that joins both: the first cookie has
# the second for a value, and the second is not there.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet responses==0.26.3 requests==2.34.2

cat > find.py <<'END'
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import requests
import responses
from responses import _recorder

picture = b"\x89PNG\r\n\x1a\n\xff"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Set-Cookie", "session=1")
        self.send_header("Set-Cookie", "theme=dark")
        self.end_headers()
        self.wfile.write(picture)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()


def show(name):
    answer = requests.get(f"http://127.0.0.1:{server.server_port}/")
    print(f"{name}: the picture {answer.content == picture}, {answer.cookies.get_dict()}")


_recorder.record(file_path="recorded.yaml")(show)("recorded")
with responses.RequestsMock() as mock:
    mock._add_from_file(file_path="recorded.yaml")
    show("played")
END
cat > expected <<'END'
recorded: the picture True, {'session': '1', 'theme': 'dark'}
played: the picture False, {'session': '1, theme=dark'}
END
env/bin/python find.py > seen
diff expected seen && echo 'as found'
