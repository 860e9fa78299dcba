/** Every form of a card tells the same, and none tells a secret or lets a text become markup. */
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { frozenMock } from '#mocks/testing/mock.ts'
import { type Card, createCard, mergeCards, type Verdict } from '../card.ts'
import { formNames } from '../forms.ts'
import { renderers } from './index.ts'

const verdict = (id: string, level: Verdict['level'], outcome: Verdict['outcome']): Verdict => ({
  id,
  level,
  section: '§7',
  statement: 'A client <waits> & "sees".',
  outcome,
  situations: 1,
  findings: [],
  more_findings: 0,
  evidence: [],
  mend: `Fix ${id}.`,
  needs: `what ${id} needs`,
})

const evidence = {
  request_id: 'req_1',
  at: '2026-03-01T12:00:00.000Z',
  method: 'GET',
  path: '/api/cli/tasks/<script>|`]]>',
  answer: '402 no_credits',
}
const finding = { part: 'out-of-credits', what: 'did *wrong*\u001b[31m', evidence: [evidence] }
const rules = [
  { ...verdict('must-broken', 'MUST', 'failed'), findings: [finding], more_findings: 3 },
  { ...verdict('should-broken', 'SHOULD', 'warned'), findings: [finding] },
  verdict('kept', 'MUST', 'passed'),
  verdict('idle', 'MUST', 'not_exercised'),
]
const parts = [{ id: 'out-of-credits', org_id: 'org_1', requests: 7, end: 'exit 1' }]
const card = createCard(parts, rules, false)

test.each(
  formNames.filter((name) => name !== 'junit'),
)('%s tells every rule, what was found, and how to fix it', (name) => {
  const told = renderers[name](card)
  for (const { id } of rules) expect(told).toContain(id)
  for (const text of ['req_1', 'Fix must-broken.', 'what idle needs', 'exit 1', '402 no_credits'])
    expect(told).toContain(text)
})

test('the text ends with the verdict and its denominator', () => {
  expect(renderers.text(card).trimEnd().split('\n').at(-1)).toBe(
    'FAILED: 1 passed, 1 failed, 1 warned, 1 not exercised, of 4',
  )
})

test('no control character reaches a terminal', () => {
  expect(renderers.text(card)).not.toContain('\u001b')
})

test('HTML holds no element of a stranger and loads nothing', () => {
  const page = renderers.html(card)
  expect(page).not.toContain('<script')
  expect(page).not.toMatch(/(?:src|href)=/)
  expect(page).toContain('A client &lt;waits&gt; &amp; &quot;sees&quot;.')
})

test('a table of Markdown keeps its cells', () => {
  const rows = renderers.md(card).match(/^\|.*\|$/gm) ?? []
  for (const row of rows) expect(row.replaceAll('\\|', '').split('|').length).toBeOneOf([5, 6])
})

test.each([false, true])('JUnit counts what it holds (strict: %s)', (strict) => {
  const text = renderers.junit(createCard(parts, rules, strict))
  expect(XMLValidator.validate(text)).toBe(true)
  const { testsuites } = new XMLParser({
    ignoreAttributes: false,
    isArray: (name) => name === 'testcase',
  }).parse(text)
  const { testcase, ...suite } = testsuites.testsuite
  const count = (child: string) => testcase.filter((one: object) => Object.hasOwn(one, child)).length
  expect([suite['@_tests'], suite['@_failures'], suite['@_skipped']].map(Number)).toEqual([
    4,
    count('failure'),
    count('skipped'),
  ])
  expect([count('failure'), count('skipped'), count('system-out')]).toEqual(strict ? [2, 1, 0] : [1, 1, 1])
})

test('a merged card is broken where one part is, and exercised where one part is', () => {
  const first = createCard(
    parts,
    [verdict('a', 'MUST', 'passed'), verdict('b', 'MUST', 'not_exercised')],
    false,
  )
  const next = createCard(parts, [verdict('a', 'MUST', 'failed'), verdict('b', 'MUST', 'passed')], false)
  const merged: Card = mergeCards([first, next], false)
  expect(merged.rules.map(({ outcome, situations }) => [outcome, situations])).toEqual([
    ['failed', 2],
    ['passed', 2],
  ])
  expect([merged.outcome, merged.parts.length]).toEqual(['failed', 2])
})

test('no form tells a key, wherever a client puts it', async () => {
  const mock = frozenMock()
  const { apiKey } = mock.credentials('hush-hush')
  const headers = { authorization: `Bearer ${apiKey}`, 'x-key': apiKey }
  const ask = (path: string) => mock.fetch(new Request(`http://mock.test/api/cli/${path}`, { headers }))
  await ask(`tasks/${apiKey}?key=${apiKey}`)
  await ask(`tasks/${encodeURIComponent(apiKey)}`)
  await ask(`${apiKey}/undefined`)
  const seen = mock.report()
  expect(seen.rules.find(({ id }) => id === 'key-in-header')).toMatchObject({ outcome: 'warned' })
  for (const name of formNames) expect(renderers[name](seen)).not.toMatch(/hush|wak_/)
})
