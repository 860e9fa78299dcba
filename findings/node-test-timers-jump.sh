#!/bin/sh
# node:test, its mock.timers, on Node 26.10.0, with @sinonjs/fake-timers 15.5.0.
# tick() moves the clock to its end first and then runs the timers. A timer that another one starts counts from that
# end, so of three pauses of a retry a tick of a minute runs one. Date shows the end too: all timers of the tick seem to
# fire at one time. @sinonjs/fake-timers, which is that of Vitest and Jest, moves the clock from timer to timer.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @sinonjs/fake-timers@15.5.0

cat > find.mjs <<'END'
import { mock } from 'node:test'
import { install } from '@sinonjs/fake-timers'

/** Repeats a request after pauses of 1, 2 and 4 s, and asks at 5 s and at 50 s what time it is. */
function start() {
  const sent = []
  const attempt = (pause) => {
    sent.push(`${Date.now() / 1000} s`)
    if (pause <= 4000) setTimeout(() => attempt(2 * pause), pause)
  }
  attempt(1000)
  const asked = []
  for (const time of [5000, 50000]) setTimeout(() => asked.push(`${Date.now() / 1000} s`), time)
  return () => `sent at ${sent.join(', ')}; asked at ${asked.join(', ')}`
}

const clock = install({ now: 0 })
const told = start()
clock.tick(60000)
console.log('fake-timers:', told())
clock.uninstall()

mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
const toldByNode = start()
mock.timers.tick(60000)
console.log('node:test:', toldByNode())
END
cat > expected <<'END'
fake-timers: sent at 0 s, 1 s, 3 s, 7 s; asked at 5 s, 50 s
node:test: sent at 0 s, 60 s; asked at 60 s, 60 s
END
node find.mjs > seen
diff expected seen && echo 'as found'
