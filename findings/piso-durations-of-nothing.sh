#!/bin/sh
# @0dep/piso 5.1.2, duration-fns 3.0.2, tinyduration 3.4.1, luxon 3.7.2, dayjs 1.11.23, iso8601-duration 2.1.4, on Node
# 26.10.0.
# Each reads durations of ISO 8601 and writes them. piso writes a duration of zero, as PT0S, as `P`, which by the
# standard needs a number: piso itself and others cannot read it. duration-fns writes a fraction with a comma, which
# JSON Schema and XML do not know, and dayjs reads as zero without an error.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  @0dep/piso@5.1.2 duration-fns@3.0.2 tinyduration@3.4.1 luxon@3.7.2 dayjs@1.11.23 iso8601-duration@2.1.4

cat > find.mjs <<'END'
import { parseDuration } from '@0dep/piso'
import dayjs from 'dayjs'
import plugin from 'dayjs/plugin/duration.js'
import { parse, toString } from 'duration-fns'
import * as iso from 'iso8601-duration'
import { Duration } from 'luxon'
import * as tiny from 'tinyduration'

dayjs.extend(plugin)
const writers = {
  '@0dep/piso': (text) => parseDuration(text).toString(),
  'duration-fns': (text) => toString(parse(text)),
  tinyduration: (text) => tiny.serialize(tiny.parse(text)),
}
const readers = {
  '@0dep/piso': (text) => parseDuration(text).toString(),
  dayjs: (text) => `${dayjs.duration(text).asSeconds()} s`,
  'iso8601-duration': (text) => `${iso.toSeconds(iso.parse(text))} s`,
  luxon: (text) => `${Duration.fromISO(text).as('seconds')} s`,
}
for (const text of ['PT0S', 'PT1.5S'])
  for (const [name, write] of Object.entries(writers)) {
    const written = write(text)
    const read = Object.entries(readers).map(([reader, work]) => {
      try {
        return `${reader} ${work(written)}`
      } catch {
        return `${reader} throws`
      }
    })
    console.log(`${text} by ${name}: ${written}, read by ${read.join(', ')}`)
  }
END
cat > expected <<'END'
PT0S by @0dep/piso: P, read by @0dep/piso throws, dayjs 0 s, iso8601-duration throws, luxon 0 s
PT0S by duration-fns: P0D, read by @0dep/piso P, dayjs 0 s, iso8601-duration 0 s, luxon 0 s
PT0S by tinyduration: PT0S, read by @0dep/piso P, dayjs 0 s, iso8601-duration 0 s, luxon 0 s
PT1.5S by @0dep/piso: PT1.5S, read by @0dep/piso PT1.5S, dayjs 1.5 s, iso8601-duration 1.5 s, luxon 1.5 s
PT1.5S by duration-fns: PT1,5S, read by @0dep/piso PT1.5S, dayjs 0 s, iso8601-duration 1.5 s, luxon 1.5 s
PT1.5S by tinyduration: PT1.5S, read by @0dep/piso PT1.5S, dayjs 1.5 s, iso8601-duration 1.5 s, luxon 1.5 s
END
node find.mjs > seen
diff expected seen && echo 'as found'
