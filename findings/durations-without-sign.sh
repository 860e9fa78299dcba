#!/bin/sh
# dayjs 1.11.23, iso8601-duration 2.1.4, luxon 3.7.2, on Node 26.10.0.
# dayjs writes a negative duration as `-PT1.5S`, as ISO 8601-2 and Temporal do, and reads its own text as 1.5 s: a time
# that is left and one that is over are the same after a trip through JSON. iso8601-duration drops the sign too, with
# no error. A decimal comma, which ISO 8601 allows too, makes the value 0 in dayjs.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  dayjs@1.11.23 iso8601-duration@2.1.4 luxon@3.7.2

cat > find.mjs <<'END'
import dayjs from 'dayjs'
import duration from 'dayjs/plugin/duration.js'
import { parse, toSeconds } from 'iso8601-duration'
import { Duration } from 'luxon'

dayjs.extend(duration)
const readers = {
  luxon: (text) => Duration.fromISO(text).toMillis() / 1000,
  dayjs: (text) => dayjs.duration(text).asSeconds(),
  'iso8601-duration': (text) => toSeconds(parse(text)),
}
for (const text of [dayjs.duration(-1500).toISOString(), '-PT1H', 'PT1,5S'])
  console.log(`${text}: ${Object.entries(readers).map(([name, read]) => `${name} ${read(text)}`).join(', ')}`)
const mixed = dayjs.duration({ minutes: -1, seconds: 30 })
console.log(`${mixed.asSeconds()} s is written as ${mixed.toISOString()}`)
END
cat > expected <<'END'
-PT1.5S: luxon -1.5, dayjs 1.5, iso8601-duration 1.5
-PT1H: luxon -3600, dayjs 3600, iso8601-duration 3600
PT1,5S: luxon 1.5, dayjs 0, iso8601-duration 1.5
-30 s is written as -PT1M30S
END
node find.mjs > seen
diff expected seen && echo 'as found'
