#!/bin/sh
# cockatiel 4.0.0, a timeout around a retry, on Node 26.10.0.
# By its page retries end when the backoff ceases or cancellation is requested. A signal that ends in the pause between
# two attempts is not looked at after it: the caller was told of the timeout, and then one more attempt starts, a POST
# whose answer nobody waits for. With a signal of the caller's it is the same. p-retry 9.0.0 starts none.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . cockatiel@4.0.0 p-retry@9.0.0

cat > find.mjs <<'END'
import { ConstantBackoff, handleAll, retry, timeout, TimeoutStrategy, wrap } from 'cockatiel'
import pRetry from 'p-retry'

const limit = 450
const pause = 300
async function show(name, run) {
  const begin = performance.now()
  const sent = []
  const send = () => {
    sent.push(performance.now() - begin > limit ? 'after the limit' : 'in time')
    throw new Error('the answer was 503')
  }
  await run(send).catch(() => undefined)
  await new Promise((later) => setTimeout(later, 3 * pause))
  console.log(`${name}: ${sent.join(', ')}`)
}
const repeat = retry(handleAll, { maxAttempts: 5, backoff: new ConstantBackoff(pause) })
await show('cockatiel, timeout', (send) => wrap(timeout(limit, TimeoutStrategy.Aggressive), repeat).execute(send))
await show('cockatiel, signal', (send) => repeat.execute(send, AbortSignal.timeout(limit)))
const options = { retries: 5, minTimeout: pause, factor: 1 }
await show('p-retry, signal', (send) => pRetry(send, { ...options, signal: AbortSignal.timeout(limit) }))
END
cat > expected <<'END'
cockatiel, timeout: in time, in time, after the limit
cockatiel, signal: in time, in time, after the limit
p-retry, signal: in time, in time
END
node find.mjs > seen
diff expected seen && echo 'as found'
