#!/bin/sh
# wait-for-expect 4.0.0 and p-wait-for 6.0.0, on Node 26.10.0.
# A limit of half a second. Where each look takes 0.4 s, wait-for-expect gives up after three seconds: it makes of the
# limit a number of tries, with its own values 90, which takes three minutes if each takes two seconds. p-wait-for waits
# for the look that is under way, and no longer.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . p-wait-for@6.0.0 wait-for-expect@4.0.0

cat > find.mjs <<'END'
import { createRequire } from 'node:module'
import pWaitFor from 'p-wait-for'

const require = createRequire(import.meta.url)
const waitForExpect = require('wait-for-expect')
const limit = 500
const interval = 100
const sleep = (time) => new Promise((later) => setTimeout(later, time))
async function show(name, duration, poll) {
  let looks = 0
  const begin = performance.now()
  const look = async () => {
    looks += 1
    await sleep(duration)
    return false
  }
  await poll(look).catch(() => undefined)
  const before = looks
  const after = Math.round((performance.now() - begin) / 500) / 2
  await sleep(2500)
  console.log(`${name}, ${duration} ms each: ${duration > 1 ? `looks before that ${before}, ` : ''}gave up after about ${after} s`)
}
const expectation = (look) => async () => {
  if (!(await look())) throw new Error('not yet')
}
for (const duration of [1, 400])
  await show('wait-for-expect', duration, (look) => (waitForExpect.default ?? waitForExpect)(expectation(look), limit, interval))
for (const duration of [1, 1000])
  await show('p-wait-for', duration, (look) => pWaitFor(look, { interval, timeout: limit }))
END
cat > expected <<'END'
wait-for-expect, 1 ms each: gave up after about 0.5 s
wait-for-expect, 400 ms each: looks before that 6, gave up after about 3 s
p-wait-for, 1 ms each: gave up after about 0.5 s
p-wait-for, 1000 ms each: looks before that 1, gave up after about 1 s
END
node find.mjs > seen
diff expected seen && echo 'as found'
