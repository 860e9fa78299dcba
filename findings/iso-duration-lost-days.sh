#!/bin/sh
# @musement/iso-duration 1.0.0 with luxon 3.7.2, on Node 26.10.0.
# It takes an object with weeks and days, and its page says that `toString()` returns ISO 8601. With both, the days are
# left out. A text with a decimal comma, which ISO 8601 has as well as the point, is read as nothing, without an error;
# a small fraction is written as `PT1e-7S`.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @musement/iso-duration@1.0.0 luxon@3.7.2

cat > find.mjs <<'END'
import * as musement from '@musement/iso-duration'
import { Duration } from 'luxon'

const { isoDuration } = musement.isoDuration ? musement : musement.default
for (const parts of [{ days: 8, minutes: 30 }, { weeks: 1, days: 1 }, { weeks: 2, hours: 12 }, { seconds: 1e-7 }]) {
  const expected = Duration.fromObject(parts).toISO()
  console.log(`${JSON.stringify(parts)}: ${isoDuration(parts).toString()}, luxon ${expected}`)
}
for (const text of ['PT0.25S', 'PT0,25S', 'PT1H0,5S'])
  console.log(`${text}: ${isoDuration(text).toString()}, luxon ${Duration.fromISO(text).toISO()}`)
END
cat > expected <<'END'
{"days":8,"minutes":30}: P8DT30M, luxon P8DT30M
{"weeks":1,"days":1}: P1W, luxon P1W1D
{"weeks":2,"hours":12}: P2W, luxon P2WT12H
{"seconds":1e-7}: PT1e-7S, luxon PT0S
PT0.25S: PT0.25S, luxon PT0.25S
PT0,25S: P0D, luxon PT0.25S
PT1H0,5S: PT1H, luxon PT1H0.5S
END
node find.mjs > seen
diff expected seen && echo 'as found'
