#!/bin/sh
# vitest 5.1.2, vi.setTimerTickMode('nextTimerAsync'), with ky 2.1.0 and a real server, on Node 26.10.0.
# The mode that lets fake timers run by themselves fires the first timer as soon as nothing else is due. While a real
# server takes 500 ms, that is ky's own time limit of 10 s: the call fails as timed out after less than the pause of
# the server. With real timers the same call is answered.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . vitest@5.1.2 ky@2.1.0

cat > find.test.mjs <<'END'
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import ky from 'ky'
import { test, vi } from 'vitest'

const realTimeout = setTimeout

test('a call under each kind of timers', async () => {
  const server = createServer((_, answer) => realTimeout(() => answer.end('done'), 500)).listen(0, '127.0.0.1')
  await new Promise((listening) => server.on('listening', listening))
  const call = () =>
    ky(`http://127.0.0.1:${server.address().port}/`, { retry: 0 })
      .text()
      .catch(({ name }) => name)
  vi.useFakeTimers()
  vi.setTimerTickMode('nextTimerAsync')
  appendFileSync('seen', `timers that tick: ${await call()}\n`)
  vi.useRealTimers()
  appendFileSync('seen', `real timers: ${await call()}\n`)
  server.closeAllConnections()
  server.close()
})
END
cat > expected <<'END'
timers that tick: TimeoutError
real timers: done
END
npx vitest run --reporter=dot > log 2>&1 || { cat log; exit 1; }
diff expected seen && echo 'as found'
