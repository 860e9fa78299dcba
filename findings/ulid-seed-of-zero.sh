#!/bin/sh
# ulid 3.0.2 with ulidx 2.4.1, on Node 26.10.0.
# By its page a seed time "will consistently give you the same string for the time component". With 0, the time at which
# fake clocks and backfilled rows begin, ulid takes the real time. ulidx takes 0, but its monotonic factory throws a
# TypeError for a first id of that time. The `ulidToUUID()` of ulid gives capitals, where RFC 9562 has lower case: the
# text differs from what a database gives back.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ulid@3.0.2 ulidx@2.4.1

cat > find.mjs <<'END'
import * as ulid from 'ulid'
import * as ulidx from 'ulidx'

const year = (time) => new Date(time).getUTCFullYear() > 2025 ? 'now' : String(time)
const id = '0188bac7-4afa-78aa-bc3b-bd1eef28d881'
for (const [library, exported] of Object.entries({ ulid, ulidx })) {
  const { decodeTime, monotonicFactory, ulid: make, ulidToUUID, uuidToULID } = exported
  for (const seed of [1, 0]) {
    let monotonic
    try {
      monotonic = year(decodeTime(monotonicFactory()(seed)))
    } catch (error) {
      monotonic = `throws ${error.name}`
    }
    console.log(`${library}, seed ${seed}: ${year(decodeTime(make(seed)))}, monotonic ${monotonic}`)
  }
  console.log(`${library}, ${id} and back: ${ulidToUUID(uuidToULID(id))}`)
}
END
cat > expected <<'END'
ulid, seed 1: 1, monotonic 1
ulid, seed 0: now, monotonic now
ulid, 0188bac7-4afa-78aa-bc3b-bd1eef28d881 and back: 0188BAC7-4AFA-78AA-BC3B-BD1EEF28D881
ulidx, seed 1: 1, monotonic 1
ulidx, seed 0: 0, monotonic throws TypeError
ulidx, 0188bac7-4afa-78aa-bc3b-bd1eef28d881 and back: 0188bac7-4afa-78aa-bc3b-bd1eef28d881
END
node find.mjs > seen
diff expected seen && echo 'as found'
