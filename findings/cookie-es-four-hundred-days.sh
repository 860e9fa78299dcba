#!/bin/sh
# cookie-es 3.1.1, parseSetCookie(), on Node 26.10.0.
# It reads a cookie that is to last longer than 400 days as one of 400 days, which is the limit of a browser: a test
# sees a Max-Age that the service did not send, and another Expires at each run. set-cookie-parser 3.2.3 reads what
# was sent.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . cookie-es@3.1.1 set-cookie-parser@3.2.3

cat > find.mjs <<'END'
import { parseSetCookie } from 'cookie-es'
import { parseString } from 'set-cookie-parser'

const days = (cookie) => (cookie.maxAge ?? (cookie.expires - Date.now()) / 1000) / (24 * 60 * 60)
for (const sent of ['Max-Age=31536000', 'Max-Age=63072000', 'Expires=Wed, 01 Jan 2098 00:00:00 GMT']) {
  const read = [parseString, parseSetCookie].map((parse) => days(parse(`session=1; ${sent}`)))
  console.log(`${sent}: ${read.map((number) => (number > 1000 ? 'thousands' : Math.round(number))).join(', ')} days`)
}
END
cat > expected <<'END'
Max-Age=31536000: 365, 365 days
Max-Age=63072000: 730, 400 days
Expires=Wed, 01 Jan 2098 00:00:00 GMT: thousands, 400 days
END
node find.mjs > seen
diff expected seen && echo 'as found'
