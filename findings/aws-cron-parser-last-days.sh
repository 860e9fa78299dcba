#!/bin/sh
# aws-cron-parser 1.1.12, on Node 26.10.0.
# Its page says that it supports all that AWS's page of cron expressions lists, with the special wildcards. There L is
# for the day of the month or of the week; as a day of the week it parses, and `next()` throws that "this shouldn't
# happen". With W it throws at the first month that lacks the day.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . aws-cron-parser@1.1.12

cat > find.mjs <<'END'
import parser from 'aws-cron-parser'

const { next, parse } = parser.default ?? parser
for (const text of ['0 8 L * ? *', '0 8 ? * 6L *', '0 8 ? * L *', '0 8 30W * ? *', '0 8 31W * ? *']) {
  const cron = parse(text)
  const runs = []
  let run = new Date('2026-12-01T12:00:00Z')
  try {
    for (let count = 0; count < 5; count++) runs.push((run = next(cron, run)).toISOString().slice(0, 10))
  } catch (error) {
    runs.push(`throws ${error.message}`)
  }
  console.log(`${text}: ${runs.join(' ')}`)
}
END
cat > expected <<'END'
0 8 L * ? *: 2026-12-31 2027-01-31 2027-02-28 2027-03-31 2027-04-30
0 8 ? * 6L *: 2026-12-25 2027-01-29 2027-02-26 2027-03-26 2027-04-30
0 8 ? * L *: throws AwsCronParser : this shouldn't happen, but iter > 10
0 8 30W * ? *: 2026-12-30 2027-01-29 throws getDaysOfMonthForW - should not happen
0 8 31W * ? *: 2026-12-31 2027-01-29 throws getDaysOfMonthForW - should not happen
END
TZ=UTC node find.mjs > seen
diff expected seen && echo 'as found'
