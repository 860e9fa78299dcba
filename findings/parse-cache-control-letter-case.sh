#!/bin/sh
# parse-cache-control 1.0.1, cache-control-esm 1.0.0, cache-control-parser 2.2.0, with @tusbar/cache-control 3.0.1,
# on Node 26.10.0.
# By RFC 9111 the names of directives are the same in any letter case, and a number may stand in quotes. With
# parse-cache-control `Max-Age=60` is no max-age and `NO-STORE` no no-store; what it puts in lower case is the value.
# A quoted max-age is lost in two of them. And cache-control-esm writes no `max-age=0`, though it reads it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  parse-cache-control@1.0.1 cache-control-esm@1.0.0 cache-control-parser@2.2.0 @tusbar/cache-control@3.0.1

cat > find.mjs <<'END'
import * as tusbar from '@tusbar/cache-control'
import * as esm from 'cache-control-esm'
import cacheControlParser from 'cache-control-parser'
import parse from 'parse-cache-control'

const isSet = ([, value]) => value !== null && value !== false
const given = (directives) => JSON.stringify(Object.fromEntries(Object.entries(directives).filter(isSet)))
for (const header of ['max-age=60', 'Max-Age=60', 'NO-STORE', 'max-age="60"', 'Community="UCI"']) {
  console.log(header)
  console.log('  parse-cache-control:', JSON.stringify(parse(header)))
  console.log('  cache-control-esm:', given(esm.parse(header)))
  console.log('  cache-control-parser:', given(cacheControlParser.parse(header)))
  console.log('  @tusbar/cache-control:', given(tusbar.parse(header)))
}
for (const [name, { format, parse: read }] of Object.entries({ esm, tusbar }))
  console.log(`${name}, max-age=0 and no-cache: "${format(read('no-cache, max-age=0'))}", "${format({ maxAge: 0 })}"`)
END
cat > expected <<'END'
max-age=60
  parse-cache-control: {"max-age":60}
  cache-control-esm: {"maxAge":60}
  cache-control-parser: {"max-age":60}
  @tusbar/cache-control: {"maxAge":60}
Max-Age=60
  parse-cache-control: {"Max-Age":"60"}
  cache-control-esm: {"maxAge":60}
  cache-control-parser: {"max-age":60}
  @tusbar/cache-control: {"maxAge":60}
NO-STORE
  parse-cache-control: {"NO-STORE":true}
  cache-control-esm: {"noStore":true}
  cache-control-parser: {"no-store":true}
  @tusbar/cache-control: {"noStore":true}
max-age="60"
  parse-cache-control: {"max-age":60}
  cache-control-esm: {}
  cache-control-parser: {}
  @tusbar/cache-control: {"maxAge":60}
Community="UCI"
  parse-cache-control: {"Community":"uci"}
  cache-control-esm: {}
  cache-control-parser: {}
  @tusbar/cache-control: {}
esm, max-age=0 and no-cache: "no-cache", ""
tusbar, max-age=0 and no-cache: "max-age=0, no-cache", "max-age=0"
END
node find.mjs > seen
diff expected seen && echo 'as found'
