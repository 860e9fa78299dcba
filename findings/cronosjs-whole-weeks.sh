#!/bin/sh
# cronosjs 1.7.1 with croner 11.0.0, on Node 26.10.0.
# Its page gives 0-7 for the day of the week, with Sunday as both 0 and 7. The range 0-7 of all days is read as Sunday
# alone, where 1-7 and 0-6 are every day: a job that should run each day runs once a week.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . cronosjs@1.7.1 croner@11.0.0

cat > find.mjs <<'END'
import { Cron } from 'croner'
import { CronosExpression } from 'cronosjs'

const from = new Date('2026-12-01T12:00:00Z')
const days = (dates) => dates.map((date) => date.toUTCString().slice(0, 7)).join(' ')
for (const expression of ['0 0 * * 1-7', '0 0 * * 0-6', '0 0 * * 0-7', '0 0 * * 5-7', '0 0 * * 0-7/2']) {
  const cronos = CronosExpression.parse(expression, { timezone: 'UTC' }).nextNDates(from, 5)
  const croner = new Cron(expression, { timezone: 'UTC', paused: true }).nextRuns(5, from)
  console.log(`${expression}: cronosjs ${days(cronos)}; croner ${days(croner)}`)
}
END
cat > expected <<'END'
0 0 * * 1-7: cronosjs Wed, 02 Thu, 03 Fri, 04 Sat, 05 Sun, 06; croner Wed, 02 Thu, 03 Fri, 04 Sat, 05 Sun, 06
0 0 * * 0-6: cronosjs Wed, 02 Thu, 03 Fri, 04 Sat, 05 Sun, 06; croner Wed, 02 Thu, 03 Fri, 04 Sat, 05 Sun, 06
0 0 * * 0-7: cronosjs Sun, 06 Sun, 13 Sun, 20 Sun, 27 Sun, 03; croner Wed, 02 Thu, 03 Fri, 04 Sat, 05 Sun, 06
0 0 * * 5-7: cronosjs Fri, 04 Sat, 05 Sun, 06 Fri, 11 Sat, 12; croner Fri, 04 Sat, 05 Sun, 06 Fri, 11 Sat, 12
0 0 * * 0-7/2: cronosjs Sun, 06 Sun, 13 Sun, 20 Sun, 27 Sun, 03; croner Thu, 03 Sat, 05 Sun, 06 Tue, 08 Thu, 10
END
TZ=UTC node find.mjs > seen
diff expected seen && echo 'as found'
