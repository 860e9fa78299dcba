#!/bin/sh
# just-diff 6.0.2, its jsonPatchPathConverter, with rfc6902 5.4.0, on Node 26.10.0.
# In a path of a JSON Patch a slash of a name is `~1`. The converter that makes the paths leaves it a slash: of two
# OpenAPI documents, where each path and media type has a slash, the patch names places that are not there, and a name
# with a slash that means another place changes that one without an error. A patch of rfc6902 leads from one document
# to the other.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . just-diff@6.0.2 rfc6902@5.4.0

cat > find.mjs <<'END'
import { diff, jsonPatchPathConverter } from 'just-diff'
import { applyPatch, createPatch } from 'rfc6902'

const cases = {
  paths: [{ paths: { '/tasks': { get: {} } } }, { paths: { '/tasks': { get: {}, post: {} } } }],
  limits: [{ tasks: { day: 1 }, 'tasks/day': 1 }, { tasks: { day: 1 }, 'tasks/day': 9 }],
}
for (const [name, [from, to]] of Object.entries(cases))
  for (const [maker, patch] of [
    ['rfc6902', createPatch(from, to)],
    ['just-diff', diff(from, to, jsonPatchPathConverter)],
  ]) {
    const document = structuredClone(from)
    const [error] = applyPatch(document, patch)
    console.log(`${name}, ${maker}: ${patch[0].path} gives ${error?.name ?? JSON.stringify(document)}`)
  }
END
cat > expected <<'END'
paths, rfc6902: /paths/~1tasks/post gives {"paths":{"/tasks":{"get":{},"post":{}}}}
paths, just-diff: /paths//tasks/post gives MissingError
limits, rfc6902: /tasks~1day gives {"tasks":{"day":1},"tasks/day":9}
limits, just-diff: /tasks/day gives {"tasks":{"day":9},"tasks/day":1}
END
node find.mjs > seen
diff expected seen && echo 'as found'
