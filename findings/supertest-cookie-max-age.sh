#!/bin/sh
# supertest 7.3.2, its agent (superagent 10.4.2), on Node 26.10.0.
# An agent keeps the cookies of its answers. It heeds Expires, but not Max-Age, which HTTP puts above Expires: a cookie
# that a logout ends by Max-Age=0, as deleteCookie of Hono does, is sent on with an empty value, and one that lasts a
# second is still sent after two. A test of an expired session runs with the live one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . superagent@10.4.2 supertest@7.3.2

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import request from 'supertest'

const past = 'Thu, 01 Jan 1970 00:00:00 GMT'
const cookies = ['ended-by-expires=1', 'ended-by-max-age=1', 'for-a-second=1; Max-Age=1']
const ends = [`ended-by-expires=; Expires=${past}`, 'ended-by-max-age=; Max-Age=0']
const server = createServer((request, answer) => {
  if (request.url === '/login') answer.setHeader('Set-Cookie', cookies)
  if (request.url === '/logout') answer.setHeader('Set-Cookie', ends)
  answer.end(request.headers.cookie)
})
const agent = request.agent(server)
await agent.get('/login')
console.log('after the login:', (await agent.get('/')).text)
await agent.get('/logout')
await new Promise((later) => setTimeout(later, 2_000))
console.log('2 s after the logout:', (await agent.get('/')).text)
process.exit()
END
cat > expected <<'END'
after the login: ended-by-expires=1; ended-by-max-age=1; for-a-second=1
2 s after the logout: ended-by-max-age=; for-a-second=1
END
node find.mjs > seen
diff expected seen && echo 'as found'
