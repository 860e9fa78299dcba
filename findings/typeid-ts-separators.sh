#!/bin/sh
# typeid-ts 0.3.8 with typeid-js 1.2.0, on Node 26.10.0.
# By the TypeID specification the separator is left out where the type is empty, and a type may hold underscores: the
# suffix begins after the last one. typeid-ts makes ids with an empty type that start with `_`, which no TypeID may, and
# reads its own ids with an underscore in the type at the first one: `decodeFromString()` throws, `transform()` gives
# parts that are not those of the id.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . typeid-ts@0.3.8 typeid-js@1.2.0

cat > find.mjs <<'END'
import { TypeID } from 'typeid-js'
import * as ts from 'typeid-ts'

const outcome = (read) => {
  try {
    return JSON.stringify(read())
  } catch (error) {
    return `throws ${error.message.split(':')[0]}`
  }
}
const suffix = '01h2xcejqtf2nbrexx3vqjhp41'
console.log('an empty type:', ts.typeid('').replace(/\w{26}$/, '<suffix>'))
console.log('typeid-js, of such an id:', outcome(() => TypeID.fromString(`_${suffix}`).getType()))
for (const id of [`task_${suffix}`, `task_run_${suffix}`]) {
  console.log(`${id}:`)
  console.log('  typeid-js:', TypeID.fromString(id).getType(), TypeID.fromString(id).toUUID())
  console.log('  decodeFromString:', outcome(() => ts.decodeFromString(id)))
  console.log('  transform:', outcome(() => ts.transform(id)))
}
console.log('made by typeid-ts:', ts.typeid('task_run').replace(/\w{26}$/, '<suffix>'))
END
cat > expected <<'END'
an empty type: _<suffix>
typeid-js, of such an id: throws Invalid TypeId. Prefix cannot be empty when there's a separator
task_01h2xcejqtf2nbrexx3vqjhp41:
  typeid-js: task 0188bac7-4afa-78aa-bc3b-bd1eef28d881
  decodeFromString: {"type":"task","uuid":"0188bac7-4afa-78aa-bc3b-bd1eef28d881"}
  transform: {"prefix":"task","suffix":"01h2xcejqtf2nbrexx3vqjhp41"}
task_run_01h2xcejqtf2nbrexx3vqjhp41:
  typeid-js: task_run 0188bac7-4afa-78aa-bc3b-bd1eef28d881
  decodeFromString: throws Invalid suffix
  transform: {"prefix":"task","suffix":"run"}
made by typeid-ts: task_run_<suffix>
END
node find.mjs > seen
diff expected seen && echo 'as found'
