#!/bin/sh
# light-my-request 6.8.1, alone and as inject() of fastify 5.12.8, on Node 26.10.0.
# Node emits 'finish' of a response when it has been sent: once. Under injection each response emits it twice, so that
# a metric or a log that listens to it, in an Express app or in a hook of Fastify, counts each injected request twice,
# and each real one once. 'close', which comes last with a real one, comes between.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . express@5.3.0 fastify@5.12.8 light-my-request@6.8.1

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import express from 'express'
import Fastify from 'fastify'
import inject from 'light-my-request'

let events = []
function listen(response) {
  for (const event of ['finish', 'close']) response.on(event, () => events.push(event))
}
async function show(name, send) {
  events = []
  await send()
  await new Promise((later) => setTimeout(later, 200))
  console.log(`${name}: ${events.join(', ')}`)
}

const app = express()
app.use((_, response, next) => {
  listen(response)
  next()
})
app.get('/', (_, response) => response.send('done'))
const server = createServer(app).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
await show('Express, real', () => fetch(`http://127.0.0.1:${server.address().port}/`).then((answer) => answer.text()))
await show('Express, injected', () => inject(app, '/'))

const fastify = Fastify({ forceCloseConnections: true })
fastify.addHook('onRequest', async (_, reply) => listen(reply.raw))
fastify.get('/', async () => 'done')
const address = await fastify.listen({ port: 0, host: '127.0.0.1' })
await show('Fastify, real', () => fetch(address).then((answer) => answer.text()))
await show('Fastify, injected', () => fastify.inject('/'))
process.exit()
END
cat > expected <<'END'
Express, real: finish, close
Express, injected: finish, close, finish
Fastify, real: finish, close
Fastify, injected: finish, close, finish
END
node find.mjs > seen
diff expected seen && echo 'as found'
