/** The JSON report and the schema that ships with it. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { catalogue } from '../catalogue/index.ts'
import { reportOf, runOnMock } from '../testing/run.ts'
import { renderConformance } from './presentation.ts'
import { type ConformanceReport, schemaText } from './report.ts'
import { secretsOf } from './secrets.ts'
import { sampleReport } from './testing/sample.ts'

const validate = new Ajv2020({ validateFormats: false, strict: true }).compile(JSON.parse(schemaText()))

/** The JSON format of a report, read again. */
const read = (report: ConformanceReport) => JSON.parse(renderConformance(report, 'json'))

/** Why a report does not match the schema; empty: it does. */
function misfits(report: unknown): unknown[] {
  validate(report)
  return validate.errors ?? []
}

test('the report of a run fits the schema and has each requirement of the catalogue once', async () => {
  const given = { extended: 'on', maxCredits: 20 } as const
  const { run, target, settings } = await runOnMock(given, { options: { variant: 'second' } })
  const report = read(reportOf(run, secretsOf(settings, run.secrets)))
  expect(misfits(report)).toEqual([])
  expect(report.requirements.map(({ id }: { id: string }) => id)).toEqual(catalogue.map(({ id }) => id))
  expect(report).toMatchObject({
    schema_version: 1,
    target: { base_url: target.baseUrl, variant: 'second', extended: 'offered' },
    outcome: 'passed',
    left: [],
    // What it does besides is only said of a run of selected requirements.
    took_along: [],
  })
  const counted = Object.values(report.totals as Record<string, number>).reduce((a, b) => a + b, 0)
  expect(counted).toBe(catalogue.length)
})

test('a report with every outcome and every odd character fits the schema', () => {
  expect(misfits(read(sampleReport()))).toEqual([])
})

test('the schema refuses what is not in it', () => {
  for (const change of [{ extra: 1 }, { totals: { passed: 1 } }, { outcome: 'fine' }])
    expect(misfits({ ...sampleReport(), ...change })).not.toEqual([])
})
