/** The report in every format. */
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import type { RequirementResult } from '#contract-tests/harness/outcome.ts'
import { hostileText, presentedSample, sampleRun } from '#contract-tests/report/testing/sample.ts'
import { type ReportResult, totalsText } from '../report.ts'
import { renderAnnotations } from './github.ts'
import { layOutTimeline, type TimelineBox } from './history-html.ts'
import { renderHtml } from './html.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'
import { renderText, resultText } from './text.ts'

const report = presentedSample()
const resultOf = (wanted: ReportResult['outcome']) =>
  report.results.find(({ outcome }) => outcome === wanted) as ReportResult
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1)
const plainly = { expected: 'a success', actual: '500 internal_error', statement: 'It works.' }

test('a failure shows the requirement, expected and actual, the exchange and a curl line', () => {
  const text = resultText({ ...resultOf('failed'), ...plainly })
  expect(text.split('\n').map((line) => line.slice(0, 60))).toEqual([
    'MUST SAMPLE-FAILED (§4 Tasks, §7)',
    '  Requirement  It works.',
    '  Expected     a success',
    '  Actual       500 internal_error',
    expect.stringMatching(/^ {2}Exchange {5}POST http:\/\/service\.test\/api\/cli\/tasks\//),
    expect.stringMatching(/^ {2}Reproduce {4}curl -i -X POST 'http:\/\/service\.test/),
  ])
})

test('no control character and no line break of a service reaches the terminal', () => {
  const text = renderText(report, { verbose: true })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  expect(text).toContain('\\u001b[31m')
  expect(text).not.toMatch(/^(?:end )?::error/m)
  expect(hostileText).toMatch(/\nend ::error/)
})

test('the last line is the outcome with its denominator', () => {
  expect(lastLine(renderText(report, { verbose: false }))).toBe(`FAILED: ${totalsText(report)}`)
  expect(totalsText(presentedSample({}, { results: [] }))).toBe('0 passed, 0 failed, of 0')
})

test('a suspicion stands directly behind what failed, with what was seen and why it is not proven', () => {
  const suspected = { ...resultOf('suspected'), expected: '3', actual: '4', reason: 'seen once' }
  const results = [resultOf('warned'), suspected, resultOf('failed')]
  const text = renderText({ ...report, outcome: 'failed', results })
  expect(text.match(/^(?:failed|suspected|warned)(?= )/gm)).toEqual(['failed', 'suspected', 'warned'])
  expect(text).toMatch(
    /suspected {2}MUST SAMPLE-SUSPECTED(?:.|\n)*Expected +3\n +Actual +4\n +Reason +seen once/,
  )
})

test('every format begins with what a reader must know first', () => {
  const led = { ...report, lead: ['Somebody else was there.'] }
  expect(renderText(led)).toMatch(/^Somebody else was there\.\n\n/)
  expect(renderMarkdown(led)).toMatch(/^# .*\n\n\*\*Somebody else was there\.\*\*\n/)
  expect(renderHtml(led)).toMatch(
    /<\/h1>\n<p class="note"><b>Somebody else was there\.<\/b><\/p><p class="headline">/,
  )
  expect(renderJunit(led)).toContain('<property name="lead" value="Somebody else was there."/>')
  expect(renderAnnotations(led)).toMatch(/::notice title=.*::Somebody else was there\. /)
})

test('a pass with a note is listed beside what did not pass', () => {
  const [first, ...others] = report.results.map((result) => ({ ...result, outcome: 'passed' as const }))
  if (!first) throw new Error('no result')
  const results = [{ ...first, reason: 'violated at first' }, ...others.map(({ reason: _, ...one }) => one)]
  const text = renderText({ ...report, results }, { verbose: false })
  expect(text).toContain(`Passed, with a note:\n  ${first.id}: violated at first\n\n`)
})

test('what is not exercised is listed by reason, in part unless verbose', () => {
  const idle = resultOf('not_exercised')
  const many = { ...report, results: Array.from({ length: 9 }, (_, i) => ({ ...idle, id: `IDLE-${i}` })) }
  expect(renderText(many, { verbose: false })).toContain('IDLE-4, and 4 more')
  expect(renderText(many, { verbose: true })).toContain('IDLE-7, IDLE-8')
})

test('keys that could not be deleted are named', () => {
  expect(renderText(report, { verbose: false })).toContain('Keys that could not be deleted: key_1\n')
})

const page = renderHtml(report)

test('nothing of a service becomes a tag', () => {
  const body = page.slice(page.indexOf('<body>'), page.indexOf('<script>'))
  expect(body).not.toMatch(/<b>&amp;|<!--|<b>&amp;amp;<\/b>/)
  expect(body).toContain('&lt;b&gt;&amp;amp;&lt;/b&gt;')
  expect(page.match(/<script/g)).toHaveLength(1)
})

test('it is one file that names no other', () => {
  expect(page).not.toMatch(/(?:src|href)="(?!#|data:)/)
  expect(page).not.toMatch(/@import|url\(/)
  expect(page).toContain(`default-src 'none'`)
})

test('each requirement is an article that can be linked to, below a headline with the denominator', () => {
  expect(page).toMatch(/<p class="headline">1 passed, 1 failed, .*, of 8<\/p>/)
  for (const { id, outcome } of report.results) {
    expect(page).toContain(`<article class="${outcome}" id="${id}"`)
    expect(page).toContain(`<a class="id" href="#${id}">`)
  }
})

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

/** Characters of a text that XML can carry. */
const carried = hostileText.toWellFormed().replaceAll('\u0007', '').replaceAll('\u001b', '')

const { suites, cases } = read(renderJunit(report))

test('it is well-formed, whatever a service answers', () => {
  expect(caseOf(cases, 'SAMPLE-FAILED')?.['@name']).toBe(`SAMPLE-FAILED It is ${carried}`)
})

test('a violation is a failure with its level, expected and actual', () => {
  const failure = caseOf(cases, 'SAMPLE-FAILED')?.failure as Element
  expect(failure['@type']).toBe('MUST')
  expect(failure['@message']).toBe(`failed: expected as said: ${carried}; got ${carried}`)
  expect(failure['#text']).toMatch(
    /Requirement {2}.*\n {2}Expected {5}.*\n {2}Actual {7}.*\n {2}Exchange {5}POST /,
  )
})

test('not exercised and not applicable are skipped with a reason, a fault of the suite is an error', () => {
  const skipped = (id: string) => (caseOf(cases, id)?.skipped as Element)['@message']
  expect(skipped('SAMPLE-NOT-EXERCISED')).toBe(
    `not exercised: ${carried}; supply --session-cookie name=value`,
  )
  expect(skipped('SAMPLE-NOT-APPLICABLE')).toMatch(/^not applicable: /)
  expect(skipped('SAMPLE-EXPECTED-FAILURE')).toMatch(/^expected failure: /)
  expect(caseOf(cases, 'SAMPLE-HARNESS-ERROR')).toHaveProperty('error')
})

test.each([
  { strict: false, failures: 2 },
  { strict: true, failures: 3 },
])('with strict $strict its counts are those of its elements: $failures failures', ({ strict, failures }) => {
  const { testsuites, suites, cases } = read(renderJunit(presentedSample({ strict })))
  const count = (those: Element[], element: string) => those.filter((one) => element in one).length
  expect(testsuites['@tests']).toBe('8')
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

const markdown = renderMarkdown(report)

/** The lines outside code blocks, read as CommonMark reads fences. */
function prose(text: string): string[] {
  let fence: string | undefined
  return text.split('\n').filter((line) => {
    const [mark] = /^`{3,}/.exec(line) ?? []
    if (fence === undefined) {
      fence = mark
      return mark === undefined
    }
    if (mark !== undefined && mark.length >= fence.length && line.trim() === mark) fence = undefined
    return false
  })
}

test('fences survive backticks: what a service answers stays in its block', () => {
  expect(hostileText).toContain('````')
  expect(prose(markdown).filter((line) => line.includes('Expected  '))).toEqual([])
  expect(prose(markdown).at(-2)).toBe('</details>')
})

test('no tag, control character or workflow command of a service begins outside a block', () => {
  const lines = prose(markdown)
  expect(lines.filter((line) => /<(?!\/?(?:details|summary)>)/.test(line))).toEqual([])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(markdown).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  expect(markdown).not.toMatch(/^::/m)
})

test('each row of a table has as many cells as its head', () => {
  const rows = prose(markdown).filter((line) => line.startsWith('|'))
  expect(rows.length).toBeGreaterThan(8)
  const cells = (row: string) => row.replace(/\\./g, '').split('|').length
  const heads = new Set(rows.map(cells))
  expect([...heads].sort()).toEqual([4, 6])
})

test('it begins with the outcome and the denominator, and names every requirement', () => {
  const [title, , headline] = markdown.split('\n')
  expect(title).toBe('# ❌ Conformance: failed')
  expect(headline).toBe(
    '1 passed, 1 failed, 1 suspected, 1 warned, 1 not applicable, 1 not exercised, 1 expected failure, 1 harness error, of 8',
  )
  for (const { id } of report.results) expect(markdown).toContain(id)
})

const [, failed] = sampleRun().results as [RequirementResult, RequirementResult]

test('each result is a command in one line, which no answer of a service can end', () => {
  const lines = renderAnnotations(report).trimEnd().split('\n')
  expect(lines.map((line) => /^::(\w+) title=([^:]+)::/.exec(line)?.slice(1))).toEqual([
    ['error', 'SAMPLE-FAILED'],
    ['error', 'SAMPLE-SUSPECTED'],
    ['error', 'SAMPLE-HARNESS-ERROR'],
    ['warning', 'SAMPLE-WARNED'],
    ['notice', 'Conformance failed'],
  ])
  expect(lines[0]).toContain('line%0Aend')
})

test('of many failures as many are shown as GitHub shows, and the rest are counted', () => {
  const results = Array.from({ length: 30 }, () => failed)
  const lines = renderAnnotations(presentedSample({}, { results })).trimEnd().split('\n')
  expect(lines).toHaveLength(11)
  expect(lines[9]).toBe('::error title=and 21 more::see the job summary')
})

const moment = (lane: string, from: number, to: number, more: Partial<TimelineBox> = {}): TimelineBox => ({
  lane,
  text: `${from}`,
  kind: 'ok',
  from,
  to,
  ...more,
})

test('what follows stands below, as wide as the lane; what overlaps stands beside', () => {
  const { columns, names, boxes } = layOutTimeline([moment('a', 1, 2), moment('a', 3, 6), moment('a', 4, 5)])
  expect(columns).toBe(2)
  expect(names).toEqual([{ name: 'a', row: '1', column: '1 / span 2' }])
  expect(boxes.map(({ row, column }) => [row, column])).toEqual([
    ['2 / 4', '1 / span 2'],
    ['4 / 8', '1'],
    ['5 / 7', '2'],
  ])
})

test('each organization has its lane, and possible states a row above what they are about', () => {
  const { names, boxes } = layOutTimeline([
    moment('main', 0, 0),
    moment('other', 1, 1, { before: ['Anything.'] }),
    moment('main', 2, 2),
  ])
  expect(names.map(({ name, column }) => [name, column])).toEqual([
    ['main', '1 / span 1'],
    ['other', '2 / span 1'],
  ])
  expect(boxes.map(({ row, column }) => [row, column])).toEqual([
    ['2 / 3', '1 / span 1'],
    ['3', '2 / span 1'],
    ['4 / 5', '2 / span 1'],
    ['5 / 6', '1 / span 1'],
  ])
  expect(boxes[1]).toMatchObject({ kind: 'possible', text: 'Possible before: Anything.' })
})
