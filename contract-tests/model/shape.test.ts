/** The shapes of answers, compiled from their JSON Schemas, fit what zod takes. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type JsonSchema, toJsonSchema } from '#contract/openapi/builder.ts'
import { operationIds, routeOf } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import { isExhaustiveTestRun } from '#mocks/testing/sample.ts'
import { matchesSchema, schemaMismatch } from './shape.ts'

/** Values that have the shape of a schema or nearly: anything may stand in place of a part, or be left out. */
function nearly({ type = [], anyOf = [], items = {}, properties = {} }: JsonSchema): fc.Arbitrary<unknown> {
  const ofType: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
    object: () =>
      fc
        .record(Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, nearly(one)])))
        // One field is left out, now and then.
        .chain((whole) =>
          fc.nat(8).map((at) => Object.fromEntries(Object.entries(whole).filter((_, i) => i !== at))),
        ),
    array: () => fc.array(nearly(items), { maxLength: 3 }),
    string: () => fc.string({ maxLength: 2 }),
    number: () => fc.constantFrom(0, -1, 1.5, 1e300, Number.POSITIVE_INFINITY),
    integer: () => fc.constantFrom(0, -1, 1.5, 2 ** 53, Number.POSITIVE_INFINITY),
    boolean: () => fc.boolean(),
    null: () => fc.constant(null),
  }
  const parts = [
    ...anyOf.map(nearly),
    ...[type].flat().map((name) => ofType[name]?.() ?? fc.constant(undefined)),
  ]
  return fc.oneof(
    {
      arbitrary: parts.length > 0 ? fc.oneof(...parts) : fc.constantFrom(null, 1, {}, undefined),
      weight: 12,
    },
    { arbitrary: fc.constantFrom(null, '', 'x', 0, true, [], {}, [{}], undefined), weight: 1 },
  )
}

const shapes = operationIds.flatMap((operation) =>
  variants.map((variant) => ({ operation, variant, schema: routeOf(operation).answer[variant] })),
)

test.each(shapes)('$operation, $variant variant: what fits is what zod takes', ({ schema }) => {
  fc.assert(
    fc.property(nearly(toJsonSchema(schema)), (value) => {
      expect(matchesSchema(schema, value)).toBe(schemaMismatch(schema, value) === undefined)
    }),
    { numRuns: isExhaustiveTestRun ? 300 : 100 },
  )
})
