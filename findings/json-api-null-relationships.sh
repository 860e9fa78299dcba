#!/bin/sh
# kitsu-core 11.1.0, jsonapi-parse 2.0.1, jsonapi-fractal 2.3.2, deserialize-json-api 2.0.0, jsonapi-serializer 3.6.9,
# on Node 26.10.0.
# In JSON:API a to-one relationship with the data null is empty, and a member of the document. jsonapi-serializer reads
# null. jsonapi-parse and jsonapi-fractal leave the relationship out, so that it cannot be told from one that was not
# asked for; deserialize-json-api throws; kitsu-core reads an empty object, which is true, and writes it as an attribute
# called like the relationship, which a resource may not have.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  kitsu-core@11.1.0 jsonapi-parse@2.0.1 jsonapi-fractal@2.3.2 deserialize-json-api@2.0.0 jsonapi-serializer@3.6.9

cat > find.mjs <<'END'
import { deserialize } from 'deserialize-json-api'
import fractal from 'jsonapi-fractal'
import parse from 'jsonapi-parse'
import serializer from 'jsonapi-serializer'
import { deserialise, serialise } from 'kitsu-core'

const document = () => ({
  data: { type: 'tasks', id: '1', attributes: { due: null }, relationships: { owner: { data: null } } },
})
const readers = {
  'jsonapi-serializer': (body) => new serializer.Deserializer().deserialize(body),
  'jsonapi-parse': (body) => parse.parse(body).data,
  'jsonapi-fractal': (body) => fractal.deserialize(body),
  'deserialize-json-api': (body) => deserialize(body).data,
  'kitsu-core': (body) => deserialise(body).data,
}
for (const [name, read] of Object.entries(readers))
  try {
    const { due, owner } = await read(document())
    console.log(`${name}: due ${due}, owner ${JSON.stringify(owner)}`)
  } catch (error) {
    console.log(`${name}: ${error.name}: ${error.message}`)
  }
console.log('kitsu-core writes:', JSON.stringify(serialise('tasks', deserialise(document()).data, 'PATCH')))
END
cat > expected <<'END'
jsonapi-serializer: due null, owner null
jsonapi-parse: due null, owner undefined
jsonapi-fractal: due null, owner undefined
deserialize-json-api: TypeError: Cannot read properties of null (reading 'type')
kitsu-core: due null, owner {}
kitsu-core writes: {"data":{"type":"tasks","id":"1","attributes":{"owner":{},"due":null}}}
END
node find.mjs > seen
diff expected seen && echo 'as found'
