#!/bin/sh
# xstate 5.33.3, its SimulatedClock, on Node 26.10.0, with @sinonjs/fake-timers 15.5.0.
# increment() moves the clock to its end first, and a delay that begins in a state entered meanwhile counts from that
# end. A machine that waits 1 s in each of three states is in the second after a minute in one step, and in the last
# after the same minute in steps of 1 s. By the timers of @sinonjs/fake-timers it is in the last either way.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . xstate@5.33.3 @sinonjs/fake-timers@15.5.0

cat > find.mjs <<'END'
import { install } from '@sinonjs/fake-timers'
import { createActor, createMachine, SimulatedClock } from 'xstate'

const machine = createMachine({
  initial: 'first pause',
  states: {
    'first pause': { after: { 1000: 'second pause' } },
    'second pause': { after: { 1000: 'third pause' } },
    'third pause': { after: { 1000: 'given up' } },
    'given up': {},
  },
})
for (const step of [60000, 1000]) {
  const clock = new SimulatedClock()
  const actor = createActor(machine, { clock }).start()
  for (let time = 0; time < 60000; time += step) clock.increment(step)
  console.log(`SimulatedClock, steps of ${step / 1000} s: ${actor.getSnapshot().value}`)
}
const clock = install({ now: 0 })
const actor = createActor(machine).start()
clock.tick(60000)
console.log(`fake-timers, a step of 60 s: ${actor.getSnapshot().value}`)
clock.uninstall()
END
cat > expected <<'END'
SimulatedClock, steps of 60 s: second pause
SimulatedClock, steps of 1 s: given up
fake-timers, a step of 60 s: given up
END
node find.mjs > seen
diff expected seen && echo 'as found'
