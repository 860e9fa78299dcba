#!/bin/sh
# Debian's python3-aioresponses 0.7.4-1 with python3-aiohttp 3.8.4-1+deb12u2, on Debian 12; so with aioresponses 0.7.9.
# A parameter without a value counts for nothing: the mock of `/tasks` answers `/tasks?cursor=` and `/tasks?archived`,
# and the list of requests has `/tasks` for them, so that no test can tell whether a client sent it. One with a value
# counts.
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
from aioresponses import aioresponses


async def main():
    async with aiohttp.ClientSession() as session:
        for mocked, sent in (
            ("/tasks", "/tasks?cursor=1"),
            ("/tasks", "/tasks?cursor="),
            ("/tasks", "/tasks?archived"),
            ("/tasks?cursor=", "/tasks"),
        ):
            with aioresponses() as mock:
                mock.get(f"http://mocked.test{mocked}")
                try:
                    await session.get(f"http://mocked.test{sent}")
                except aiohttp.ClientConnectionError:
                    print(f"{mocked} does not answer {sent}")
                else:
                    print(f"{mocked} answers {sent}, listed as {[url.path_qs for _, url in mock.requests]}")


asyncio.run(main())
END
cat > expected <<'END'
/tasks does not answer /tasks?cursor=1
/tasks answers /tasks?cursor=, listed as ['/tasks']
/tasks answers /tasks?archived, listed as ['/tasks']
/tasks?cursor= answers /tasks, listed as ['/tasks']
END
/usr/bin/python3 find.py > seen
diff expected seen && echo 'as found'
