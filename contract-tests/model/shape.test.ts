/** The shapes of answers, read from the definitions of their schemas as zod reads them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operationIds, routeOf } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import { isWhole } from '#mocks/testing/sample.ts'
import { fits, mismatch } from './shape.ts'

/** A schema as its definition tells. */
interface Part {
  readonly _zod: {
    readonly def: {
      readonly type: string
      readonly shape?: Readonly<Record<string, Part>>
      readonly element?: Part
      readonly innerType?: Part
      readonly options?: readonly Part[]
    }
  }
}

const nothing = fc.constant(undefined)

/** Values that have the shape of a schema or nearly: anything may stand in place of a part, or be left out. */
function nearly(schema: Part): fc.Arbitrary<unknown> {
  const { def } = schema._zod
  const parts: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
    object: () =>
      fc
        .record(Object.fromEntries(Object.entries(def.shape ?? {}).map(([name, one]) => [name, nearly(one)])))
        // One field is left out, now and then.
        .chain((whole) =>
          fc.nat(8).map((at) => Object.fromEntries(Object.entries(whole).filter((_, i) => i !== at))),
        ),
    array: () => fc.array(def.element ? nearly(def.element) : nothing, { maxLength: 3 }),
    nullable: () => fc.option(def.innerType ? nearly(def.innerType) : nothing),
    optional: () => (def.innerType ? nearly(def.innerType) : nothing),
    union: () => fc.oneof(...(def.options ?? []).map(nearly)),
    string: () => fc.string({ maxLength: 2 }),
    number: () => fc.constantFrom(0, -1, 1.5, 1e300, Number.POSITIVE_INFINITY),
    boolean: () => fc.boolean(),
    null: () => fc.constant(null),
    unknown: () => fc.constantFrom(null, 1, {}, undefined),
  }
  return fc.oneof(
    { arbitrary: parts[def.type]?.() ?? nothing, weight: 12 },
    { arbitrary: fc.constantFrom(null, '', 'x', 0, true, [], {}, [{}], undefined), weight: 1 },
  )
}

const shapes = operationIds.flatMap((operation) =>
  variants.map((variant) => ({ operation, variant, schema: routeOf(operation).answer[variant] })),
)

test.each(shapes)('$operation, $variant variant: what fits is what zod takes', ({ schema }) => {
  fc.assert(
    fc.property(nearly(schema as unknown as Part), (value) => {
      expect(fits(schema, value)).toBe(mismatch(schema, value) === undefined)
    }),
    { numRuns: isWhole ? 300 : 100 },
  )
})
