/** The words of the mock: complete, and understood where they are used. */
import { expect, test } from 'vitest'
import { operationIds } from '#contract/operation.ts'
import { codes, parseFault } from '../../faults/fault.ts'
import { controlOf } from '../../testing/control.ts'
import { frozenMock } from '../../testing/mock.ts'

test('every word is a fault, and every error can be forced on its operation', async () => {
  const { done } = controlOf(frozenMock())
  const { operations, words, wire, others, quirks } = await done('GET /vocabulary')
  for (const word of [...words, ...wire.map(({ word }: { word: string }) => word)])
    expect(parseFault(word), word).toBeDefined()
  const explained = [...wire, ...others].map(({ word }: { word: string }) => word)
  const unexplained = words
    .map((text: string) => text.split(' ')[0])
    .filter((name: string) => !codes.has(name))
  expect(explained.toSorted()).toEqual(
    unexplained.filter((name: string) => !/^(ok|lost)$/.test(name)).toSorted(),
  )
  expect(operations.map(({ id }: { id: string }) => id)).toEqual(operationIds)
  for (const { id, errors } of operations)
    for (const error of errors) await done('POST /faults', { body: { rule: `${id}=${error}` } })
  expect(quirks.length).toBeGreaterThan(20)
})
