/** No key, cookie or secret appears in any output of the suite, whatever a service does with it. */
import { expect, test } from 'vitest'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import type { RequirementResult } from '#contract-tests/harness/outcome.ts'
import { settingsWith } from '#contract-tests/harness/terms.ts'
import { presentConformance } from '#contract-tests/report/presentation.ts'
import { type ConformanceReport, createReport } from '#contract-tests/report/report.ts'
import { secretsOf } from '#contract-tests/report/secrets.ts'
import { leaksIn } from '#contract-tests/report/testing/leaks.ts'
import {
  cores,
  echoingService,
  echoSettings,
  formsOf,
  type Misbehaviour,
} from '#contract-tests/report/testing/sentinels.ts'
import { conclude, nothingExpected } from '#contract-tests/runner/outcome-of-run.ts'
import { runSuite, type SuiteOptions } from '#contract-tests/runner/run.ts'
import { sample } from '#mocks/testing/sample.ts'
import { formats } from '#reporting/formats.ts'
import { renderAnnotations } from '#reporting/render/github.ts'
import { render } from '#reporting/render/index.ts'
import { showProgress } from '../screen.ts'

const needles = Object.values(cores)

/** Every twelfth requirement in the gate: they share what renders them. */
const only = sample(
  catalogue.map(({ id }) => id),
  12,
)

/** Tests an echoing service, and renders every output of the run. */
async function artefactsOf(misbehaviour: Misbehaviour, more: Partial<SuiteOptions> = {}) {
  const target = echoingService(misbehaviour)
  const settings = settingsWith({ ...echoSettings, only })
  const screen: string[] = []
  const { progress, end } = showProgress({ write: (text) => screen.push(text), isTTY: true })
  const judged = await runSuite({ target, settings, progress, ...more })
  end()
  const { run, judgement } = conclude(judged, {
    strict: true,
    requireComplete: true,
    expected: nothingExpected,
    skip: [],
  })
  const suite = { name: 'suite', version: '1' }
  const report = createReport(run, judgement, suite, secretsOf(settings, run.secrets))
  return { run, report, screen: screen.join(''), artefacts: artefacts(report) }
}

function artefacts(report: ConformanceReport): Record<string, string> {
  const presented = presentConformance(report)
  const rendered = formats.map((format) => [format, render(format, report, presented)])
  return { ...Object.fromEntries(rendered), annotations: renderAnnotations(presented) }
}

const misbehaviours: Misbehaviour[] = [
  'adds fields',
  'answers errors',
  'answers text',
  'answers lists',
  'sends headers',
]

test.each(
  sample(misbehaviours, 3),
)('a service that %s gets no secret into any output', async (misbehaviour) => {
  const { run, artefacts, screen } = await artefactsOf(misbehaviour)
  const raw = run.results.flatMap(({ evidence, actual, reason }: RequirementResult) => [
    actual ?? '',
    reason ?? '',
    ...evidence.map((one) => JSON.stringify(one)),
  ])
  expect(leaksIn(raw.join('\n'), [cores.apiKey]), 'the service has shown it').not.toEqual([])
  expect(
    run.results.filter(({ outcome }) => outcome === 'harness_error').map(({ reason }) => reason),
  ).toEqual([])
  for (const [name, text] of Object.entries({ ...artefacts, screen })) {
    expect(leaksIn(text, needles), name).toEqual([])
  }
})

test('the search finds each form of a secret', () => {
  for (const form of formsOf(echoSettings.apiKey)) {
    expect(leaksIn(`<p>${form}</p>`, [cores.apiKey]), form).not.toEqual([])
  }
})
