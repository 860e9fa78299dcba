/**
 * `npm run proof soundness [steps] [from]`: walks through legal mocks, a million steps unless told otherwise, alone and
 * in combinations, with bursts, lost answers, late effects, other users and clocks that drift. `from`: the number of the
 * first walk, of 2,000 steps each. Exits with code 1 if the model accuses any of them.
 */
import { modelRules, statelessModelRules } from '#contract-tests/model/index.ts'
import { tryWalk } from '#proof/walks/soundness.ts'
import { showProgressLine } from './pool.ts'

const [wanted = 1_000_000, first] = process.argv.slice(2).map(Number)
const from = first ?? 0
const each = first === undefined ? Math.max(200, Math.min(2_000, Math.ceil(wanted / 500))) : 2_000
let [steps, walks, accusations] = [0, 0, 0]
const judged = new Set<string>()
const started = performance.now()
for (; steps < wanted; walks++) {
  const result = await tryWalk(from + walks, each)
  steps += result.steps
  accusations += result.accusations.length
  for (const rule of result.tried) judged.add(rule)
  for (const one of result.accusations.slice(0, 1))
    console.error(`${from + walks} ${result.name}: ${JSON.stringify(one)}`)
  showProgressLine(`${steps} of ${wanted} steps`)
}
showProgressLine()
const seconds = Math.round((performance.now() - started) / 1_000)
console.log(`soundness: ${steps} steps in ${walks} walks, ${accusations} accusations, ${seconds} s`)
const unjudged = modelRules.filter((one) => !statelessModelRules.includes(one) && !judged.has(one.id))
if (unjudged.length > 0)
  console.log(
    `no walk had anything for ${unjudged.map(({ id }) => id).join(', ')}: let proof/walks/walk.ts send it`,
  )
process.exitCode = accusations > 0 ? 1 : 0
