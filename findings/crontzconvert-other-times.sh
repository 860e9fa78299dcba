#!/bin/sh
# crontzconvert 1.1.1 with croner 11.0.0, on Node 26.10.0.
# It "transforms the cron expression for that timezone". Where the offset has half an hour, only the first hour is
# moved: 12:30 and 12:45 UTC become 17:15 and 17:30 in Kolkata, not 18:00 and 18:15. Where one of two hours crosses
# midnight, it stays on the old day. "23:00 on each day of December" becomes midnight on each day of January.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . crontzconvert@1.1.1 croner@11.0.0

cat > find.mjs <<'END'
import { Cron } from 'croner'
import * as converter from 'crontzconvert'

const convert = converter.convert ?? converter.default.convert
const runs = (text, timezone, from) =>
  new Cron(text, { timezone, paused: true }).nextRuns(3, new Date(from)).map((date) => date.toISOString().slice(5, 16))
for (const [text, zone, from] of [
  ['0 30 12 * * *', 'Asia/Kolkata', '2026-12-01T00:00:00Z'],
  ['0 0,30,45 12 * * *', 'Asia/Kolkata', '2026-12-01T00:00:00Z'],
  ['0 0 23 * * 1', 'Africa/Lagos', '2026-12-01T00:00:00Z'],
  ['0 0 22-23 * * 1', 'Africa/Lagos', '2026-12-01T00:00:00Z'],
  ['0 0 23 * 12 *', 'Africa/Lagos', '2026-11-20T00:00:00Z'],
]) {
  const converted = convert(text, 'UTC', zone)
  console.log(`${text} in UTC is ${converted} in ${zone}`)
  console.log(`  before ${runs(text, 'UTC', from).join(' ')}, after ${runs(converted, zone, from).join(' ')}`)
}
END
cat > expected <<'END'
0 30 12 * * * in UTC is 0 0 18 * * * in Asia/Kolkata
  before 12-01T12:30 12-02T12:30 12-03T12:30, after 12-01T12:30 12-02T12:30 12-03T12:30
0 0,30,45 12 * * * in UTC is 0 0-30/15 17 * * * in Asia/Kolkata
  before 12-01T12:00 12-01T12:30 12-01T12:45, after 12-01T11:30 12-01T11:45 12-01T12:00
0 0 23 * * 1 in UTC is 0 0 0 * * 2 in Africa/Lagos
  before 12-07T23:00 12-14T23:00 12-21T23:00, after 12-07T23:00 12-14T23:00 12-21T23:00
0 0 22-23 * * 1 in UTC is 0 0 0,23 * * 1 in Africa/Lagos
  before 12-07T22:00 12-07T23:00 12-14T22:00, after 12-06T23:00 12-07T22:00 12-13T23:00
0 0 23 * 12 * in UTC is 0 0 0 * 1 * in Africa/Lagos
  before 12-01T23:00 12-02T23:00 12-03T23:00, after 12-31T23:00 01-01T23:00 01-02T23:00
END
TZ=UTC node find.mjs > seen
diff expected seen && echo 'as found'
