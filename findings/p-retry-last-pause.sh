#!/bin/sh
# p-retry 9.0.0, maxRetryTime, on Node 26.10.0.
# Near its end the pause between two attempts is cut to the time that is left, below minTimeout: with minTimeout at
# 2 s and 3 s in all, an attempt follows after less than a second. Somebody who sets minTimeout to what a service
# asks for is too early just then.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . p-retry@9.0.0

cat > find.mjs <<'END'
import pRetry from 'p-retry'

const starts = []
await pRetry(
  () => {
    starts.push(performance.now())
    throw new Error('unavailable')
  },
  { retries: 9, minTimeout: 2_000, factor: 1, maxRetryTime: 3_000 },
).catch(() => {})
const pauses = starts.slice(1).map((start, at) => start - starts[at])
console.log('first pause at least minTimeout:', pauses[0] >= 1_990)
console.log('a later pause below minTimeout:', pauses.slice(1).some((pause) => pause < 1_990))
END
cat > expected <<'END'
first pause at least minTimeout: true
a later pause below minTimeout: true
END
node find.mjs > seen
diff expected seen && echo 'as found'
