/**
 * `npm run proof`: runs the tests of `proof/` without samples, tries the whole matrix, writes `proof/PROOF.md`, and
 * exits with code 1 if anything is not proven.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { defects } from '#proof/defects/index.ts'
import { variations } from '#proof/legal-variations/index.ts'
import { requirementsWithoutDefect, type TrialResult, trials } from '#proof/matrix.ts'
import { renderProof } from '#proof/page.ts'
import { handleTasks, runInThreads, showProgress } from './pool.ts'

async function main(): Promise<void> {
  const problems = requirementsWithoutDefect('MUST').map((id) => `${id}: no defect breaks it`)
  const tests = spawnSync('vitest', ['run', '--project', 'proof', '--mode', 'whole'], { stdio: 'inherit' })
  if (tests.status !== 0) problems.push('the tests of proof/ fail')
  for (const problem of problems) console.error(problem)

  const started = Date.now()
  let done = 0
  await runInThreads<number, TrialResult>(import.meta.url, [...trials.keys()], (_, { name, objections }) => {
    for (const objection of objections) {
      problems.push(`${name}: ${objection}`)
      console.error(problems.at(-1))
    }
    showProgress(`${++done} of ${trials.length} trials`)
  })
  showProgress()
  for (const [group, list] of Map.groupBy(trials, (one) => one.group))
    console.log(`${group}: ${list.length} trials`)
  console.log(`${Math.round((Date.now() - started) / 60_000)} minutes`)

  const page = new URL('../../proof/PROOF.md', import.meta.url)
  writeFileSync(page, renderProof(problems.sort()))
  const open = requirementsWithoutDefect('SHOULD')
  if (open.length > 0) console.log(`SHOULD requirements that no defect breaks: ${open.join(', ')}`)
  console.log(
    problems.length === 0
      ? `proven: ${catalogue.length} requirements, ${defects.length} defects, ${variations.length} variations`
      : `${problems.length} problems`,
  )
  process.exitCode = problems.length > 0 ? 1 : 0
}

if (isMainThread) await main()
else handleTasks(async (number: number) => trials[number]?.run())
