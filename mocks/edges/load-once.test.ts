/** What could not be loaded once can be loaded later. */
import { expect, test } from 'vitest'
import { loadOnce } from './fetch.ts'

test('a failure is not kept, a success is', async () => {
  let calls = 0
  const load = loadOnce(async () => {
    if (++calls === 1) throw new Error('EMFILE: too many open files')
    return calls
  })
  await expect(load()).rejects.toThrow('EMFILE')
  expect(await Promise.all([load(), load()])).toEqual([2, 2])
  expect(calls).toBe(2)
})
