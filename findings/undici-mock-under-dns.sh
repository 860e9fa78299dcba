#!/bin/sh
# undici 8.13.1, MockAgent with interceptors.dns() composed on it, on Node 26.10.0.
# The dns interceptor replaces the host by its address before the MockAgent looks, so that no answer that was set up
# for the name is found. The reset of a test (disableNetConnect) then fails requests that are mocked.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . undici@8.13.1

cat > find.mjs <<'END'
import { interceptors, MockAgent, request } from 'undici'

const mock = new MockAgent()
mock.disableNetConnect()
mock.get('http://localhost:4000').intercept({ path: '/tasks' }).reply(200, 'mocked').persist()
for (const [name, dispatcher] of [
  ['alone', mock],
  ['under dns()', mock.compose(interceptors.dns({ dualStack: false, affinity: 4 }))],
])
  console.log(
    `${name}:`,
    await request('http://localhost:4000/tasks', { dispatcher })
      .then(({ body }) => body.text())
      .catch(({ code, message }) => `${code}, ${/origin \S+/.exec(message)?.[0]}`),
  )
process.exit()
END
cat > expected <<'END'
alone: mocked
under dns(): UND_MOCK_ERR_MOCK_NOT_MATCHED, origin http://127.0.0.1:4000
END
node find.mjs > seen
diff expected seen && echo 'as found'
