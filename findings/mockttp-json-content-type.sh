#!/bin/sh
# mockttp 4.6.5, on Node 26.10.0.
# Names of headers have no case, but thenJson replaces its own Content-Type only by one that is spelt the same: with
# 'content-type' both are sent, and fetch joins them into a type that is none. A client that reads problem+json by its
# type fails in the test alone.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . mockttp@4.6.5

cat > find.mjs <<'END'
import { getLocal } from 'mockttp'

const server = getLocal()
await server.start()
for (const name of ['Content-Type', 'content-type']) {
  await server.forGet(`/${name}`).thenJson(409, { title: 'Busy' }, { [name]: 'application/problem+json' })
  const { headers } = await fetch(`${server.url}/${name}`)
  console.log(`${name}: ${headers.get('content-type')}`)
}
process.exit()
END
cat > expected <<'END'
Content-Type: application/problem+json
content-type: application/json, application/problem+json
END
node find.mjs > seen
diff expected seen && echo 'as found'
