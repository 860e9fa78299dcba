/** Texts that are like a key and are none. */
import { expect, test } from 'vitest'
import { similarTo, swapCase } from './key-use.ts'

test('a key in the other case is no key, unless it is a UUID', () => {
  const [key, uuid] = ['wak_live_3f5A', '6fa459ea-ee8a-3ca4-894e-db77e160355e']
  expect(similarTo(key)).toContain(swapCase(key))
  expect(similarTo(uuid)).not.toContain(swapCase(uuid))
})
