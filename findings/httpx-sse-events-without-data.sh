#!/bin/sh
# httpx-sse 0.4.3 with httpx 0.28.1.
# The standard of server-sent events: a block that has no `data` is no event; it sets the id or the pause before the
# next connection. httpx-sse gives out an event with an empty text for `retry: 3000`, for a lone `id` and for a lone
# `event`, so that event.json() fails on a stream that begins with its pause. A comment gives no event.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet httpx-sse==0.4.3 httpx==0.28.1

cat > find.py <<'END'
import httpx
import httpx_sse

for block in (": hello", "retry: 3000", "id: 1", "event: done"):
    answer = httpx.Response(200, headers={"Content-Type": "text/event-stream"}, text=f'{block}\n\ndata: "one"\n\n')
    with httpx.Client(transport=httpx.MockTransport(lambda _: answer)) as client:
        with httpx_sse.connect_sse(client, "GET", "http://mocked.test/") as source:
            print(block, [event.data for event in source.iter_sse()])
END
cat > expected <<'END'
: hello ['"one"']
retry: 3000 ['', '"one"']
id: 1 ['', '"one"']
event: done ['', '"one"']
END
env/bin/python find.py > seen
diff expected seen && echo 'as found'
