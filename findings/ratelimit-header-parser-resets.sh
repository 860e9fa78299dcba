#!/bin/sh
# ratelimit-header-parser 0.1.0, express-rate-limit 8.7.5, express 5.3.0, on Node 26.10.0.
# The first two are of one organisation. Without a header for the reset the parser takes `Retry-After` for it, a number
# of seconds by RFC 9110, and reads it as seconds since 1970: who waits for `reset` sends at once. Its page promises
# undefined where it finds no limit; of what express-rate-limit sends as `draft-8` it makes NaN and an invalid date.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  ratelimit-header-parser@0.1.0 express-rate-limit@8.7.5 express@5.3.0

cat > find.mjs <<'END'
import express from 'express'
import { rateLimit } from 'express-rate-limit'
import { parseRateLimit } from 'ratelimit-header-parser'

const show = (what, headers) => {
  const { limit, remaining, reset } = parseRateLimit(headers) ?? {}
  const seconds = reset === undefined ? undefined : Math.round((reset - Date.now()) / 1000)
  const when = seconds < -1e9 ? reset.toISOString() : `in ${seconds} s`
  console.log(`${what}: limit ${limit}, remaining ${remaining}, reset ${when}`)
}
const names = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0' }
show('x-ratelimit-reset: 120', new Headers({ ...names, 'x-ratelimit-reset': '120' }))
show('retry-after: 120', new Headers({ ...names, 'retry-after': '120' }))

const app = express()
for (const version of ['draft-6', 'draft-7', 'draft-8'])
  app.get(`/${version}`, rateLimit({ limit: 100, windowMs: 60_000, standardHeaders: version, legacyHeaders: false }),
    (request, response) => response.end())
const server = app.listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
for (const version of ['draft-6', 'draft-7', 'draft-8'])
  show(version, await fetch(`http://127.0.0.1:${server.address().port}/${version}`))
server.close()
server.closeAllConnections()
END
cat > expected <<'END'
x-ratelimit-reset: 120: limit 100, remaining 0, reset in 120 s
retry-after: 120: limit 100, remaining 0, reset 1970-01-01T00:02:00.000Z
draft-6: limit 100, remaining 99, reset in 60 s
draft-7: limit 100, remaining 99, reset in 60 s
draft-8: limit NaN, remaining NaN, reset in NaN s
END
node find.mjs > seen
diff expected seen && echo 'as found'
