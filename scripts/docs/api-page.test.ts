import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commandLines } from '#cli/command-lines.ts'
import { settableOptions } from '#cli/flags.ts'
import { mockCommand } from '#cli/mock/flags.ts'
import { demands } from '#client-tests/demands.ts'
import { type FailureName, failures } from '#contract/errors.ts'
import { examples } from '#contract/examples/index.ts'
import { operationIds, routeOf } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import { createFixtures } from '#fixtures/create.ts'
import { mockOptions } from '#mocks/config/options.ts'
import { apiPage } from './api-page.ts'
import { readPage } from './testing/pages.ts'

const text = apiPage()
const { blocks } = readPage('docs/api.md', text)
const shown = new Set(blocks.map((block) => JSON.stringify(JSON.parse(block.text))))

/** The part of the page below a heading of the third level. */
const sectionOf = (heading: string) => text.split(`\n### ${heading}\n`)[1]?.split(/\n##/)[0] ?? ''

test.each(operationIds)('%s has its route, fields, rule, and an example in each variant', (id) => {
  const { method, path, body, query, answer } = routeOf(id)
  const section = sectionOf(id)
  expect(section).toContain(`\`${method} ${path}\``)
  expect(section).toMatch(/\[rule\]\(specification\.md#[a-z-]+\)/)
  const fields = [body, query, answer.first, answer.second].flatMap((schema) =>
    Object.keys(schema?.shape ?? {}),
  )
  for (const field of fields) expect(section).toContain(`| \`${field}\` |`)
  for (const variant of variants) {
    const { body: sent, answer: answered } = examples[variant][id] ?? {}
    expect(shown).toContain(JSON.stringify(answered))
    if (sent !== undefined) expect(shown).toContain(JSON.stringify(sent))
  }
})

test.each(Object.keys(failures) as FailureName[])('%s has an example in each variant', (name) => {
  const section = sectionOf(`Error ${name.replaceAll('_', ' ')}`)
  for (const variant of variants) {
    const { status, body } = createFixtures({ variant }).errorAnswer(name)
    expect(section).toContain(`<summary>${status}`)
    expect(shown).toContain(JSON.stringify(body))
  }
})

const rulesPage = readFileSync(new URL('../../docs/client-rules.md', import.meta.url), 'utf8')

test.each(demands)('$id has a section with its level, its sentence, its thresholds and its fix', (demand) => {
  const [, section = ''] = rulesPage.split(`\n### ${demand.id}\n`)
  const own = section.split('\n#')[0] ?? ''
  expect(own).toContain(`${demand.level}, ${demand.section}. ${demand.statement}`)
  for (const text of [demand.needs, demand.thresholds ?? '', demand.fix]) expect(own).toContain(text)
})

const page = readFileSync(new URL('../../docs/flags.md', import.meta.url), 'utf8')

test('every flag has a row, and no cell of it breaks the table', () => {
  const flags = commandLines.flatMap(({ groups, queries = [] }) => [
    ...Object.values(groups).flat(),
    ...queries,
  ])
  for (const { negate, long } of flags) expect(page).toContain(`${negate ? ', ' : '| '}\`${long}`)
  const rows = page.split('\n').filter((line) => line.startsWith('| `--'))
  for (const row of rows) expect(row.replaceAll('\\|', '').split('|'), row).toHaveLength(6)
})

test('every option of a mock is a flag', () => {
  expect([...settableOptions(mockCommand).keys()]).toEqual(
    expect.arrayContaining(Object.keys(mockOptions.shape)),
  )
})
