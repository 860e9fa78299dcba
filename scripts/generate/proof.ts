/** `npm run proof`: tries the whole matrix, writes `proof/PROOF.md`, and exits with code 1 if anything is not proven. */
import { writeFileSync } from 'node:fs'
import { variants } from '#contract/route.ts'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { unproven } from '#proof/coverage.ts'
import { defects } from '#proof/defects/index.ts'
import { drawVariations } from '#proof/draw.ts'
import { variations } from '#proof/legal-variations/index.ts'
import { type TrialResult, tryDefect, tryTogether, tryVariation, variantsOf } from '#proof/matrix.ts'
import { renderProof } from '#proof/page.ts'
import { seeds } from '#proof/seeds.ts'

const problems = unproven(catalogue, defects, 'MUST').map((id) => `${id}: no defect breaks it`)

/** Runs trials one after the other, and prints progress and objections. */
async function tryAll(what: string, trials: readonly (() => Promise<TrialResult>)[]): Promise<void> {
  const before = problems.length
  for (const [i, trial] of trials.entries()) {
    const { name, objections } = await trial()
    for (const objection of objections) {
      problems.push(`${name}: ${objection}`)
      console.error(problems.at(-1))
    }
    if (process.stderr.isTTY) process.stderr.write(`\r${what}: ${i + 1} of ${trials.length} `)
  }
  if (process.stderr.isTTY) process.stderr.write('\r')
  console.log(`${what}: ${trials.length} trials, ${problems.length - before} objections`)
}

for (const problem of problems) console.error(problem)
await tryAll(
  'defects',
  defects.flatMap((defect) => variantsOf(defect).map((variant) => () => tryDefect(defect, variant))),
)
await tryAll(
  'variations',
  variations.flatMap((one) => variantsOf(one).map((variant) => () => tryVariation(one, variant))),
)
await tryAll(
  'combinations',
  seeds.flatMap((seed) =>
    variants.map((variant) => () => tryTogether(drawVariations(variations, seed), variant)),
  ),
)

const page = new URL('../../proof/PROOF.md', import.meta.url)
writeFileSync(page, renderProof({ catalogue, defects, variations, seeds }, problems))
const open = unproven(catalogue, defects, 'SHOULD')
if (open.length > 0) console.log(`SHOULD requirements that no defect breaks: ${open.join(', ')}`)
console.log(
  problems.length === 0
    ? `proven: ${catalogue.length} requirements, ${defects.length} defects, ${variations.length} variations`
    : `${problems.length} problems`,
)
process.exitCode = problems.length > 0 ? 1 : 0
