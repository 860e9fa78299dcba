#!/bin/sh
# tenacity 9.1.4.
# One Retrying can be shared by threads. One AsyncRetrying that two tasks go through with `async for` at the same time
# keeps the state of one of them: the block that fails is neither tried again nor reported, and its task ends as if it
# had succeeded. With an AsyncRetrying for each task it is tried three times and the error is raised.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet tenacity==9.1.4

cat > find.py <<'END'
import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

from tenacity import AsyncRetrying, Retrying, stop_after_attempt

options = {"stop": stop_after_attempt(3), "reraise": True}


def in_thread(retrying, fails):
    tries = 0
    try:
        for attempt in retrying:
            with attempt:
                tries += 1
                time.sleep(0.3 if fails else 0.1)
                if fails:
                    raise ValueError
    except ValueError:
        return f"{tries} tries and the error"
    return f"{tries} tries and no error"


async def in_task(retrying, fails):
    tries = 0
    try:
        async for attempt in retrying:
            with attempt:
                tries += 1
                await asyncio.sleep(0.3 if fails else 0.1)
                if fails:
                    raise ValueError
    except ValueError:
        return f"{tries} tries and the error"
    return f"{tries} tries and no error"


async def tasks(retrying):
    return (await asyncio.gather(in_task(retrying(), True), in_task(retrying(), False)))[0]


with ThreadPoolExecutor() as pool:
    shared = Retrying(**options)
    failing = pool.submit(in_thread, shared, True)
    pool.submit(in_thread, shared, False)
    print("threads, one Retrying:", failing.result())
print("tasks, two AsyncRetrying:", asyncio.run(tasks(lambda: AsyncRetrying(**options))))
shared = AsyncRetrying(**options)
print("tasks, one AsyncRetrying:", asyncio.run(tasks(lambda: shared)))
END
cat > expected <<'END'
threads, one Retrying: 3 tries and the error
tasks, two AsyncRetrying: 3 tries and the error
tasks, one AsyncRetrying: 1 tries and no error
END
env/bin/python find.py > seen
diff expected seen && echo 'as found'
