/** Generated files are current. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { specificationSentencesOf } from './docs/tables.ts'
import { generatedFiles } from './generated.ts'

test.each(Object.entries(generatedFiles))('%s is what its source makes it', async (file, make) => {
  expect(readFileSync(file, 'utf8') === (await make()), 'npm run generate writes it').toBe(true)
})

test('a rule that the specification does not have is an error', () => {
  expect(() => specificationSentencesOf('', ['whoami'])).toThrow('has no rule "whoami"')
})
