#!/bin/sh
# axios-mock-adapter 2.1.0 with axios-retry 4.5.0, axios 1.21.1, on Node 26.10.0.
# axios-retry waits as Retry-After says only if the mocked answer spells the header in lower case, as Node does. With
# the spelling of the standard it repeats at once, although response.headers is an AxiosHeaders, whose get() finds it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . axios@1.21.1 axios-mock-adapter@2.1.0 axios-retry@4.5.0

cat > find.mjs <<'END'
import axios from 'axios'
import MockAdapter from 'axios-mock-adapter'
import axiosRetry from 'axios-retry'

for (const header of ['Retry-After', 'retry-after']) {
  const client = axios.create()
  axiosRetry(client, { retries: 1 })
  const mock = new MockAdapter(client)
  mock.onGet('/tasks').replyOnce(503, '', { [header]: '3' }).onGet('/tasks').reply(200)
  let found
  client.interceptors.response.use(undefined, (error) => {
    found = error.response.headers.get('retry-after')
    throw error
  })
  const start = performance.now()
  await client.get('/tasks')
  console.log(`${header}: 3 -> waited`, performance.now() - start > 2_500)
}
const bare = axios.create()
new MockAdapter(bare).onGet('/').reply(200, '', { 'Retry-After': '3' })
const { headers } = await bare.get('/')
console.log(headers.constructor.name, headers.get('retry-after'), headers['retry-after'])
END
cat > expected <<'END'
Retry-After: 3 -> waited false
retry-after: 3 -> waited true
AxiosHeaders 3 undefined
END
node find.mjs > seen
diff expected seen && echo 'as found'
