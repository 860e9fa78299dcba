#!/bin/sh
# cron-schedule 6.0.0 with cron-parser 5.10.5, on Node 26.10.0.
# It throws for an L that it does not know. Where such a sign stands behind a number, it is dropped without an error:
# "the last Monday of the month" (1L) and "the second Friday" (5#2) run each week, "each 15 minutes from minute 5"
# (5/15) runs once an hour.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . cron-schedule@6.0.0 cron-parser@5.10.5

cat > find.mjs <<'END'
import { parseCronExpression } from 'cron-schedule'
import { CronExpressionParser } from 'cron-parser'

const from = new Date('2026-12-01T12:00:00Z')
const minute = (date) => new Date(date).toISOString().slice(5, 16)
for (const text of ['0 0 L * *', '0 0 * * 1L', '0 0 * * 5#2', '5/15 * * * *', '5-59/15 * * * *']) {
  let seen
  try {
    seen = parseCronExpression(text).getNextDates(3, from).map(minute).join(' ')
  } catch (error) {
    seen = `throws ${error.message}`
  }
  const runs = CronExpressionParser.parse(text, { currentDate: from, tz: 'UTC' })
  const parser = Array.from({ length: 3 }, () => minute(runs.next().getTime())).join(' ')
  console.log(`${text}: cron-schedule ${seen}; cron-parser ${parser}`)
}
END
cat > expected <<'END'
0 0 L * *: cron-schedule throws Failed to parse L: L is NaN.; cron-parser 12-31T00:00 01-31T00:00 02-28T00:00
0 0 * * 1L: cron-schedule 12-07T00:00 12-14T00:00 12-21T00:00; cron-parser 12-28T00:00 01-25T00:00 02-22T00:00
0 0 * * 5#2: cron-schedule 12-04T00:00 12-11T00:00 12-18T00:00; cron-parser 12-11T00:00 01-08T00:00 02-12T00:00
5/15 * * * *: cron-schedule 12-01T12:05 12-01T13:05 12-01T14:05; cron-parser 12-01T12:05 12-01T12:20 12-01T12:35
5-59/15 * * * *: cron-schedule 12-01T12:05 12-01T12:20 12-01T12:35; cron-parser 12-01T12:05 12-01T12:20 12-01T12:35
END
TZ=UTC node find.mjs > seen
diff expected seen && echo 'as found'
