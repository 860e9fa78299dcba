#!/bin/sh
# @scalar/mock-server 0.14.4, on Node 26.10.0.
# OpenAPI 3.1 says that a concrete path is matched before a templated one. The mock takes the first that fits in the
# order of the document: with /tasks/{id} above /tasks/mine a GET of one's own tasks is answered as a single task, with
# 200. A tool that sorts or joins documents changes what the mock answers.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @scalar/mock-server@0.14.4

cat > find.mjs <<'END'
import { createMockServer } from '@scalar/mock-server'

const content = (example) => ({ 'application/json': { example } })
const answer = (example) => ({ get: { responses: { 200: { description: 'x', content: content(example) } } } })
const templated = { '/tasks/{id}': answer('one task') }
const concrete = { '/tasks/mine': answer('my tasks') }
for (const [name, paths] of [
  ['concrete first', { ...concrete, ...templated }],
  ['templated first', { ...templated, ...concrete }],
]) {
  const document = { openapi: '3.1.0', info: { title: 'Tasks', version: '1' }, paths }
  const mock = await createMockServer({ document })
  console.log(`${name}: /tasks/7 ${await (await mock.request('/tasks/7')).text()}`)
  console.log(`${name}: /tasks/mine ${await (await mock.request('/tasks/mine')).text()}`)
}
END
cat > expected <<'END'
concrete first: /tasks/7 "one task"
concrete first: /tasks/mine "my tasks"
templated first: /tasks/7 "one task"
templated first: /tasks/mine "one task"
END
node find.mjs > seen
diff expected seen && echo 'as found'
