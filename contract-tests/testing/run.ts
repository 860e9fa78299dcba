/** Runs the suite against new mocks, and reports on these runs. */
import type { Outcome } from '#reporting/outcome.ts'
import type { NamedSecret } from '#traffic/redaction.ts'
import type { Transport } from '../client/target.ts'
import { TestContext } from '../harness/context.ts'
import { resultsWithOutcome, type SuiteRun } from '../harness/outcome.ts'
import { SuiteRunState } from '../harness/run-state.ts'
import { type SuiteSettings, settingsWithDefaults } from '../harness/terms.ts'
import { createConformanceReport } from '../report/report.ts'
import { concludeSuiteRun, noExpectedFailures, type PassConditions } from '../runner/outcome-of-run.ts'
import { runSuite, type SuiteOptions } from '../runner/run.ts'
import { createEmbeddedMock } from '../targets/in-process.ts'
import { type Middleware, withMiddleware } from './middleware.ts'

/** The parameters of the mock. */
interface Made {
  readonly options?: Parameters<typeof createEmbeddedMock>[0]
  readonly create?: Parameters<typeof createEmbeddedMock>[1]
}

/** The mock, what stands between it and the suite, and further options of the run. */
type Given = Partial<Omit<SuiteOptions, 'target' | 'settings'>> & Made & { readonly between?: Middleware }

/** Runs the suite against a mock, with all of its credentials. */
export async function runSuiteOnMock(
  settings: Partial<SuiteSettings> = {},
  { options, create, between = (_, next) => next(), ...more }: Given = {},
) {
  const { mock, target, access } = createEmbeddedMock(options, create)
  const given = settingsWithDefaults({ ...access, ...settings })
  const run = await runSuite({ target: withMiddleware(target, between), settings: given, ...more })
  return { run, mock, target, access, settings: given }
}

/** Creates the context of a check against a new mock, or against a transport in its place. */
export function createContextOnMock(
  given: Partial<SuiteSettings> = {},
  { options, create, transport }: Made & { readonly transport?: Transport | undefined } = {},
): TestContext {
  const { target, access } = createEmbeddedMock(options, create)
  const settings = settingsWithDefaults({ ...access, ...given })
  const run = new SuiteRunState(settings)
  return new TestContext({ settings, target: transport ? { ...target, transport } : target, run })
}

/** The ids of the requirements of a run that have one of the outcomes. */
export const idsWithOutcome = (run: SuiteRun, ...outcomes: Outcome[]): string[] =>
  resultsWithOutcome(run, ...outcomes).map(({ requirement }) => requirement.id)

/**
 * Conditions under which tests conclude a run: SHOULD findings and requirements that were not exercised do not fail it,
 * and no failure is expected.
 */
export const lenientConditions: PassConditions = {
  strict: false,
  requireComplete: false,
  expected: noExpectedFailures,
  skip: [],
}

/** The JSON report on a finished run, judged as neither strict nor complete. */
export function reportLeniently(run: SuiteRun, secrets: readonly NamedSecret[] = []) {
  const concluded = concludeSuiteRun(run, lenientConditions)
  return createConformanceReport(concluded.run, concluded.judgement, { name: 'suite', version: '1' }, secrets)
}
