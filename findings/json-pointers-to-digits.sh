#!/bin/sh
# @croct/json-pointer 0.3.0, @hyperjump/json-pointer 1.1.2, with json-pointer 0.6.2, on Node 26.10.0.
# All say that they implement RFC 6901. By it `200` after an object is the name of a member, and an index of a list has
# no leading zero and nothing but digits. croct's takes digits for an index always: the responses of an OpenAPI document
# are out of its reach. Both read an element at `01`, hyperjump's at `1e0` and `+1` too.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  @croct/json-pointer@0.3.0 @hyperjump/json-pointer@1.1.2 json-pointer@0.6.2

cat > find.mjs <<'END'
import croct from '@croct/json-pointer'
import * as hyperjump from '@hyperjump/json-pointer'
import jsonPointer from 'json-pointer'

const document = { responses: { 200: 'OK', default: 'no' }, tags: ['red', 'blue'] }
const libraries = {
  'json-pointer': (pointer) => jsonPointer.get(document, pointer),
  croct: (pointer) => croct.JsonPointer.parse(pointer).get(document),
  hyperjump: (pointer) => hyperjump.get(pointer, document),
}
for (const pointer of ['/responses/default', '/responses/200', '/tags/1', '/tags/01', '/tags/1e0', '/tags/+1'])
  for (const [library, get] of Object.entries(libraries)) {
    let seen
    try {
      seen = get(pointer)
    } catch (error) {
      seen = `throws ${error.message}`
    }
    console.log(`${pointer}, ${library}: ${seen}`)
  }
END
cat > expected <<'END'
/responses/default, json-pointer: no
/responses/default, croct: no
/responses/default, hyperjump: no
/responses/200, json-pointer: OK
/responses/200, croct: throws Expected array at "/responses", got object.
/responses/200, hyperjump: OK
/tags/1, json-pointer: blue
/tags/1, croct: blue
/tags/1, hyperjump: blue
/tags/01, json-pointer: throws Invalid reference token: 01
/tags/01, croct: blue
/tags/01, hyperjump: blue
/tags/1e0, json-pointer: throws Invalid reference token: 1e0
/tags/1e0, croct: throws Expected an object at "/tags", got an array.
/tags/1e0, hyperjump: blue
/tags/+1, json-pointer: throws Invalid reference token: +1
/tags/+1, croct: throws Expected an object at "/tags", got an array.
/tags/+1, hyperjump: blue
END
node find.mjs > seen
diff expected seen && echo 'as found'
