#!/bin/sh
# requests 2.34.2, httpx 0.28.1 and aiohttp 3.14.3: the links of an answer, by their relation.
# requests and httpx end the URL of a link at a `;` that stands in it, and give out another page without an error; a
# `;` in the title hides the relation. None of the three knows a `next` where `rel` lists two relations, as RFC 8288
# allows and as the page before the last one has it: whoever follows `next` misses the last page.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet requests==2.34.2 httpx==0.28.1 aiohttp==3.14.3

cat > find.py <<'END'
import asyncio

import aiohttp
import httpx
import requests
from aiohttp import web

headers = (
    '</tasks?page=2>; rel="next"',
    '</tasks?sort=age;page=2>; rel="next"',
    '</tasks?page=2>; title="more; older"; rel="next"',
    '</tasks?page=2>; rel="next last"',
)


async def main():
    app = web.Application()
    app.router.add_get("/{n}", lambda request: web.Response(headers={"Link": headers[int(request.path[1:])]}))
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    for n, header in enumerate(headers):
        first = (await asyncio.to_thread(requests.get, f"{base}/{n}")).links
        second = (await asyncio.to_thread(httpx.get, f"{base}/{n}")).links
        async with aiohttp.ClientSession() as session, session.get(f"{base}/{n}") as answer:
            third = answer.links
        print(header)
        for name, links in (("requests", first), ("httpx", second), ("aiohttp", third)):
            print(f"  {name}: {str(links['next']['url']).removeprefix(base) if 'next' in links else None}")
    await runner.cleanup()


asyncio.run(main())
END
cat > expected <<'END'
</tasks?page=2>; rel="next"
  requests: /tasks?page=2
  httpx: /tasks?page=2
  aiohttp: /tasks?page=2
</tasks?sort=age;page=2>; rel="next"
  requests: /tasks?sort=age
  httpx: /tasks?sort=age
  aiohttp: /tasks?sort=age;page=2
</tasks?page=2>; title="more; older"; rel="next"
  requests: None
  httpx: None
  aiohttp: /tasks?page=2
</tasks?page=2>; rel="next last"
  requests: None
  httpx: None
  aiohttp: None
END
env/bin/python find.py > seen
diff expected seen && echo 'as found'
