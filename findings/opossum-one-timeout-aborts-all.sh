#!/bin/sh
# opossum 10.0.0, on Node 26.10.0.
# With an `abortController` a call that times out is aborted; `autoRenewAbortController` is there for the calls after it.
# All calls share one controller until the breaker half opens or closes. One timeout in twenty calls leaves it closed:
# that timeout aborts a call beside it that is in time, and all later ones fail before they are sent, until so many have
# failed that the breaker opens.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . opossum@10.0.0

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import CircuitBreaker from 'opossum'

const sent = []
const server = createServer(({ url }, answer) => {
  sent.push(url)
  setTimeout(() => answer.end(), Number(url.slice(1)))
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const get = (pause) => fetch(`http://127.0.0.1:${server.address().port}/${pause}`, { signal: breaker.getSignal() })
const breaker = new CircuitBreaker(get, {
  timeout: 500,
  abortController: new AbortController(),
  autoRenewAbortController: true,
  volumeThreshold: 20,
})
const fire = (pause) => breaker.fire(pause).then(({ status }) => status, (error) => error.code ?? error.name)

console.log('fast:', await fire(0))
const slow = fire(2000)
await sleep(250)
const beside = fire(400)
console.log('slow:', await slow)
console.log('beside the slow one, in time:', (await beside) === 200 ? 200 : 'aborted')
const before = sent.length
for (const time of ['next', 'one after']) console.log(`${time}:`, (await fire(0)) === 200 ? 200 : 'aborted')
console.log(`sent of these two: ${sent.length - before}; the breaker is ${breaker.opened ? 'open' : 'closed'}`)
process.exit()
END
cat > expected <<'END'
fast: 200
slow: ETIMEDOUT
beside the slow one, in time: aborted
next: aborted
one after: aborted
sent of these two: 0; the breaker is closed
END
node find.mjs > seen
diff expected seen && echo 'as found'
