/**
 * `npm run proof mutants [every] [from]`: tries each mechanical mutant, or every n-th. Prints those that live although
 * they are forbidden, and those that die although they are legal; exits with code 1 if there is one.
 */
import { answerMutants, tryMutant } from '#proof/mutants.ts'

const [every, from] = [Number(process.argv[2] ?? 1), Number(process.argv[3] ?? 0)]
const tried = { forbidden: 0, arguable: 0, legal: 0 }
const died = { forbidden: 0, arguable: 0, legal: 0 }
let objections = 0
for (const mutant of answerMutants.filter((_, i) => i % every === from)) {
  const { red, objection } = await tryMutant(mutant)
  tried[mutant.is]++
  if (red.length > 0) died[mutant.is]++
  if (objection === undefined) continue
  objections++
  console.error(`${mutant.id} (${mutant.variant}): ${objection}`)
}
const shares = (Object.keys(tried) as (keyof typeof tried)[]).map(
  (name) => `${died[name]} of ${tried[name]} ${name}`,
)
console.log(`mutants that died: ${shares.join(', ')}; ${objections} objections`)
process.exitCode = objections > 0 ? 1 : 0
