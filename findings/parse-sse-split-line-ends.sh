#!/bin/sh
# parse-sse 0.1.0, eventsource-parser 4.1.3, on Node 26.10.0.
# A stream whose lines end in CR LF is cut by the network anywhere. Where a part ends between CR and LF, the LF is taken
# for an empty line: a message of two data lines becomes two messages, and an event loses its name. And a message that a
# lost connection cut off, which the standard says to drop, is given out as if it were whole.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . eventsource-parser@4.1.3 parse-sse@0.1.0

cat > find.mjs <<'END'
import { createParser } from 'eventsource-parser'
import { parseServerSentEvents } from 'parse-sse'

/** Reads parts as a stream of both libraries. */
async function read(parts) {
  const parsed = []
  const parser = createParser({ onEvent: ({ event, data }) => parsed.push([event ?? 'message', data]) })
  for (const part of parts) parser.feed(part)
  const body = ReadableStream.from(parts.map((part) => new TextEncoder().encode(part)))
  const headers = { 'content-type': 'text/event-stream' }
  const seen = []
  for await (const { type, data } of parseServerSentEvents(new Response(body, { headers }))) seen.push([type, data])
  return `eventsource-parser ${JSON.stringify(parsed)}, parse-sse ${JSON.stringify(seen)}`
}
console.log('whole:', await read(['event: done\r\ndata: 1\r\ndata: 2\r\n\r\n']))
console.log('cut after a line:', await read(['event: done\r\n', 'data: 1\r\ndata: 2\r\n\r\n']))
console.log('cut in CR LF:', await read(['event: done\r\ndata: 1\r', '\ndata: 2\r\n\r\n']))
console.log('cut in CR LF of the name:', await read(['event: done\r', '\ndata: 1\r\n\r\n']))
console.log('cut off:', await read(['data: {"amount":10', '0']))
END
cat > expected <<'END'
whole: eventsource-parser [["done","1\n2"]], parse-sse [["done","1\n2"]]
cut after a line: eventsource-parser [["done","1\n2"]], parse-sse [["done","1\n2"]]
cut in CR LF: eventsource-parser [["done","1\n2"]], parse-sse [["done","1"],["message","2"]]
cut in CR LF of the name: eventsource-parser [["done","1"]], parse-sse [["message","1"]]
cut off: eventsource-parser [], parse-sse [["message","{\"amount\":100"]]
END
node find.mjs > seen
diff expected seen && echo 'as found'
