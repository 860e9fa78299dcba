/** The rules that explanations of requirements cite are those of the specification. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sentencesOf } from '#scripts/docs/sentences.ts'
import { mapping } from './mapping.ts'
import sentences from './sentences.json' with { type: 'json' }

test('the file is current; npm run sentences writes it', () => {
  const page = readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8')
  expect(sentences).toEqual(sentencesOf(page, Object.keys(mapping)))
})
