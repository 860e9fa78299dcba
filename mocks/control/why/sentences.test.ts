/** The rules that explanations cite are those of the specification. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sentencesOf } from '#scripts/docs/sentences.ts'
import { allAnchors } from './anchors.ts'
import sentences from './sentences.json' with { type: 'json' }

test('the file is current; npm run sentences writes it', () => {
  const page = readFileSync(new URL('../../../docs/specification.md', import.meta.url), 'utf8')
  expect(sentences).toEqual(sentencesOf(page, allAnchors))
})

test('a rule that the page does not have is an error', () => {
  expect(() => sentencesOf('', ['whoami'])).toThrow('has no rule "whoami"')
})
