#!/bin/sh
# rrule 2.8.1, rrule-temporal 2.2.8, on Node 26.10.0.
# In iCalendar (RFC 5545) `DTSTART;VALUE=DATE:` begins a series of whole days, and VALUE=DATE-TIME is what a DTSTART has
# anyway. rrule reads neither: the series starts now, at the time of the call, without an error, and one that ends
# earlier is empty. It counts a local time that a day has not, as 2:30 where an hour is left out; by the RFC it must
# not. rrule-temporal does all that.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . rrule@2.8.1 rrule-temporal@2.2.8

cat > find.mjs <<'END'
import rrule from 'rrule'
import { RRuleTemporal } from 'rrule-temporal'

const now = Date.now()
const show = (dates) =>
  dates.map((date) => {
    const days = Math.round((date - now) / 86_400_000)
    return days >= 0 && days < 5 ? `${days} days from now` : date.toISOString().slice(0, 16)
  }).join(', ') || 'none'
for (const [start, rule] of [
  ['DTSTART:20200101T100000Z', 'FREQ=DAILY;COUNT=2'],
  ['DTSTART;VALUE=DATE-TIME:20200101T100000Z', 'FREQ=DAILY;COUNT=2'],
  ['DTSTART;VALUE=DATE:20200101', 'FREQ=DAILY;COUNT=2'],
  ['DTSTART;VALUE=DATE:20200101', 'FREQ=DAILY;UNTIL=20200102'],
  ['DTSTART;TZID=America/New_York:20260307T023000', 'FREQ=DAILY;COUNT=3'],
]) {
  const text = `${start}\nRRULE:${rule}`
  console.log(start, rule)
  console.log('  rrule:', show(rrule.rrulestr(text).all()))
  const dates = new RRuleTemporal({ rruleString: text }).all()
  console.log('  rrule-temporal:', show(dates.map((date) => new Date(date.epochMilliseconds))))
}
END
cat > expected <<'END'
DTSTART:20200101T100000Z FREQ=DAILY;COUNT=2
  rrule: 2020-01-01T10:00, 2020-01-02T10:00
  rrule-temporal: 2020-01-01T10:00, 2020-01-02T10:00
DTSTART;VALUE=DATE-TIME:20200101T100000Z FREQ=DAILY;COUNT=2
  rrule: 0 days from now, 1 days from now
  rrule-temporal: 2020-01-01T10:00, 2020-01-02T10:00
DTSTART;VALUE=DATE:20200101 FREQ=DAILY;COUNT=2
  rrule: 0 days from now, 1 days from now
  rrule-temporal: 2020-01-01T00:00, 2020-01-02T00:00
DTSTART;VALUE=DATE:20200101 FREQ=DAILY;UNTIL=20200102
  rrule: none
  rrule-temporal: 2020-01-01T00:00, 2020-01-02T00:00
DTSTART;TZID=America/New_York:20260307T023000 FREQ=DAILY;COUNT=3
  rrule: 2026-03-07T07:30, 2026-03-08T07:30, 2026-03-09T06:30
  rrule-temporal: 2026-03-07T07:30, 2026-03-09T06:30, 2026-03-10T06:30
END
TZ=UTC node find.mjs > seen
diff expected seen && echo 'as found'
