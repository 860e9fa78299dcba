#!/bin/sh
# @breejs/later 4.2.0 with cron-validate 1.5.3, the two that Bree uses, on Node 26.10.0.
# Day 7 of the week is Sunday in cron, as 0 is. cron-validate accepts it, and later reads it as Saturday, without an
# error: a weekly job runs a day too early, and `1-7` leaves Sunday out.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  @breejs/later@4.2.0 cron-validate@1.5.3 croner@11.0.0

cat > find.mjs <<'END'
import later from '@breejs/later'
import { Cron } from 'croner'
import cronValidate from 'cron-validate'

const validate = cronValidate.default ?? cronValidate
const from = new Date('2026-12-01T12:00:00Z')
const days = (dates) => dates.map((date) => new Date(date).toUTCString().slice(0, 3)).join(' ')
for (const expression of ['0 0 * * 0', '0 0 * * 7', '0 0 * * 5-7', '0 0 * * 6,7', '0 0 * * 1-7']) {
  const valid = validate(expression).isValid() ? 'valid' : 'not valid'
  const seen = later.schedule(later.parse.cron(expression)).next(5, from)
  const expected = new Cron(expression, { timezone: 'UTC', paused: true }).nextRuns(5, from)
  console.log(`${expression}: ${valid}, later ${days(seen)}; croner ${days(expected)}`)
}
END
cat > expected <<'END'
0 0 * * 0: valid, later Sun Sun Sun Sun Sun; croner Sun Sun Sun Sun Sun
0 0 * * 7: valid, later Sat Sat Sat Sat Sat; croner Sun Sun Sun Sun Sun
0 0 * * 5-7: valid, later Fri Sat Fri Sat Fri; croner Fri Sat Sun Fri Sat
0 0 * * 6,7: valid, later Sat Sat Sat Sat Sat; croner Sat Sun Sat Sun Sat
0 0 * * 1-7: valid, later Wed Thu Fri Sat Mon; croner Wed Thu Fri Sat Sun
END
TZ=UTC node find.mjs > seen
diff expected seen && echo 'as found'
