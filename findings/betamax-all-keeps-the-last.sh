#!/bin/sh
# Debian's python3-betamax 0.8.1-3 with python3-requests 2.28.1+dfsg-1, on Debian 12.
# By its page the record mode `all` records every interaction. Where a request is sent again in the same session, what
# was recorded of it before is taken out of the cassette: of three polls of a task the last is left, as if the task had
# been finished at once. `once` and `new_episodes` keep the three.
set -eu
for package in python3-betamax=0.8.1-3 python3-requests=2.28.1+dfsg-1; do
  installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
  [ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.py <<'END'
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import betamax
import requests

statuses = iter(['pending', 'in_progress', 'completed'] * 3)


class Service(BaseHTTPRequestHandler):
    def do_GET(self):
        body = next(statuses).encode()
        self.send_response(200)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = HTTPServer(('127.0.0.1', 0), Service)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f'http://127.0.0.1:{server.server_port}/tasks/1'
for mode in ('all', 'new_episodes', 'once'):
    session = requests.Session()
    with betamax.Betamax(session, cassette_library_dir='.').use_cassette(mode, record=mode):
        answers = [session.get(url).text for _ in range(3)]
    with open(f'{mode}.json') as cassette:
        recorded = [one['response']['body']['string'] for one in json.load(cassette)['http_interactions']]
    print(f'{mode}: answered {" ".join(answers)}; recorded {" ".join(recorded)}')
END
cat > expected <<'END'
all: answered pending in_progress completed; recorded completed
new_episodes: answered pending in_progress completed; recorded pending in_progress completed
once: answered pending in_progress completed; recorded pending in_progress completed
END
/usr/bin/python3 find.py > seen
diff expected seen && echo 'as found'
