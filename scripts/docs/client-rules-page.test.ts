/** The page of the rules for clients is complete. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { demands } from '#client-tests/demands.ts'

const page = readFileSync(new URL('../../docs/client-rules.md', import.meta.url), 'utf8')

test.each(demands)('$id has a section with its level, its sentence, its thresholds and its fix', (demand) => {
  const [, section = ''] = page.split(`\n### ${demand.id}\n`)
  const own = section.split('\n#')[0] ?? ''
  expect(own).toContain(`${demand.level}, ${demand.section}. ${demand.statement}`)
  for (const text of [demand.needs, demand.thresholds ?? '', demand.fix]) expect(own).toContain(text)
})
