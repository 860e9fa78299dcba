/** The OpenAPI document: complete, valid, current, and true of its own examples. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { examples } from '#fixtures/examples/index.ts'
import { makeExamples } from '#scripts/examples.ts'
import { openapiText } from '#scripts/openapi/main.ts'
import { operationIds, routeOf } from './operation.ts'
import { variants } from './route.ts'

const documentOf = (variant: 'both' | 'first' | 'second') => JSON.parse(openapiText(variant))

interface Described {
  operationId: string
  responses: Record<string, { content: { 'application/json': { schema: object } } }>
}

const described = (variant: 'both' | 'first' | 'second') =>
  Object.values(documentOf(variant).paths as Record<string, Record<string, Described>>).flatMap((item) =>
    Object.values(item),
  )

test('every operation is described once, under its own id', () => {
  expect(
    described('both')
      .map(({ operationId }) => operationId)
      .sort(),
  ).toEqual([...operationIds].sort())
})

test('the committed document is current', () => {
  expect(readFileSync(new URL('openapi.json', import.meta.url), 'utf8')).toBe(openapiText('both'))
})

test('422 is an answer of the second variant and of no first one', () => {
  const statuses = (variant: 'first' | 'second') =>
    new Set(described(variant).flatMap(({ responses }) => Object.keys(responses)))
  expect(statuses('first').has('422')).toBe(false)
  expect(statuses('second').has('422')).toBe(true)
})

test.each(variants)('the examples of the %s variant are what the mock answers', async (variant) => {
  expect(JSON.parse(JSON.stringify(await makeExamples(variant)))).toEqual(examples[variant])
})

test.each(variants)('every example of the %s variant validates', (variant) => {
  for (const operation of operationIds) {
    const { answer, body } = routeOf(operation)
    const example = examples[variant][operation]
    expect(answer[variant].safeParse(example?.answer).error?.issues ?? [], operation).toEqual([])
    if (body) expect(body.safeParse(example?.body).success, operation).toBe(true)
  }
})
