#!/bin/sh
# apicache 1.6.3 and route-cache 0.7.1 with express 5.3.0, on Node 26.10.0.
# Used for all routes, each keeps an answer by its URL alone: after a GET a POST to the same path gets the answer to the
# GET, with 200, and the handler that would have stored its body is not called. An answer with no-store is kept like any
# other; apicache sends it on with max-age=60. (apicache's page names a key of one's own "per method".)
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . apicache@1.6.3 express@5.3.0 route-cache@0.7.1

cat > find.mjs <<'END'
import apicache from 'apicache'
import express from 'express'
import routeCache from 'route-cache'

for (const [name, middleware] of [
  ['express', (request, answer, next) => next()],
  ['apicache', apicache.middleware('1 minute')],
  ['route-cache', routeCache.cacheSeconds(60)],
]) {
  let calls = 0
  const app = express()
  app.use(middleware)
  app.get('/tasks', (_, answer) => answer.json(['one']))
  app.post('/tasks', (_, answer) => answer.status(201).json({ added: ++calls }))
  app.get('/token', (_, answer) => answer.set('Cache-Control', 'no-store').json({ token: ++calls }))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((listening) => server.on('listening', listening))
  for (const [method, path] of [
    ['GET', '/tasks'],
    ['POST', '/tasks'],
    ['GET', '/token'],
    ['GET', '/token'],
  ]) {
    const answer = await fetch(`http://127.0.0.1:${server.address().port}${path}`, { method })
    const control = answer.headers.get('cache-control')
    console.log(`${name}: ${method} ${path} ${answer.status} ${await answer.text()} ${control}`)
  }
}
process.exit()
END
cat > expected <<'END'
express: GET /tasks 200 ["one"] null
express: POST /tasks 201 {"added":1} null
express: GET /token 200 {"token":2} no-store
express: GET /token 200 {"token":3} no-store
apicache: GET /tasks 200 ["one"] max-age=60
apicache: POST /tasks 200 ["one"] max-age=60
apicache: GET /token 200 {"token":1} max-age=60
apicache: GET /token 200 {"token":1} max-age=60
route-cache: GET /tasks 200 ["one"] null
route-cache: POST /tasks 200 ["one"] null
route-cache: GET /token 200 {"token":1} no-store
route-cache: GET /token 200 {"token":1} null
END
node find.mjs > seen
diff expected seen && echo 'as found'
