#!/bin/sh
# axios-mock-adapter 2.1.0, axios 1.21.1, on Node 26.10.0.
# A mocked answer that delayResponse holds back arrives despite a shorter timeout of the request. A signal is heeded,
# but only when the delay is over: the program learns after 1,500 ms of what it ended after 100.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . axios@1.21.1 axios-mock-adapter@2.1.0

cat > find.mjs <<'END'
import axios from 'axios'
import MockAdapter from 'axios-mock-adapter'

const client = axios.create()
new MockAdapter(client, { delayResponse: 1_500 }).onGet('/').reply(200, 'late')
for (const [name, options] of [
  ['timeout', () => ({ timeout: 100 })],
  ['signal', () => ({ signal: AbortSignal.timeout(100) })],
]) {
  const start = performance.now()
  const outcome = await client.get('/', options()).then(
    ({ data }) => data,
    ({ code }) => code,
  )
  console.log(`${name} of 100 ms: ${outcome}, waited for the delay:`, performance.now() - start > 1_400)
}
END
cat > expected <<'END'
timeout of 100 ms: late, waited for the delay: true
signal of 100 ms: ERR_CANCELED, waited for the delay: true
END
node find.mjs > seen
diff expected seen && echo 'as found'
