#!/bin/sh
# vitest 5.1.2, vi.setSystemTime() without vi.useFakeTimers(), on Node 26.10.0.
# Date and Temporal show the time that was set; Intl.DateTimeFormat, asked for "now", shows that of the machine. With
# vi.useFakeTimers() before it, Intl follows too. A page that formats without an argument shows today in a test that
# set another day.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . vitest@5.1.2

cat > find.test.mjs <<'END'
import { writeFileSync } from 'node:fs'
import { test, vi } from 'vitest'

test('the year that each of them shows', () => {
  const years = () => [
    new Date().getFullYear(),
    new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: 'UTC' }).format(),
  ]
  const day = new Date('2001-06-15T12:00:00Z')
  vi.setSystemTime(day)
  const [date, formatted] = years()
  const lines = [`set alone: ${date}, formatted the same: ${formatted === '2001'}`]
  vi.useFakeTimers({ now: day })
  const [fakeDate, fakeFormatted] = years()
  lines.push(`with fake timers: ${fakeDate}, formatted the same: ${fakeFormatted === '2001'}`)
  writeFileSync('seen', `${lines.join('\n')}\n`)
})
END
cat > expected <<'END'
set alone: 2001, formatted the same: false
with fake timers: 2001, formatted the same: true
END
npx vitest run --reporter=dot > log 2>&1 || { cat log; exit 1; }
diff expected seen && echo 'as found'
