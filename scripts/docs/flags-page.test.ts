/** The page of all flags is complete, and current. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commandLines } from '#cli/command-lines.ts'
import { settableOptions } from '#cli/flags.ts'
import { mockCommand } from '#cli/mock/flags.ts'
import { mockOptions } from '#mocks/config/options.ts'

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
