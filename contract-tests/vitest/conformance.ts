/** The suite for teams that live in vitest: the same judge, one test for each requirement. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { wordsOf } from '#reporting/outcome.ts'
import { resultText } from '#reporting/render/text.ts'
import { catalogue } from '../catalogue/index.ts'
import type { Target } from '../client/target.ts'
import { type Settings, settingsWith } from '../harness/settings.ts'
import { presentRequirement } from '../report/presentation.ts'
import { createReport, type ReportedRequirement } from '../report/report.ts'
import { safeLine, secretsOf } from '../report/secrets.ts'
import { preflight } from '../runner/preflight.ts'
import { judge } from '../runner/run.ts'

/** A service to judge, opened when its first test is about to run. */
export interface Opened {
  readonly target: Target
  readonly settings: Pick<Settings, 'apiKey'> & Partial<Settings>
}

/** Time for the whole run of the suite, ms. */
const longest = 600_000

/**
 * Declares one test for each requirement. Only those that are to run (`-t`) are judged; what is not exercised
 * or not applicable is skipped with its reason, and a SHOULD finding is an annotation.
 */
export function conformance(name: string, open: () => Opened | Promise<Opened>): void {
  describe(name, () => {
    const verdicts = new Map<string, ReportedRequirement>()
    let problem: string | undefined
    let close = async () => {}

    // biome-ignore lint/correctness/noEmptyPattern: vitest takes fixtures here, and wants a pattern
    beforeAll(async ({}, suite) => {
      const opened = await open()
      close = () => opened.target.close()
      const wanted = suite.tasks.filter(({ mode }) => mode !== 'skip').map((task) => idOf(task.name))
      const told = await judgeSome(opened, wanted)
      if (typeof told === 'string') problem = told
      else for (const verdict of told) verdicts.set(verdict.id, verdict)
    }, longest)

    afterAll(() => close())

    for (const { id, statement } of catalogue) {
      test(`${id} ${statement}`, async ({ skip, annotate }) => {
        if (problem !== undefined) throw new Error(problem)
        const verdict = verdicts.get(id)
        if (!verdict) throw new Error(`${id} was not judged`)
        if (verdict.outcome === 'failed' || verdict.outcome === 'harness_error')
          throw new Error(resultText(presentRequirement(verdict)))
        if (verdict.outcome === 'warned') await annotate(resultText(presentRequirement(verdict)), 'warning')
        else if (verdict.outcome !== 'passed') skip(`${wordsOf(verdict.outcome)}: ${verdict.reason}`)
      })
    }
  })
}

const idOf = (title: string) => title.split(' ')[0] ?? title

/** Verdicts, or why there are none: the service cannot be judged. */
async function judgeSome(
  { target, settings: given }: Opened,
  wanted: readonly string[],
): Promise<ReportedRequirement[] | string> {
  const settings = settingsWith(given)
  const problem = await preflight(target, settings)
  if (problem !== undefined) return safeLine(problem, settings)
  const run = await judge({
    target,
    settings,
    requirements: catalogue.filter(({ id }) => wanted.includes(id)),
  })
  if (run.unreachable !== undefined) return safeLine(run.unreachable, settings)
  const suite = { name: 'work-agent-contract', version: 'vitest' }
  return createReport(
    run,
    { outcome: 'passed', strict: false, problems: [] },
    suite,
    secretsOf(settings, run.secrets),
  ).requirements
}
