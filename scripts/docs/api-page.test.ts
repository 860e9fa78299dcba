import { expect, test } from 'vitest'
import { type FailureName, failures } from '#contract/errors.ts'
import { examples } from '#contract/examples/index.ts'
import { operationIds, routeOf } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import { createFixtures } from '#fixtures/create.ts'
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
