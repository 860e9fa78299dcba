/** The suite in vitest: one test for each requirement. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { outcomeWordsOf } from '#reporting/outcome.ts'
import { resultText } from '#reporting/render/text.ts'
import { catalogue } from '../catalogue/index.ts'
import type { Target } from '../client/target.ts'
import { type SuiteSettings, settingsWithDefaults } from '../harness/terms.ts'
import { presentRequirement } from '../report/presentation.ts'
import { createConformanceReport, type ReportedRequirement } from '../report/report.ts'
import { namedSecretsOfRun, redactedErrorLine } from '../report/secrets.ts'
import { preflightProblem } from '../runner/preflight.ts'
import { runSuite } from '../runner/run.ts'

/** A service to test, opened before its first test. */
interface Opened {
  readonly target: Target
  readonly settings: Pick<SuiteSettings, 'apiKey'> & Partial<SuiteSettings>
}

/** Longest run of the suite, ms. */
const longest = 600_000

/**
 * Declares one vitest test for each requirement. Only selected tests (`-t`) run; a requirement that is not exercised or
 * not applicable is skipped with its reason, and a SHOULD finding is an annotation.
 */
export function declareRequirementTests(name: string, open: () => Opened | Promise<Opened>): void {
  describe(name, () => {
    const results = new Map<string, ReportedRequirement>()
    let problem: string | undefined
    let close = async () => {}

    // biome-ignore lint/correctness/noEmptyPattern: vitest takes fixtures here, and wants a pattern
    beforeAll(async ({}, suite) => {
      const opened = await open()
      close = () => opened.target.close()
      const wanted = suite.tasks.filter(({ mode }) => mode !== 'skip').map((task) => idOf(task.name))
      const outcome = await runSelected(opened, wanted)
      if (typeof outcome === 'string') problem = outcome
      else for (const result of outcome) results.set(result.id, result)
    }, longest)

    afterAll(() => close())

    for (const { id, statement } of catalogue) {
      test(`${id} ${statement}`, async ({ skip, annotate }) => {
        if (problem !== undefined) throw new Error(problem)
        const result = results.get(id)
        if (!result) throw new Error(`${id} was not run`)
        if (['failed', 'suspected', 'harness_error'].includes(result.outcome))
          throw new Error(resultText(presentRequirement(result)))
        if (result.outcome === 'warned') await annotate(resultText(presentRequirement(result)), 'warning')
        else if (result.outcome !== 'passed') skip(`${outcomeWordsOf(result.outcome)}: ${result.reason}`)
      })
    }
  })
}

const idOf = (title: string) => title.split(' ')[0] ?? title

/** The results, or why the service cannot be tested. */
async function runSelected(
  { target, settings: given }: Opened,
  wanted: readonly string[],
): Promise<ReportedRequirement[] | string> {
  const settings = settingsWithDefaults(given)
  const requirements = catalogue.filter(({ id }) => wanted.includes(id))
  const problem = await preflightProblem(target, settings, requirements)
  if (problem !== undefined) return redactedErrorLine(problem, settings)
  const run = await runSuite({ target, settings, requirements })
  if (run.unreachable !== undefined) return redactedErrorLine(run.unreachable, settings)
  const suite = { name: 'work-agent-contract', version: 'vitest' }
  return createConformanceReport(
    run,
    { outcome: 'passed', strict: false, problems: [] },
    suite,
    namedSecretsOfRun(settings, run.secrets),
  ).requirements
}
