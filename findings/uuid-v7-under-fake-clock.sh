#!/bin/sh
# uuid 14.0.3, ulid 3.0.2, uuidv7 1.2.1, with @sinonjs/fake-timers 15.5.0, on Node 26.10.0.
# The first part of a v7 UUID is its time. v7() never goes back: once an id was made by the real clock, those made under a
# fake clock that is set to an earlier day have the real time, and so have the ULIDs of a monotonicFactory(). A test that
# sees ids of its own day when it runs alone sees others when it runs after one with the real clock. The ids of
# v7({ msecs }) have the day, but two of one millisecond come in any order. uuidv7 follows the clock.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  uuid@14.0.3 ulid@3.0.2 uuidv7@1.2.1 @sinonjs/fake-timers@15.5.0

cat > find.mjs <<'END'
import { install } from '@sinonjs/fake-timers'
import { decodeTime, monotonicFactory } from 'ulid'
import { v7 } from 'uuid'
import { uuidv7 } from 'uuidv7'

const timeOf = (id) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
const ulid = monotonicFactory()
const makers = {
  uuid: () => timeOf(v7()),
  'uuid with msecs': () => timeOf(v7({ msecs: Date.now() })),
  ulid: () => decodeTime(ulid()),
  uuidv7: () => timeOf(uuidv7()),
}
const name = (time) => (time === Date.now() ? 'its day' : time > Date.now() ? 'a later time' : 'an earlier time')
function show(day) {
  const clock = install({ now: Date.parse(day), toFake: ['Date'] })
  for (const [maker, make] of Object.entries(makers)) console.log(`${day}, ${maker}: ${name(make())}`)
  clock.uninstall()
}
show('2020-01-01')
for (const make of Object.values(makers)) make()
show('2020-01-02')

const ids = Array.from({ length: 1000 }, () => v7({ msecs: 0 }))
console.log('in order with msecs:', ids.every((id, at) => at === 0 || ids[at - 1] < id))
END
cat > expected <<'END'
2020-01-01, uuid: its day
2020-01-01, uuid with msecs: its day
2020-01-01, ulid: its day
2020-01-01, uuidv7: its day
2020-01-02, uuid: a later time
2020-01-02, uuid with msecs: its day
2020-01-02, ulid: a later time
2020-01-02, uuidv7: its day
in order with msecs: false
END
node find.mjs > seen
diff expected seen && echo 'as found'
