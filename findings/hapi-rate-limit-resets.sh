#!/bin/sh
# hapi-rate-limit 8.0.0, with @fastify/rate-limit 11.2.0 and koa2-ratelimit 1.1.3, on Node 26.10.0.
# By its page the header holds the milliseconds until a reset; it holds the millisecond of the clock at which the reset
# is, so that a client that waits as the page says waits for decades. What remains is counted below zero. The other two
# send the seconds that are left and the second of the clock, as they say, and never less than 0.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . koa@3.3.0 koa2-ratelimit@1.1.3 fastify@5.12.8 @fastify/rate-limit@11.2.0 @hapi/hapi@21.4.10 hapi-rate-limit@8.0.0

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import fastifyLimit from '@fastify/rate-limit'
import Fastify from 'fastify'
import Koa from 'koa'

const require = createRequire(import.meta.url)
const minute = 60_000
const koa = new Koa()
koa.use(require('koa2-ratelimit').RateLimit.middleware({ interval: minute, max: 1 }))
koa.use((context) => (context.body = 'done'))
const koaServer = createServer(koa.callback()).listen(0, '127.0.0.1')
await new Promise((listening) => koaServer.on('listening', listening))

const fastify = Fastify()
await fastify.register(fastifyLimit, { max: 1, timeWindow: minute })
fastify.get('/', async () => 'done')
await fastify.listen({ port: 0, host: '127.0.0.1' })

const hapi = new (require('@hapi/hapi').Server)({ port: 0, host: '127.0.0.1' })
await hapi.register({ plugin: require('hapi-rate-limit'), options: { pathLimit: false, userLimit: 1, userCache: { expiresIn: minute } } })
hapi.route({ method: 'GET', path: '/', handler: () => 'done' })
await hapi.start()

const kind = (value) => (value < 1e3 ? 'seconds left' : value < 1e11 ? 'a second of the clock' : 'a millisecond of the clock')
for (const [name, ask] of [
  ['koa2-ratelimit', () => fetch(`http://127.0.0.1:${koaServer.address().port}/`)],
  ['@fastify/rate-limit', () => fetch(`http://127.0.0.1:${fastify.server.address().port}/`)],
  ['hapi-rate-limit', () => fetch(`http://127.0.0.1:${hapi.info.port}/`)],
]) {
  await ask()
  await ask()
  const { headers, status } = await ask()
  const seen = [...headers].filter(([header]) => header.includes('ratelimit')).map(([header, value]) => `${header} ${header.endsWith('reset') ? kind(value) : value}`)
  console.log(`${name}: ${status}\n  ${seen.join('\n  ')}`)
}
process.exit()
END
cat > expected <<'END'
koa2-ratelimit: 429
  x-ratelimit-limit 1
  x-ratelimit-remaining 0
  x-ratelimit-reset a second of the clock
@fastify/rate-limit: 429
  x-ratelimit-limit 1
  x-ratelimit-remaining 0
  x-ratelimit-reset seconds left
hapi-rate-limit: 429
  x-ratelimit-userlimit 1
  x-ratelimit-userremaining -1
  x-ratelimit-userreset a millisecond of the clock
END
node find.mjs > seen
diff expected seen && echo 'as found'
