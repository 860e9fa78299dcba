#!/bin/sh
# dereference-json-schema 0.2.3, json-schema-deref-sync 0.14.0, with @apidevtools/json-schema-ref-parser 16.0.6, on Node
# 26.10.0.
# Both resolve the references of a schema or an OpenAPI document. In a pointer (RFC 6901) a slash of a name is `~1`, and
# in its URL form other signs are encoded, as in a reference to a path, or to a media type. Of such a reference the
# first makes null, without an error, and the second leaves it as one whose target is missing. Where the pointer goes on
# after that name, both raise a TypeError.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  dereference-json-schema@0.2.3 json-schema-deref-sync@0.14.0 @apidevtools/json-schema-ref-parser@16.0.6

cat > find.mjs <<'END'
import $RefParser from '@apidevtools/json-schema-ref-parser'
import dereferenceJsonSchema from 'dereference-json-schema'
import deref from 'json-schema-deref-sync'

const document = (pointer) => ({
  use: { schema: { $ref: pointer } },
  schemas: { task: 1, 'a task': 2 },
  paths: { '/tasks': { get: 3, summary: 'All' } },
})
const libraries = {
  'json-schema-ref-parser': async (value) => (await $RefParser.dereference(value)).use.schema,
  'dereference-json-schema': (value) => dereferenceJsonSchema.dereferenceSync(value).use.schema,
  'json-schema-deref-sync': (value) => deref(value).use.schema,
}
for (const pointer of ['#/schemas/task', '#/schemas/a%20task', '#/paths/~1tasks', '#/paths/~1tasks/summary'])
  for (const [library, resolve] of Object.entries(libraries)) {
    let seen
    try {
      seen = JSON.stringify(await resolve(document(pointer)))
    } catch (error) {
      seen = `throws ${error.name}`
    }
    console.log(`${pointer}, ${library}: ${seen}`)
  }
END
cat > expected <<'END'
#/schemas/task, json-schema-ref-parser: 1
#/schemas/task, dereference-json-schema: 1
#/schemas/task, json-schema-deref-sync: 1
#/schemas/a%20task, json-schema-ref-parser: 2
#/schemas/a%20task, dereference-json-schema: null
#/schemas/a%20task, json-schema-deref-sync: {"$ref":"#/schemas/a%20task"}
#/paths/~1tasks, json-schema-ref-parser: {"get":3,"summary":"All"}
#/paths/~1tasks, dereference-json-schema: null
#/paths/~1tasks, json-schema-deref-sync: {"$ref":"#/paths/~1tasks"}
#/paths/~1tasks/summary, json-schema-ref-parser: "All"
#/paths/~1tasks/summary, dereference-json-schema: throws TypeError
#/paths/~1tasks/summary, json-schema-deref-sync: throws TypeError
END
node find.mjs > seen
diff expected seen && echo 'as found'
