#!/bin/sh
# @tanstack/query-core 5.108.4, on Node 26.10.0.
# `queryClient.clear()`, which tests call when they end, clears both caches. It also ends the retries of a query, but not
# those of a mutation: a POST that waits for its next attempt is sent again after the clear, to the server or the mock
# of the next test, and again. `reset()` of the mutation ends none either, and cancelQueries() is for queries.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @tanstack/query-core@5.108.4

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { MutationObserver, QueryClient } from '@tanstack/query-core'

let sent = 0
const server = createServer((_, answer) => {
  sent++
  answer.writeHead(503).end()
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const send = async (method) => {
  const { status } = await fetch(`http://127.0.0.1:${server.address().port}/tasks`, { method })
  throw new Error(`the answer was ${status}`)
}
const options = { retry: 3, retryDelay: 300 }
const get = (client) => client.fetchQuery({ ...options, queryKey: ['tasks'], queryFn: () => send('GET') })
const post = (client, endings) => {
  const mutation = new MutationObserver(client, { ...options, mutationFn: () => send('POST') })
  endings.push(() => mutation.reset())
  return mutation.mutate()
}
for (const [name, start, end] of [
  ['query, clear', get, (client) => client.clear()],
  ['mutation, clear', post, (client) => client.clear()],
  ['mutation, reset', post, (_, endings) => endings.forEach((ending) => ending())],
]) {
  const client = new QueryClient()
  const endings = []
  sent = 0
  start(client, endings).catch(() => undefined)
  await sleep(150)
  const before = sent
  end(client, endings)
  await sleep(1500)
  console.log(`${name}: ${before} sent before, ${sent - before} after`)
}
process.exit()
END
cat > expected <<'END'
query, clear: 1 sent before, 0 after
mutation, clear: 1 sent before, 3 after
mutation, reset: 1 sent before, 3 after
END
node find.mjs > seen
diff expected seen && echo 'as found'
