/** The JSON report and the schema that ships with it. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { catalogue } from '../catalogue/index.ts'
import { settingsWith } from '../harness/terms.ts'
import { conclude, nothingExpected } from '../runner/outcome-of-run.ts'
import { runSuite } from '../runner/run.ts'
import { embeddedMock } from '../targets/in-process.ts'
import { renderConformance } from './presentation.ts'
import { type ConformanceReport, createReport } from './report.ts'
import { schemaFile } from './schema.ts'
import { secretsOf } from './secrets.ts'
import { sampleReport } from './testing/sample.ts'

const validate = new Ajv2020({ validateFormats: false, strict: true }).compile(
  JSON.parse(readFileSync(schemaFile, 'utf8')),
)

/** The JSON format of a report, read again. */
const read = (report: ConformanceReport) => JSON.parse(renderConformance(report, 'json'))

/** Why a report does not match the schema; empty: it does. */
function misfits(report: unknown): unknown[] {
  validate(report)
  return validate.errors ?? []
}

test('the report of a run fits the schema and has each requirement of the catalogue once', async () => {
  const { target, access } = embeddedMock({ variant: 'second' })
  const settings = settingsWith({ ...access, extended: 'on', maxCredits: 20 })
  const judged = await runSuite({ target, settings })
  const { run, judgement } = conclude(judged, {
    strict: false,
    requireComplete: false,
    expected: nothingExpected,
    skip: [],
  })
  const suite = { name: 'suite', version: '1' }
  const report = read(createReport(run, judgement, suite, secretsOf(settings, run.secrets)))
  expect(misfits(report)).toEqual([])
  expect(report.requirements.map(({ id }: { id: string }) => id)).toEqual(catalogue.map(({ id }) => id))
  expect(report).toMatchObject({
    schema_version: 1,
    target: { base_url: target.baseUrl, variant: 'second', extended: 'offered' },
    outcome: 'passed',
    left: [],
  })
  const counted = Object.values(report.totals as Record<string, number>).reduce((a, b) => a + b, 0)
  expect(counted).toBe(catalogue.length)
})

test('a report with every outcome and every odd character fits the schema', () => {
  expect(misfits(read(sampleReport()))).toEqual([])
})

test('the schema refuses what is not in it', () => {
  const report = sampleReport()
  expect(misfits({ ...report, extra: 1 })).not.toEqual([])
  expect(misfits({ ...report, totals: { passed: 1 } })).not.toEqual([])
  expect(misfits({ ...report, outcome: 'fine' })).not.toEqual([])
})
