#!/bin/sh
# openapi-format 1.33.6, openapi-overlays-js 0.2.0, on Node 26.10.0.
# By the Overlay Specification 1.0.0 an `update` whose target is a list is an entry to append to it. openapi-format
# appends no object to a list, without an error, and puts a text in the place of the list. openapi-overlays-js makes an
# object of the list, which no document may have there.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . openapi-format@1.33.6 openapi-overlays-js@0.2.0

cat > api.json <<'END'
{ "openapi": "3.0.3", "info": { "title": "Tasks", "version": "1" }, "servers": [{ "url": "http://one.test" }],
  "paths": { "/tasks": { "get": { "tags": ["tasks"], "responses": { "204": { "description": "None" } } } } } }
END
cat > server.json <<'END'
{ "overlay": "1.0.0", "info": { "title": "A server", "version": "1" },
  "actions": [{ "target": "$.servers", "update": { "url": "http://two.test" } }] }
END
cat > tag.json <<'END'
{ "overlay": "1.0.0", "info": { "title": "A tag", "version": "1" },
  "actions": [{ "target": "$.paths['/tasks'].get.tags", "update": "public" }] }
END
for name in server tag; do
  node_modules/.bin/openapi-format api.json --output "format-$name.json" --overlayFile "$name.json" > log 2>&1
done
node_modules/.bin/overlayjs --openapi api.json --overlay server.json > js-server.yaml

cat > find.mjs <<'END'
import { readFileSync } from 'node:fs'

const read = (name) => JSON.parse(readFileSync(name, 'utf8'))
console.log('openapi-format, a server:', JSON.stringify(read('format-server.json').servers))
console.log('openapi-format, a tag:', JSON.stringify(read('format-tag.json').paths['/tasks'].get.tags))
const [servers] = /servers:(\n  .*)+/.exec(readFileSync('js-server.yaml', 'utf8'))
console.log('openapi-overlays-js, a server:', servers.replace(/\s+/g, ' '))
END
cat > expected <<'END'
openapi-format, a server: [{"url":"http://one.test"}]
openapi-format, a tag: "public"
openapi-overlays-js, a server: servers: '0': url: 'http://one.test' url: 'http://two.test'
END
node find.mjs > seen
diff expected seen && echo 'as found'
