import { expect, test } from 'vitest'
import { sentencesOf } from '#scripts/docs/sentences.ts'

test('a rule that the page does not have is an error', () => {
  expect(() => sentencesOf('', ['whoami'])).toThrow('has no rule "whoami"')
})
