#!/bin/sh
# undici 8.13.1, SnapshotAgent with interceptors.cache() composed on it, on Node 26.10.0.
# The pair records well. In playback every answer that may be cached fails: the recording has no status message, and
# the cache demands one. Without the cache the same recording plays.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . undici@8.13.1

cat > find.mjs <<'END'
import { createServer } from 'node:http'
import { interceptors, request, SnapshotAgent } from 'undici'

const server = createServer((_, answer) => {
  answer.setHeader('cache-control', 'max-age=60')
  answer.end('fresh')
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
const get = (dispatcher) =>
  request(`http://127.0.0.1:${server.address().port}/`, { dispatcher })
    .then(({ body }) => body.text())
    .catch((error) => `${error.name}: ${error.message}`)
const snapshots = (mode) => new SnapshotAgent({ mode, snapshotPath: 'snapshots.json' })

const recorder = snapshots('record')
console.log('record:', await get(recorder.compose(interceptors.cache())))
await recorder.close()
console.log('play without the cache:', await get(snapshots('playback')))
console.log('play with the cache:', await get(snapshots('playback').compose(interceptors.cache())))
process.exit()
END
cat > expected <<'END'
record: fresh
play without the cache: fresh
play with the cache: TypeError: expected value.statusMessage to be string, got undefined
END
NODE_NO_WARNINGS=1 node find.mjs > seen
diff expected seen && echo 'as found'
