#!/bin/sh
# Debian's python3-aioresponses 0.7.4-1 with python3-aiohttp 3.8.4-1+deb12u2, on Debian 12; so with aioresponses 0.7.9.
# aiohttp sends a POST or DELETE again after a 307 or 308. Under aioresponses it is a GET, whatever the status, with
# the answer to the GET of the target; and what was sent to the target is not among the requests that a test looks at.
set -eu
for package in python3-aioresponses=0.7.4-1 python3-aiohttp=3.8.4-1+deb12u2; do
  installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
  [ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.py <<'END'
import asyncio

import aiohttp
from aiohttp import web
from aioresponses import aioresponses

listed = []


async def answer(request):
    listed.append(f"{request.method} {request.path}")
    if request.path == "/target":
        return web.Response(text=request.method)
    return web.Response(status=int(request.path[1:]), headers={"Location": "/target"})


async def main():
    app = web.Application()
    app.router.add_route("*", "/{path}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    async with aiohttp.ClientSession() as session:
        for status, method in ((303, "POST"), (307, "POST"), (308, "DELETE")):
            listed.clear()
            got = await (await session.request(method, f"{base}/{status}")).text()
            print(f"real {status}: answer to {got}, listed {listed}")
            with aioresponses() as mock:
                mock.add(f"http://mocked.test/{status}", method, status=status, headers={"Location": "/target"})
                for name in ("GET", "POST", "DELETE"):
                    mock.add("http://mocked.test/target", name, body=name)
                got = await (await session.request(method, f"http://mocked.test/{status}")).text()
                sent = [f"{name} {url.path}" for name, url in mock.requests]
                print(f"mocked {status}: answer to {got}, listed {sent}")
    await runner.cleanup()


asyncio.run(main())
END
cat > expected <<'END'
real 303: answer to GET, listed ['POST /303', 'GET /target']
mocked 303: answer to GET, listed ['POST /303']
real 307: answer to POST, listed ['POST /307', 'POST /target']
mocked 307: answer to GET, listed ['POST /307']
real 308: answer to DELETE, listed ['DELETE /308', 'DELETE /target']
mocked 308: answer to GET, listed ['DELETE /308']
END
/usr/bin/python3 find.py > seen
diff expected seen && echo 'as found'
