/**
 * `npm run proof:mutants [every] [from]`: tries each mechanical mutant, or every n-th. Prints those that live although
 * they are forbidden, and those that die although they are legal; exits with code 1 if there is one.
 */
import { mutants } from '#proof/mutants/index.ts'
import { tryMutant } from '#proof/mutants/trial.ts'

const [every, from] = [Number(process.argv[2] ?? 1), Number(process.argv[3] ?? 0)]
const counts = { forbidden: 0, arguable: 0, legal: 0 }
let [died, objections] = [0, 0]
for (const mutant of mutants.filter((_, i) => i % every === from)) {
  const { red, objection } = await tryMutant(mutant)
  counts[mutant.is]++
  if (red.length > 0) died++
  if (objection === undefined) continue
  objections++
  console.error(`${mutant.id} (${mutant.variant}): ${objection}`)
}
const of = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
console.log(`mutants: ${of.join(', ')}; ${died} died, ${objections} objections`)
process.exitCode = objections > 0 ? 1 : 0
