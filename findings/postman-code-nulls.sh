#!/bin/sh
# postman-code-generators 2.1.1, which Postman shows code with, on Node 26.10.0; the Ruby of Debian 12 runs what it
# made.
# The code for Ruby sends a text in place of each null of a JSON body: `"__RUBY#%0NULL__"`. A query parameter without a
# value, as `?archived`, becomes `archived=null` in the code for curl, PHP and Node, not in that for fetch and axios.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . postman-code-generators@2.1.1 postman-collection@5.3.1

cat > find.mjs <<'END'
import { spawnSync } from 'node:child_process'
import generators from 'postman-code-generators'
import collection from 'postman-collection'

const make = (language, variant, request) =>
  new Promise((done, fail) =>
    generators.convert(language, variant, new collection.Request(request), {}, (error, code) => (error ? fail(error) : done(code))))
const code = await make('ruby', 'net::http', {
  method: 'PATCH',
  url: 'http://api.test/tasks/1',
  header: [{ key: 'Content-Type', value: 'application/json' }],
  body: { mode: 'raw', raw: '{"due":null,"tags":["red",null]}' },
})
const lines = code.split('\n').map((line) => line.replace('request.body =', 'puts'))
const ruby = lines.slice(lines.findIndex((line) => line.startsWith('puts JSON')), lines.indexOf('})') + 1)
console.log('Ruby:', spawnSync('ruby', ['-rjson', '-e', ruby.join('\n')], { encoding: 'utf8' }).stdout.trim())
for (const [language, variant] of [['javascript', 'fetch'], ['nodejs', 'axios'], ['nodejs', 'native'], ['curl', 'curl'], ['php', 'curl'], ['python', 'http.client']]) {
  const code = await make(language, variant, { method: 'GET', url: 'http://api.test/tasks?archived&limit=5' })
  console.log(`${language}, ${variant}:`, /\/tasks\S*?(?=['"])/.exec(code)[0])
}
END
cat > expected <<'END'
Ruby: {"due":"__RUBY#%0NULL__","tags":["red","__RUBY#%0NULL__"]}
javascript, fetch: /tasks?archived&limit=5
nodejs, axios: /tasks?archived&limit=5
nodejs, native: /tasks?archived=null&limit=5
curl, curl: /tasks?archived=null&limit=5
php, curl: /tasks?archived=null&limit=5
python, http.client: /tasks?archived=null&limit=5
END
node find.mjs > seen
diff expected seen && echo 'as found'
