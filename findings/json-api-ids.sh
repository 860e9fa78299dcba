#!/bin/sh
# jsonapi-fractal 2.3.2, ts-japi 1.12.6, kitsu-core 11.1.0, jsonapi-serializer 3.6.9, on Node 26.10.0.
# By JSON:API the id of a resource is always a string. jsonapi-serializer makes strings of the ids 7 and 0 of a
# database, kitsu-core of 7, and says for 0 that there is no id. ts-japi writes numbers. So does jsonapi-fractal, and
# for 0 a resource without an id, as one that is yet to be made.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  jsonapi-fractal@2.3.2 ts-japi@1.12.6 kitsu-core@11.1.0 jsonapi-serializer@3.6.9

cat > find.mjs <<'END'
import fractal from 'jsonapi-fractal'
import serializer from 'jsonapi-serializer'
import { serialise } from 'kitsu-core'
import japi from 'ts-japi'

const writers = {
  'jsonapi-serializer': (task) => new serializer.Serializer('tasks', { attributes: ['title'] }).serialize(task),
  'kitsu-core': (task) => serialise('tasks', task, 'PATCH'),
  'ts-japi': (task) => new japi.Serializer('tasks').serialize(task),
  'jsonapi-fractal': (task) => fractal.serialize(task, 'tasks'),
}
for (const [name, write] of Object.entries(writers))
  for (const id of [7, 0])
    try {
      const { data } = await write({ id, title: 'Buy milk' })
      console.log(`${name}, ${id}: ${JSON.stringify(data)}`)
    } catch (error) {
      console.log(`${name}, ${id}: ${error.message}`)
    }
END
cat > expected <<'END'
jsonapi-serializer, 7: {"type":"tasks","id":"7","attributes":{"title":"Buy milk"}}
jsonapi-serializer, 0: {"type":"tasks","id":"0","attributes":{"title":"Buy milk"}}
kitsu-core, 7: {"type":"tasks","id":"7","attributes":{"title":"Buy milk"}}
kitsu-core, 0: PATCH requires an ID for the tasks type
ts-japi, 7: {"type":"tasks","id":7,"attributes":{"title":"Buy milk"}}
ts-japi, 0: {"type":"tasks","id":0,"attributes":{"title":"Buy milk"}}
jsonapi-fractal, 7: {"type":"tasks","attributes":{"title":"Buy milk"},"id":7}
jsonapi-fractal, 0: {"type":"tasks","attributes":{"title":"Buy milk"}}
END
node find.mjs > seen
diff expected seen && echo 'as found'
