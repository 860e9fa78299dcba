/** No key, cookie or secret appears in any output of the suite, whatever a service does with it. */
import { expect, test } from 'vitest'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { settingsWithDefaults } from '#contract-tests/harness/terms.ts'
import { presentConformance } from '#contract-tests/report/presentation.ts'
import { createConformanceReport } from '#contract-tests/report/report.ts'
import { namedSecretsOfRun } from '#contract-tests/report/secrets.ts'
import { leakedSecretsIn } from '#contract-tests/report/testing/leaks.ts'
import {
  createEchoingService,
  type EchoMisbehaviour,
  echoSettings,
  secretEncodings,
  testSecretCores,
} from '#contract-tests/report/testing/sentinels.ts'
import { concludeSuiteRun, noExpectedFailures } from '#contract-tests/runner/outcome-of-run.ts'
import { runSuite } from '#contract-tests/runner/run.ts'
import { sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import { reportFormats } from '#reporting/formats.ts'
import { renderAnnotations } from '#reporting/render/github.ts'
import { renderReport } from '#reporting/render/index.ts'
import { createProgressDisplay } from '../screen.ts'

/** Every twelfth requirement in the gate: they share what renders them. */
const only = sampleUnlessExhaustive(
  catalogue.map(({ id }) => id),
  12,
)
const conditions = { strict: true, requireComplete: true, expected: noExpectedFailures, skip: [] }
const kinds: EchoMisbehaviour[] = [
  'adds fields',
  'answers errors',
  'answers text',
  'answers lists',
  'sends headers',
]

test.each(
  sampleUnlessExhaustive(kinds, 3),
)('a service that %s gets no secret into any output', async (misbehaviour) => {
  const settings = settingsWithDefaults({ ...echoSettings, only })
  const screen: string[] = []
  const { progress, end } = createProgressDisplay({ write: (text) => screen.push(text), isTTY: true })
  const judged = await runSuite({ target: createEchoingService(misbehaviour), settings, progress })
  end()
  const { run, judgement } = concludeSuiteRun(judged, conditions)
  const raw = run.results.map(({ evidence, actual, reason }) => JSON.stringify([evidence, actual, reason]))
  expect(leakedSecretsIn(raw.join('\n'), [testSecretCores.apiKey]), 'the service has shown it').not.toEqual(
    [],
  )
  const bugs = run.results.filter(({ outcome }) => outcome === 'harness_error')
  expect(bugs.map(({ reason }) => reason)).toEqual([])
  const secrets = namedSecretsOfRun(settings, run.secrets)
  const report = createConformanceReport(run, judgement, { name: 'suite', version: '1' }, secrets)
  const presented = presentConformance(report)
  const shown = {
    ...Object.fromEntries(reportFormats.map((format) => [format, renderReport(format, report, presented)])),
    annotations: renderAnnotations(presented),
    screen: screen.join(''),
  }
  for (const [name, text] of Object.entries(shown))
    expect(leakedSecretsIn(text, Object.values(testSecretCores)), name).toEqual([])
})

test('the search finds each form of a secret', () => {
  for (const form of secretEncodings(echoSettings.apiKey)) {
    expect(leakedSecretsIn(`<p>${form}</p>`, [testSecretCores.apiKey]), form).not.toEqual([])
  }
})
