/** `--list`, `--explain` and `--plan` work without traffic. */
import { expect, test } from 'vitest'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { settingsWithDefaults } from '#contract-tests/harness/terms.ts'
import { explainRequirement, requirementExplanation, requirementListText, runPlanText } from './catalogue.ts'
import { runVerifyInProcess, startTestService } from './testing/service.ts'

const ids = catalogue.map(({ id }) => id)

const all = settingsWithDefaults({ apiKey: '' })

test('the list has a line for each requirement that is selected, with its level and section', () => {
  const lines = requirementListText(false, all).trimEnd().split('\n')
  expect(lines.map((line) => line.split(/\s+/)[0])).toEqual(ids)
  for (const line of lines) expect(line).toMatch(/^\S+ {2,}(?:MUST|SHOULD|MAY) +.+ \(§.+\)$/)
  const some =
    requirementListText(false, { ...all, only: ['ODD-TEXT-*'], levels: ['MUST'] }).match(/^\S+/gm) ?? []
  expect([some.length > 1, some.every((id) => id.startsWith('ODD-TEXT-create'))]).toEqual([true, true])
})

test('the list as JSON shows what each requirement needs and costs', () => {
  const list: Record<string, unknown>[] = JSON.parse(requirementListText(true, all))
  expect(list.map(({ id }) => id)).toEqual(ids)
  expect(list).toContainEqual({
    ...{ id: 'CREDITS-REFUND', level: 'MUST', section: '§3.2', operation: 'runTask' },
    ...{ statement: expect.stringMatching(/credit/), needs: ['state:next_run_fails'], cost: 1 },
  })
})

test('every requirement can be explained, whatever the case of its id', () => {
  for (const { id, statement } of catalogue)
    expect(requirementExplanation(id.toLowerCase())).toContain(statement)
  expect(requirementExplanation('CREDITS-REFUND')).toMatch(
    /Needs +--states-url with the state "next_run_fails"\n +Costs +up to 2/,
  )
  expect(requirementExplanation('DEEP-BODY-createTask')).toMatch(/Verdict +exchange: .*alone/)
  expect(requirementExplanation('CREDITS-REFUND')).toMatch(
    /§3\.2: .*returned.* \(docs\/specification\.md#run-refund\)/,
  )
})

test('the explanation has the rule, the fields, the steps and what they take, and what proves it', async () => {
  const text = await explainRequirement('credits-refund')
  expect(text).toMatch(
    /Fields +answer, first variant: \{ taskId: .+, status: text, finished: true or false \}/,
  )
  expect(text).toMatch(/set up next_run_fails\n +runTask 200\n/)
  expect(text).toMatch(/whoami 200, \d+ times/)
  expect(text).toMatch(/tested alone: \d+ requests, 0 Work Credits, waits of \d+\.\d s where a run takes 2 s/)
  expect(text).toMatch(/Proven by +the defects? .*credits-no-refund/)
  expect(await explainRequirement('LIST-IDS-UNIQUE')).not.toContain('Steps')
  expect(await explainRequirement('CREDITS-ATOMIC'), 'an id that the service has answered').not.toContain(
    'Sends',
  )
})

test.each([
  ['TASK-ODD-ID', ['id 99999999999999999999', 'id 9007199254740993', 'id xxx.*… \\(300 characters\\)']],
  ['MALFORMED-ID-getTask', ['id a%00', 'id %ff', 'id %', 'id %25', 'id a%2Fb']],
  [
    'ODD-TEXT-createTask',
    ['body {"text":"Task \\\\xff end"}', 'body .*\\\\ud800 end"}', 'body .*\\\\u0000 end"}'],
  ],
  ['TASK-TEXT-LONG', ['body .*… \\(9\\d,\\d{3} characters\\)']],
  ['DEEP-BODY-createDocument', ['body .*"nested":\\[{20}.*… \\(20,\\d{3} characters\\)']],
  ['QUERY-TWICE-getInsights', ['query range=last_30d&range=last_30d']],
  ['QUERY-MALFORMED-listDocuments', ['query folder_id=%ff&all=%']],
  ['INPUT-NOT-OBJECT-createTask', ['body \\["text"\\]', 'body null', 'body true']],
  ['LIMIT-CODE', ['set up rate_limit: limit \\d+, window_s \\d+']],
])('the explanation of %s has the ids, lengths and numbers that it uses', async (id, expected) => {
  const text = await explainRequirement(id)
  for (const one of expected) expect(text).toMatch(new RegExp(`(?:Sends|^) +${one}$`, 'm'))
})

const settings = settingsWithDefaults({ apiKey: 'key' })

test('the plan reports nothing as passed, and promises nothing that the run cannot bring about, and says why', () => {
  const text = runPlanText(settings)
  const planned = text.match(/^planned /gm)?.length
  expect(text).not.toMatch(/pass/i)
  expect(text).toContain('not planned  KEY-WORKS: it needs a browser session\n')
  expect(text).toContain(`\n${planned} of ${ids.length} planned; at most 0 Work Credits would be spent.\n`)
  for (const id of ['SHAPE-createKey', 'SHAPE-runTask', 'ERROR-CODE-402', 'ERROR-CODE-429', 'LIMIT-CODE'])
    expect(text).toContain(`not planned  ${id}: `)
  expect(text).toContain(
    'not planned  KEY-SECRET-ONCE: ACCEPTS-createKey would show it, and it needs a browser session',
  )
  expect(runPlanText({ ...settings, probeRateLimit: 50 })).toContain('planned      LIMIT-CODE\n')
})

test('the plan shows the upper limit of the cost: what is allowed, what is planned, never more than 16', () => {
  const most = (change: object) => /at most (\d+)/.exec(runPlanText({ ...settings, ...change }))?.[1]
  expect(most({ maxCredits: 5 })).toBe('5')
  expect(most({ maxCredits: 500 })).toBe('16')
  expect(most({ maxCredits: 5, only: ['RUN-ENDS'] })).toBe('1')
  expect(most({ maxCredits: 5, only: ['AUTH-MISSING-*'], skip: ['*-generateCreative'] })).toBe('0')
  expect(most({ maxCredits: 5, readOnly: true })).toBe('0')
})

test.each([
  '--list',
  '--explain RUN-ENDS',
  '--plan --max-credits 20 --only RUN-*',
])('%s sends nothing', async (flags) => {
  const { url, env, asked } = await startTestService()
  const { code, err } = await runVerifyInProcess(`${url} ${flags}`, env)
  expect([code, err, asked]).toEqual([0, '', []])
})

test('the plan for the embedded mock includes every requirement', async () => {
  const { out } = await runVerifyInProcess('--plan')
  expect(out).toContain(
    `\n${ids.length} of ${ids.length} planned; at most 16 Work Credits would be spent, and 4 more only to repeat what is violated.\n`,
  )
})
