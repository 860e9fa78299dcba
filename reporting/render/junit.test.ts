/** The JUnit report, read by a parser that is not ours. */
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { nasty, presentedSample } from '#contract-tests/report/testing/sample.ts'
import { renderJunit } from './junit.ts'

type Element = Record<string, unknown>

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseAttributeValue: false,
  trimValues: false,
  htmlEntities: true,
  isArray: (name) => ['testsuite', 'testcase', 'property'].includes(name),
})

function read(xml: string) {
  expect(XMLValidator.validate(xml)).toBe(true)
  const { testsuites } = parser.parse(xml)
  const suites = testsuites.testsuite as (Element & {
    testcase: Element[]
    properties: { property: Element[] }
  })[]
  return { testsuites: testsuites as Element, suites, cases: suites.flatMap(({ testcase }) => testcase) }
}

const caseOf = (cases: Element[], id: string) =>
  cases.find((one) => String(one['@name']).startsWith(`${id} `))

/** What XML can carry of a text. */
const carried = nasty.toWellFormed().replaceAll('\u0007', '').replaceAll('\u001b', '')

test('it is well-formed, whatever a service answers', () => {
  const { cases } = read(renderJunit(presentedSample()))
  expect(caseOf(cases, 'SAMPLE-FAILED')?.['@name']).toBe(`SAMPLE-FAILED It is ${carried}`)
})

test('a violation is a failure with its level, expected and actual', () => {
  const { cases } = read(renderJunit(presentedSample()))
  const failure = caseOf(cases, 'SAMPLE-FAILED')?.failure as Element
  expect(failure['@type']).toBe('MUST')
  expect(failure['@message']).toBe(`failed: expected as said: ${carried}; got ${carried}`)
  expect(failure['#text']).toMatch(
    /Requirement {2}.*\n {2}Expected {5}.*\n {2}Actual {7}.*\n {2}Exchange {5}POST /,
  )
})

test('not exercised and not applicable are skipped with a reason, a fault of the suite is an error', () => {
  const { cases } = read(renderJunit(presentedSample()))
  const skipped = (id: string) => (caseOf(cases, id)?.skipped as Element)['@message']
  expect(skipped('SAMPLE-NOT-EXERCISED')).toBe(
    `not exercised: ${carried}; supply --session-cookie name=value`,
  )
  expect(skipped('SAMPLE-NOT-APPLICABLE')).toMatch(/^not applicable: /)
  expect(skipped('SAMPLE-EXPECTED-FAILURE')).toMatch(/^expected failure: /)
  expect(caseOf(cases, 'SAMPLE-HARNESS-ERROR')).toHaveProperty('error')
})

test.each([
  { strict: false, failures: 1 },
  { strict: true, failures: 2 },
])('with strict $strict its counts are those of its elements: $failures failures', ({ strict, failures }) => {
  const { testsuites, suites, cases } = read(renderJunit(presentedSample({ strict })))
  const count = (those: Element[], element: string) => those.filter((one) => element in one).length
  expect(testsuites['@tests']).toBe('7')
  expect(testsuites['@failures']).toBe(String(failures))
  for (const [attribute, element] of [
    ['@failures', 'failure'],
    ['@errors', 'error'],
    ['@skipped', 'skipped'],
  ] as const) {
    expect(testsuites[attribute]).toBe(String(count(cases, element)))
    for (const suite of suites) expect(suite[attribute]).toBe(String(count(suite.testcase, element)))
  }
})

test('each suite names the target, the run and the credits', () => {
  const { suites } = read(renderJunit(presentedSample()))
  for (const { properties } of suites) {
    const values = Object.fromEntries(properties.property.map((one) => [one['@name'], one['@value']]))
    expect(values).toMatchObject({
      base_url: 'http://service.test/v1',
      variant: 'mixed',
      run_id: 'verify-sample',
      credits_limit: '20',
      credits_spent: '7',
    })
  }
})
