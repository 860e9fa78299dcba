#!/bin/sh
# fetch-event-stream 0.1.6 and eventsource-parser 4.1.3, on Node 26.10.0.
# By the standard one space after the colon of a field is left out. All are left out here: a model that streams " there"
# as a word of its own has it joined to the one before, and an indented line is not indented. An empty line at the begin
# of a message is left out too.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . eventsource-parser@4.1.3 fetch-event-stream@0.1.6

cat > find.mjs <<'END'
import { createParser } from 'eventsource-parser'
import { events } from 'fetch-event-stream'

for (const [name, pieces] of [
  ['words', ['Hello', ' there', ',', ' you']],
  ['code', ['if (done) {', '\n  return', '\n}']],
]) {
  const lines = (piece) => piece.split('\n').map((line) => `data: ${line}\n`).join('')
  const stream = pieces.map((piece) => `${lines(piece)}\n`).join('')
  const parsed = []
  createParser({ onEvent: ({ data }) => parsed.push(data) }).feed(stream)
  const seen = []
  for await (const { data } of events(new Response(stream))) seen.push(data)
  console.log(`${name}, eventsource-parser: ${JSON.stringify(parsed.join(''))}`)
  console.log(`${name}, fetch-event-stream: ${JSON.stringify(seen.join(''))}`)
}
END
cat > expected <<'END'
words, eventsource-parser: "Hello there, you"
words, fetch-event-stream: "Hellothere,you"
code, eventsource-parser: "if (done) {\n  return\n}"
code, fetch-event-stream: "if (done) {return}"
END
node find.mjs > seen
diff expected seen && echo 'as found'
