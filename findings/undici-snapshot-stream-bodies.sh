#!/bin/sh
# undici 8.13.1, SnapshotAgent, on Node 26.10.0.
# Two POSTs whose bodies are streams with different contents count as the same request: in playback, whichever is
# sent first gets the answer that was recorded first. With the same contents as texts each gets its own.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . undici@8.13.1

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import { fetch, SnapshotAgent } from 'undici'

const server = createServer(async (request, answer) => {
  let text = ''
  for await (const chunk of request) text += chunk
  answer.end(`answer to ${text}`)
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const streamOf = (text) => new Blob([text]).stream()
const textOf = (text) => text

for (const [name, bodyOf] of Object.entries({ text: textOf, stream: streamOf })) {
  const post = async (dispatcher, text) => {
    const url = `http://127.0.0.1:${server.address().port}/`
    const answer = await fetch(url, { method: 'POST', body: bodyOf(text), duplex: 'half', dispatcher })
    return answer.text()
  }
  const snapshotPath = `${name}.json`
  const recorder = new SnapshotAgent({ mode: 'record', snapshotPath })
  for (const text of ['red', 'blue']) await post(recorder, text)
  await recorder.close()
  const player = new SnapshotAgent({ mode: 'playback', snapshotPath })
  console.log(`${name}: blue gets`, await post(player, 'blue'))
}
process.exit()
END
cat > expected <<'END'
text: blue gets answer to blue
stream: blue gets answer to red
END
NODE_NO_WARNINGS=1 node find.mjs > seen
diff expected seen && echo 'as found'
