#!/bin/sh
# json-server 0.17.4, on Node 26.10.0.
# A list that is sent to make tasks is stored as one task that is a list, without an id that one can see. A task with
# the id 0 gets another id. A DELETE of a task deletes the notes that have its id as `taskId` too, without being told
# to; a filter by a name that no task has gives all of them, not none.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . json-server@0.17.4

cat > find.cjs <<'END'
const jsonServer = require('json-server')

const service = jsonServer.create()
service.use(jsonServer.bodyParser)
service.use(jsonServer.router({ tasks: [{ id: 1, title: 'red' }], notes: [{ id: 7, taskId: 1, text: 'about the red one' }] }))
const server = service.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}`
  const ask = async (method, path, body) => {
    const answer = await fetch(url + path, { method, headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body) })
    const text = JSON.stringify(await answer.json()).replaceAll(/"id":"\w{7}"/g, '"id":"made"')
    console.log(`${method} ${path} ${JSON.stringify(body) ?? ''}`.trim(), answer.status, text)
    return answer.headers.get('location')
  }
  await ask('GET', '/tasks?tilte=blue')
  await ask('GET', '/tasks?title=blue')
  await ask('POST', '/tasks', { id: 5, title: 'blue' })
  await ask('POST', '/tasks', { id: 0, title: 'blue' })
  const location = await ask('POST', '/tasks', [{ title: 'green' }, { title: 'grey' }])
  await ask('GET', new URL(location).pathname)
  await ask('GET', '/notes')
  await ask('DELETE', '/tasks/1')
  await ask('GET', '/notes')
  process.exit()
})
END
cat > expected <<'END'
GET /tasks?tilte=blue 200 [{"id":1,"title":"red"}]
GET /tasks?title=blue 200 []
POST /tasks {"id":5,"title":"blue"} 201 {"id":5,"title":"blue"}
POST /tasks {"id":0,"title":"blue"} 201 {"id":6,"title":"blue"}
POST /tasks [{"title":"green"},{"title":"grey"}] 201 [{"title":"green"},{"title":"grey"}]
GET /tasks/7 200 [{"title":"green"},{"title":"grey"}]
GET /notes 200 [{"id":7,"taskId":1,"text":"about the red one"}]
DELETE /tasks/1 200 {}
GET /notes 200 []
END
node find.cjs > seen
diff expected seen && echo 'as found'
