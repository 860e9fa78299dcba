#!/bin/sh
# undici 8.13.1, Request, on Node 26.10.0.
# A listener on the signal of a Request is lost when nothing holds the Request any more and memory is collected: the
# sender's abort is not heard, though a listener is there. A signal of AbortSignal.any() in its place hears it. So code
# that keeps only `request.signal` of a request, such as a handler that waits, now and then waits for ever.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . undici@8.13.1

cat > find.mjs <<'END'
import { Request } from 'undici'

async function hears(follow) {
  const sender = new AbortController()
  let heard = false
  follow(sender.signal).addEventListener('abort', () => (heard = true))
  for (let turn = 0; turn < 10; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    globalThis.gc()
  }
  sender.abort()
  return heard
}

const requests = []
const url = 'http://127.0.0.1/'
console.log('a Request that is held:', await hears((signal) => requests[requests.push(new Request(url, { signal })) - 1].signal))
console.log('a Request that is not:', await hears((signal) => new Request(url, { signal }).signal))
console.log('AbortSignal.any:', await hears((signal) => AbortSignal.any([signal])))
END
cat > expected <<'END'
a Request that is held: true
a Request that is not: false
AbortSignal.any: true
END
node --expose-gc find.mjs > seen
diff expected seen && echo 'as found'
