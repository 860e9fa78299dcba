/** The document of the control routes is valid and complete, and its examples match. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { controlOf } from '../../testing/control.ts'
import { frozenMock } from '../../testing/mock.ts'
import { controlRoutes } from './index.ts'

const documentOf = () => controlOf(frozenMock()).done('GET /openapi.json')

test('it is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  expect(await validator.validate(await documentOf())).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

test('every control route is in it once, with its own operation id', async () => {
  const { paths } = await documentOf()
  const described = Object.entries(paths as Record<string, Record<string, { operationId: string }>>).flatMap(
    ([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => ({ path, method, operationId })),
  )
  expect(described.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
    controlRoutes.map(({ method, path }) => `${method} ${path.replace(':id', '{id}')}`).sort(),
  )
  expect(new Set(described.map(({ operationId }) => operationId)).size).toBe(described.length)
})

test('every example can be sent', async () => {
  for (const { method, path, example, body, query } of controlRoutes) {
    if (typeof example === 'string' && example.startsWith('?'))
      expect(query?.safeParse(Object.fromEntries(new URLSearchParams(example))).success, path).toBe(true)
    if (typeof example === 'object') expect(body?.safeParse(example).success, `${method} ${path}`).toBe(true)
  }
})

test('every route that reads a body rejects unknown fields', () => {
  const open = controlRoutes.filter(({ body }) => body?.safeParse({ nope_at_all: 1 }).success)
  expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})
