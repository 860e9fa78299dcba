#!/bin/sh
# parse-link-header 2.0.0, @web3-storage/parse-link-header 3.1.0, with http-link-header 1.1.4, on Node 26.10.0.
# By RFC 8288 names of parameters are the same in any letter case, spaces may stand around `=`, and a quoted value may
# hold a semicolon. These two find no link where the service writes `Rel`, or a space before `=`; and they read `rel`
# out of a title, so that the next page is the previous one. A client that follows `next` ends after the first page.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  parse-link-header@2.0.0 @web3-storage/parse-link-header@3.1.0 http-link-header@1.1.4

cat > find.mjs <<'END'
import { parseLinkHeader } from '@web3-storage/parse-link-header'
import LinkHeader from 'http-link-header'
import parse from 'parse-link-header'

for (const parameters of [
  'rel="next"',
  'Rel="next"',
  'rel = "next"',
  'rel="next"; title="go on: rel=prev"',
  'rel="next"; title="go on; rel=prev"',
]) {
  const header = `<https://api.test/tasks?page=2>; ${parameters}`
  const names = [parse, parseLinkHeader].map((read) => Object.keys(read(header)).join(' ') || 'none')
  const expected = LinkHeader.parse(header).refs.map(({ rel }) => rel)
  console.log(`${parameters}: parse-link-header ${names[0]}; @web3-storage ${names[1]}; http-link-header ${expected}`)
}
END
cat > expected <<'END'
rel="next": parse-link-header next; @web3-storage next; http-link-header next
Rel="next": parse-link-header none; @web3-storage none; http-link-header next
rel = "next": parse-link-header none; @web3-storage none; http-link-header next
rel="next"; title="go on: rel=prev": parse-link-header next; @web3-storage next; http-link-header next
rel="next"; title="go on; rel=prev": parse-link-header prev; @web3-storage prev; http-link-header next
END
node find.mjs > seen
diff expected seen && echo 'as found'
