/** Every requirement is tested by exactly one shard, and shards are similar. */
import { expect, test } from 'vitest'
import { catalogue } from '../catalogue/index.ts'
import { isProbe } from '../harness/requirement.ts'
import { isInShard } from './selection.ts'

const probes = catalogue.filter(isProbe)
const sizeOf = (part: number, of: number) => probes.filter(({ id }) => isInShard(id, { part, of })).length

test.each([1, 2, 3, 5])('%i shards test each requirement once', (of) => {
  const parts = Array.from({ length: of }, (_, i) => i + 1)
  for (const { id } of probes) expect(parts.filter((part) => isInShard(id, { part, of }))).toHaveLength(1)
})

test('two shards are of similar size', () => {
  expect(Math.abs(sizeOf(1, 2) - sizeOf(2, 2))).toBeLessThan(probes.length / 10)
})

test('every shard reads its own traffic', () => {
  for (const { id } of catalogue.filter((one) => !isProbe(one)))
    for (const part of [1, 2, 3]) expect(isInShard(id, { part, of: 3 })).toBe(true)
})
