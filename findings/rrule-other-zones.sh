#!/bin/sh
# rrule 2.8.1, rrule-temporal 2.2.8, on Node 26.10.0.
# A date that is left out of a series (EXDATE) or added to it (RDATE) may have another zone than its start in iCalendar
# (RFC 5545). rrule does not leave out one whose zone is not that of the start, though it is the same instant. Where the
# start is in UTC, the zone of an RDATE becomes that of the series: each other time is an hour off.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . rrule@2.8.1 rrule-temporal@2.2.8

cat > find.mjs <<'END'
import rrule from 'rrule'
import { RRuleTemporal } from 'rrule-temporal'

const show = (dates) => dates.map((date) => date.toISOString().slice(5, 16)).join(', ')
for (const lines of [
  ['DTSTART;TZID=Europe/Berlin:20260105T100000', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;TZID=Europe/Berlin:20260106T100000'],
  ['DTSTART;TZID=Europe/Berlin:20260105T100000', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20260106T090000Z'],
  ['DTSTART:20260105T100000Z', 'RRULE:FREQ=DAILY;COUNT=3', 'RDATE:20260110T100000Z'],
  ['DTSTART:20260105T100000Z', 'RRULE:FREQ=DAILY;COUNT=3', 'RDATE;TZID=Europe/Berlin:20260110T110000'],
  ['DTSTART:20260105T100000Z', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;TZID=Europe/Berlin:20260106T110000'],
]) {
  const text = lines.join('\n')
  console.log(lines[0], lines[2])
  console.log('  rrule:', show(rrule.rrulestr(text).all()))
  const dates = new RRuleTemporal({ rruleString: text }).all()
  console.log('  rrule-temporal:', show(dates.map((date) => new Date(date.epochMilliseconds))))
}
END
cat > expected <<'END'
DTSTART;TZID=Europe/Berlin:20260105T100000 EXDATE;TZID=Europe/Berlin:20260106T100000
  rrule: 01-05T09:00, 01-07T09:00
  rrule-temporal: 01-05T09:00, 01-07T09:00
DTSTART;TZID=Europe/Berlin:20260105T100000 EXDATE:20260106T090000Z
  rrule: 01-05T09:00, 01-06T09:00, 01-07T09:00
  rrule-temporal: 01-05T09:00, 01-07T09:00
DTSTART:20260105T100000Z RDATE:20260110T100000Z
  rrule: 01-05T10:00, 01-06T10:00, 01-07T10:00, 01-10T10:00
  rrule-temporal: 01-05T10:00, 01-06T10:00, 01-07T10:00, 01-10T10:00
DTSTART:20260105T100000Z RDATE;TZID=Europe/Berlin:20260110T110000
  rrule: 01-05T09:00, 01-06T09:00, 01-07T09:00, 01-10T10:00
  rrule-temporal: 01-05T10:00, 01-06T10:00, 01-07T10:00, 01-10T10:00
DTSTART:20260105T100000Z EXDATE;TZID=Europe/Berlin:20260106T110000
  rrule: 01-05T10:00, 01-06T10:00, 01-07T10:00
  rrule-temporal: 01-05T10:00, 01-07T10:00
END
TZ=UTC node find.mjs > seen
diff expected seen && echo 'as found'
