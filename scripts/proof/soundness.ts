/**
 * `npm run proof soundness [steps] [from]`: walks through legal mocks, a million steps unless told otherwise, alone and
 * in combinations, with bursts, lost answers, late effects, other users and clocks that drift. `from`: the number of the
 * first walk, of 2,000 steps each. Exits with code 1 if the model accuses any of them.
 */
import { tryWalk } from '#proof/walks/soundness.ts'

const wanted = Number(process.argv[2] ?? 1_000_000)
const from = process.argv[3] === undefined ? 0 : Number(process.argv[3])
const isShare = process.argv[3] !== undefined
const each = isShare ? 2_000 : Math.max(200, Math.min(2_000, Math.ceil(wanted / 500)))
let [steps, walks, accusations] = [0, 0, 0]
const started = performance.now()
for (; steps < wanted; walks++) {
  const result = await tryWalk(from + walks, each)
  steps += result.steps
  accusations += result.accusations.length
  for (const one of result.accusations.slice(0, 1))
    console.error(`${from + walks} ${result.name}: ${JSON.stringify(one)}`)
  if (process.stderr.isTTY) process.stderr.write(`\r${steps} of ${wanted} steps `)
}
if (process.stderr.isTTY) process.stderr.write('\r')
const seconds = Math.round((performance.now() - started) / 1_000)
console.log(`soundness: ${steps} steps in ${walks} walks, ${accusations} accusations, ${seconds} s`)
process.exitCode = accusations > 0 ? 1 : 0
