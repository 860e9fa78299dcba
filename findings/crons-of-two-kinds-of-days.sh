#!/bin/sh
# cron-converter 2.1.0, @breejs/later 4.2.0, with cron-parser 5.10.5, croner 11.0.0, on Node 26.10.0.
# In cron a job with both a day of the month and a day of the week runs on the days that fit either. These two wait for
# days that fit both, which no README tells: "on the 1st, the 15th and each Wednesday" comes a few times a year. Where the
# month has no such day cron-converter throws, and later answers with the first of May in 500 years.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  cron-converter@2.1.0 @breejs/later@4.2.0 cron-parser@5.10.5 croner@11.0.0

cat > find.mjs <<'END'
import later from '@breejs/later'
import { getSchedule, stringToArray } from 'cron-converter'
import { CronExpressionParser } from 'cron-parser'
import { Cron } from 'croner'

const from = new Date('2026-12-01T12:00:00Z')
const day = (date) => new Date(date).toISOString().slice(0, 10)
const libraries = {
  croner: (text) => new Cron(text, { timezone: 'UTC', paused: true }).nextRuns(3, from).map(day),
  'cron-parser': (text) => {
    const runs = CronExpressionParser.parse(text, { currentDate: from, tz: 'UTC' })
    return Array.from({ length: 3 }, () => day(runs.next().getTime()))
  },
  'cron-converter': (text) => {
    const schedule = getSchedule(stringToArray(text), from, 'UTC')
    return Array.from({ length: 3 }, () => day(schedule.next().toMillis()))
  },
  later: (text) => later.schedule(later.parse.cron(text)).next(3, from).map(day),
}
for (const text of ['0 0 1,15 * 3', '0 0 13 * 5', '0 0 31 4 1'])
  for (const [library, read] of Object.entries(libraries)) {
    try {
      console.log(`${text}, ${library}: ${read(text).join(' ')}`)
    } catch (error) {
      console.log(`${text}, ${library}: throws ${error.message}`)
    }
  }
END
cat > expected <<'END'
0 0 1,15 * 3, croner: 2026-12-02 2026-12-09 2026-12-15
0 0 1,15 * 3, cron-parser: 2026-12-02 2026-12-09 2026-12-15
0 0 1,15 * 3, cron-converter: 2027-09-01 2027-09-15 2027-12-01
0 0 1,15 * 3, later: 2027-09-01 2027-09-15 2027-12-01
0 0 13 * 5, croner: 2026-12-04 2026-12-11 2026-12-13
0 0 13 * 5, cron-parser: 2026-12-04 2026-12-11 2026-12-13
0 0 13 * 5, cron-converter: 2027-08-13 2028-10-13 2029-04-13
0 0 13 * 5, later: 2027-08-13 2028-10-13 2029-04-13
0 0 31 4 1, croner: 2027-04-05 2027-04-12 2027-04-19
0 0 31 4 1, cron-parser: 2027-04-05 2027-04-12 2027-04-19
0 0 31 4 1, cron-converter: throws Unable to find execution time for schedule
0 0 31 4 1, later: 2526-05-01 3026-05-01 3526-05-01
END
TZ=UTC node find.mjs > seen
diff expected seen && echo 'as found'
