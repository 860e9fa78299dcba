#!/bin/sh
# responses 0.26.3 with requests 2.34.2 and urllib3 2.8.0; respx 0.23.1 with httpx 0.28.1.
# A Session with Retry repeats a connection that is refused, and so does a transport of httpx with `retries`. The same
# error from a mock, a ConnectionError as body or a ConnectError as side effect, is repeated by neither, though
# responses repeats a mocked 503: a test of what a client does when the service is back a moment later sees it give
# up.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet responses==0.26.3 requests==2.34.2 urllib3==2.8.0 respx==0.23.1 httpx==0.28.1

cat > find.py <<'END'
import socket

import httpx
import requests
import responses
import respx
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

url = "http://mocked.test/"
session = requests.Session()
session.mount("http://", HTTPAdapter(max_retries=Retry(2, status_forcelist=[503])))


def count_connections():
    tries = []

    class Counting(socket.socket):
        def connect(self, address):
            tries.append(address)
            return super().connect(address)

    return tries, Counting


with socket.socket() as closed:
    closed.bind(("127.0.0.1", 0))
    port = closed.getsockname()[1]
    tries, Counting = count_connections()
    original, socket.socket = socket.socket, Counting
    for name, send in (
        ("requests", lambda: session.get(f"http://127.0.0.1:{port}/")),
        ("httpx", lambda: httpx.Client(transport=httpx.HTTPTransport(retries=2)).get(f"http://127.0.0.1:{port}/")),
    ):
        tries.clear()
        try:
            send()
        except (requests.ConnectionError, httpx.ConnectError):
            print(f"{name}, refused: {len(tries)} tries")
    socket.socket = original
for name, answer in (("a 503", {"status": 503}), ("refused", {"body": requests.ConnectionError("refused")})):
    with responses.RequestsMock() as mock:
        mock.get(url, **answer)
        try:
            session.get(url)
        except requests.RequestException:
            print(f"responses, {name}: {len(mock.calls)} tries")
with respx.mock as mock:
    route = mock.get(url).mock(side_effect=httpx.ConnectError)
    try:
        httpx.Client(transport=httpx.HTTPTransport(retries=2)).get(url)
    except httpx.ConnectError:
        print(f"respx, refused: {route.call_count} tries")
END
cat > expected <<'END'
requests, refused: 3 tries
httpx, refused: 3 tries
responses, a 503: 3 tries
responses, refused: 1 tries
respx, refused: 1 tries
END
env/bin/python find.py > seen
diff expected seen && echo 'as found'
