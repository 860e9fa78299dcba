#!/bin/sh
# express-idempotency 1.0.6 with express 5.3.0, on Node 26.10.0.
# The second request with a key is to get the answer to the first. A handler that answers by end(), as one does for 204,
# leaves its key "in progress" for good: each repeat is an error, however long after the first answer. With
# sendStatus() it works. And the kept answer to a 201 has lost its Location.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . express@5.3.0 express-idempotency@1.0.6

cat > find.mjs <<'END'
import express from 'express'
import { getSharedIdempotencyService, idempotency } from 'express-idempotency'

const app = express()
app.use(idempotency())
const handlers = {
  json: (answer) => answer.status(201).location('/tasks/1').json({ id: 1 }),
  end: (answer) => answer.status(204).end(),
  sendStatus: (answer) => answer.sendStatus(204),
}
for (const [name, handler] of Object.entries(handlers))
  app.post(`/${name}`, (request, answer) => {
    if (!getSharedIdempotencyService().isHit(request)) handler(answer)
  })
app.use(({ message }, _, answer, __) => answer.status(500).end(message))
const server = app.listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
for (const name of Object.keys(handlers))
  for (const which of ['first', 'repeat']) {
    const url = `http://127.0.0.1:${server.address().port}/${name}`
    const answer = await fetch(url, { method: 'POST', headers: { 'Idempotency-Key': name } })
    const location = answer.headers.get('location')
    console.log(`${name}, ${which}: ${answer.status}, Location ${location}, ${(await answer.text()) || 'empty'}`)
    await new Promise((later) => setTimeout(later, 200))
  }
process.exit()
END
cat > expected <<'END'
json, first: 201, Location /tasks/1, {"id":1}
json, repeat: 201, Location null, {"id":1}
end, first: 204, Location null, empty
end, repeat: 500, Location null, A previous request is still in progress for this key.
sendStatus, first: 204, Location null, empty
sendStatus, repeat: 204, Location null, empty
END
node find.mjs > seen
diff expected seen && echo 'as found'
