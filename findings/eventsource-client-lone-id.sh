#!/bin/sh
# eventsource-client 1.2.0 and eventsource 5.1.5, on Node 26.10.0.
# By the standard an event of an id alone is no message, but sets the id that a reconnecting client sends as
# Last-Event-ID; services mark so how far they have read past what they left out. eventsource sends it. eventsource-client
# asks from where the last message stood, or from the beginning, and gets what it had again.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . eventsource@5.1.5 eventsource-client@1.2.0

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import { EventSource } from 'eventsource'
import { createEventSource } from 'eventsource-client'

let bodies = []
let sent = []
const server = createServer(({ headers }, answer) => {
  answer.setHeader('content-type', 'text/event-stream')
  answer.end(bodies[sent.push(headers['last-event-id'] ?? 'none') - 1] ?? 'data: end\n\n')
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const url = `http://127.0.0.1:${server.address().port}/`

/** Reads until the message that ends it. */
const read = (library) =>
  new Promise((resolve) => {
    const onMessage = ({ data }) => data === 'end' && (source.close(), resolve())
    const source = library === 'eventsource' ? new EventSource(url) : createEventSource({ url, onMessage })
    source.onmessage = onMessage
  })
for (const [name, body] of [
  ['a message with id 3', 'retry: 50\nid: 3\ndata: a\n\n'],
  ['then the id 9 alone', 'retry: 50\nid: 3\ndata: a\n\nid: 9\n\n'],
  ['only the id 9', 'retry: 50\nid: 9\n\n'],
])
  for (const library of ['eventsource', 'eventsource-client']) {
    bodies = [body]
    sent = []
    await read(library)
    console.log(`${name}: ${library} sends Last-Event-ID ${sent[1]}`)
  }
process.exit()
END
cat > expected <<'END'
a message with id 3: eventsource sends Last-Event-ID 3
a message with id 3: eventsource-client sends Last-Event-ID 3
then the id 9 alone: eventsource sends Last-Event-ID 9
then the id 9 alone: eventsource-client sends Last-Event-ID 3
only the id 9: eventsource sends Last-Event-ID 9
only the id 9: eventsource-client sends Last-Event-ID none
END
node find.mjs > seen
diff expected seen && echo 'as found'
