#!/bin/sh
# jsonpointer 5.0.1, json-pointer 0.6.2, json-ptr 3.1.1, on Node 26.10.0.
# By RFC 6901 the empty pointer is the whole document. jsonpointer reads it so; setting it adds a member with the name
# `undefined`, and no error. A name that begins with a 0, such as a month or a phone number, makes a list where nothing
# was yet: the value is not in its JSON, or json-ptr has it at the index 1.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  jsonpointer@5.0.1 json-pointer@0.6.2 json-ptr@3.1.1

cat > find.mjs <<'END'
import jsonPointer from 'json-pointer'
import { JsonPointer } from 'json-ptr'
import jsonpointer from 'jsonpointer'

const libraries = {
  jsonpointer: (document, pointer, value) => jsonpointer.set(document, pointer, value),
  'json-pointer': (document, pointer, value) => jsonPointer.set(document, pointer, value),
  'json-ptr': (document, pointer, value) => JsonPointer.set(document, pointer, value, true),
}
for (const [pointer, value] of [['', { done: true }], ['/months/may', 5], ['/months/01', 5]])
  for (const [library, set] of Object.entries(libraries)) {
    const document = { done: false }
    let seen
    try {
      set(document, pointer, value)
      seen = JSON.stringify(document)
    } catch (error) {
      seen = `throws ${error.message}`
    }
    console.log(`"${pointer}", ${library}: ${seen}`)
  }
END
cat > expected <<'END'
"", jsonpointer: {"done":false,"undefined":{"done":true}}
"", json-pointer: throws Can not set the root object
"", json-ptr: throws Cannot set the root object; assign it directly.
"/months/may", jsonpointer: {"done":false,"months":{"may":5}}
"/months/may", json-pointer: {"done":false,"months":{"may":5}}
"/months/may", json-ptr: {"done":false,"months":{"may":5}}
"/months/01", jsonpointer: {"done":false,"months":[]}
"/months/01", json-pointer: {"done":false,"months":[]}
"/months/01", json-ptr: {"done":false,"months":[null,5]}
END
node find.mjs > seen
diff expected seen && echo 'as found'
