#!/bin/sh
# parse-curl 0.2.6, @bany/curl-to-json 1.2.10, on Node 26.10.0.
# Both read curl commands, as those that a browser or Postman copies. parse-curl makes a GET without a body of the
# `--data-raw` of today's browsers, and a `Set-Cookie` of `-b`, which sends a Cookie. @bany/curl-to-json takes what
# follows a switch for its value: after `--compressed` and `-G` there is no URL; `-XDELETE` is no DELETE. An apostrophe
# in the body, which a shell has as `'\''`, ends its body.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . parse-curl@0.2.6 @bany/curl-to-json@1.2.10

cat > find.cjs <<'END'
const bany = require('@bany/curl-to-json')
const parseCurl = require('parse-curl')

for (const command of [
  `curl -X POST 'http://api.test/tasks' -d '{"title":"red"}'`,
  `curl 'http://api.test/tasks' --data-raw '{"title":"red"}'`,
  `curl 'http://api.test/tasks' -d '{"title":"it'\\''s red"}'`,
  `curl 'http://api.test/tasks' -b 'session=1'`,
  `curl --compressed 'http://api.test/tasks'`,
  `curl -G 'http://api.test/tasks' -d tag=red`,
  `curl -XDELETE 'http://api.test/tasks/1'`,
]) {
  console.log(command)
  for (const [library, read] of [['parse-curl', parseCurl], ['@bany/curl-to-json', bany.default ?? bany]])
    console.log(`  ${library}:`, JSON.stringify(read(command)).replaceAll('application/x-www-form-urlencoded', 'form'))
}
END
cat > expected <<'END'
curl -X POST 'http://api.test/tasks' -d '{"title":"red"}'
  parse-curl: {"method":"POST","header":{"Content-Type":"form"},"url":"http://api.test/tasks","body":"{\"title\":\"red\"}"}
  @bany/curl-to-json: {"url":"http://api.test/tasks","data":{"title":"red"},"method":"POST"}
curl 'http://api.test/tasks' --data-raw '{"title":"red"}'
  parse-curl: {"method":"GET","header":{},"url":"http://api.test/tasks"}
  @bany/curl-to-json: {"url":"http://api.test/tasks","data":{"title":"red"},"method":"POST"}
curl 'http://api.test/tasks' -d '{"title":"it'\''s red"}'
  parse-curl: {"method":"POST","header":{"Content-Type":"form"},"url":"http://api.test/tasks","body":"{\"title\":\"it's red\"}"}
  @bany/curl-to-json: {"url":"http://api.test/tasks","data":{},"method":"POST"}
curl 'http://api.test/tasks' -b 'session=1'
  parse-curl: {"method":"GET","header":{"Set-Cookie":"session=1"},"url":"http://api.test/tasks"}
  @bany/curl-to-json: {"url":"http://api.test/tasks","cookie":"session=1","method":"GET"}
curl --compressed 'http://api.test/tasks'
  parse-curl: {"method":"GET","header":{"Accept-Encoding":"deflate, gzip"},"url":"http://api.test/tasks"}
  @bany/curl-to-json: {"method":"GET"}
curl -G 'http://api.test/tasks' -d tag=red
  parse-curl: {"method":"POST","header":{"Content-Type":"form"},"url":"http://api.test/tasks","body":"tag=red"}
  @bany/curl-to-json: {"data":{"tag":"red"},"method":"POST"}
curl -XDELETE 'http://api.test/tasks/1'
  parse-curl: {"method":"DELETE","header":{},"url":"http://api.test/tasks/1"}
  @bany/curl-to-json: {"location":true,"method":true}
END
node find.cjs > seen
diff expected seen && echo 'as found'
