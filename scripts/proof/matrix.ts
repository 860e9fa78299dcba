/**
 * `npm run proof`: runs the tests of `proof/` without samples, tries the whole matrix of `proof/PROOF.md`, and exits with
 * code 1 if anything is not proven. `npm run proof matrix ID…` tries only defects and variations with these
 * ids.
 */
import { spawnSync } from 'node:child_process'
import { isMainThread } from 'node:worker_threads'
import { formatSuggestion } from '#contract/input/suggestion.ts'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { defects } from '#proof/defects/index.ts'
import { legalVariations } from '#proof/legal-variations/index.ts'
import { proofTrials, requirementsWithoutDefect, type TrialResult } from '#proof/matrix.ts'
import { handleTasks, runInThreads, showProgressLine } from './pool.ts'

/** Tries the trials with these numbers; tells each objection, and returns all. */
async function objectionsOf(numbers: readonly number[]): Promise<string[]> {
  const problems: string[] = []
  let done = 0
  await runInThreads<number, TrialResult>(import.meta.url, numbers, (_, { name, objections }) => {
    for (const objection of objections) {
      problems.push(`${name}: ${objection}`)
      console.error(problems.at(-1))
    }
    showProgressLine(`${++done} of ${numbers.length} trials`)
  })
  showProgressLine()
  return problems
}

async function proveSome(ids: readonly string[]): Promise<void> {
  const unknown = ids.find((id) => !proofTrials.some((one) => one.id === id))
  if (unknown !== undefined) {
    const known = [...defects, ...legalVariations].map(({ id }) => id)
    console.error(`no defect or variation is called "${unknown}"${formatSuggestion(unknown, known)}`)
    process.exitCode = 2
    return
  }
  const numbers = [...proofTrials.keys()].filter((number) => ids.includes(proofTrials[number]?.id ?? ''))
  const problems = await objectionsOf(numbers)
  console.log(problems.length === 0 ? `proven in ${numbers.length} trials` : `${problems.length} problems`)
  process.exitCode = problems.length > 0 ? 1 : 0
}

async function proveAll(): Promise<void> {
  const problems = requirementsWithoutDefect('MUST').map((id) => `${id}: no defect breaks it`)
  const tests = spawnSync('vitest', ['run', '--project', 'proof', '--mode', 'whole'], { stdio: 'inherit' })
  if (tests.status !== 0) problems.push('the tests of proof/ fail')
  for (const problem of problems) console.error(problem)

  const started = Date.now()
  problems.push(...(await objectionsOf([...proofTrials.keys()])))
  for (const [group, list] of Map.groupBy(proofTrials, (one) => one.group))
    console.log(`${group}: ${list.length} trials`)
  console.log(`${Math.round((Date.now() - started) / 60_000)} minutes`)

  const open = requirementsWithoutDefect('SHOULD')
  if (open.length > 0) console.log(`SHOULD requirements that no defect breaks: ${open.join(', ')}`)
  console.log(
    problems.length === 0
      ? `proven: ${catalogue.length} requirements, ${defects.length} defects, ${legalVariations.length} variations`
      : `${problems.length} problems`,
  )
  process.exitCode = problems.length > 0 ? 1 : 0
}

const ids = process.argv.slice(2)
if (isMainThread) await (ids.length > 0 ? proveSome(ids) : proveAll())
else handleTasks(async (number: number) => proofTrials[number]?.run())
