/** The fields of every answer, as paths such as `items.*.status`, from the contract. */
import { z } from 'zod'
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { type Variant, variants } from '#contract/route.ts'

export interface AnswerField {
  readonly operation: OperationId
  readonly path: string
  readonly type: 'text' | 'number' | 'boolean' | 'list' | 'other'
  /** The first variant whose answer has it. */
  readonly variant: Variant
}

/** A schema without what makes it optional. */
function bare(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? bare(schema.unwrap()) : schema
}

function typeOf(schema: unknown): AnswerField['type'] {
  if (schema instanceof z.ZodArray) return 'list'
  if (schema instanceof z.ZodBoolean) return 'boolean'
  if (schema instanceof z.ZodNumber) return 'number'
  return schema instanceof z.ZodObject ? 'other' : 'text'
}

function fieldsIn(schema: unknown, before: string): { path: string; type: AnswerField['type'] }[] {
  if (schema instanceof z.ZodArray) return fieldsIn(bare(schema.element), `${before}*.`)
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).flatMap(([name, inner]) => {
    const [path, given] = [`${before}${name}`, bare(inner)]
    return [{ path, type: typeOf(given) }, ...fieldsIn(given, `${path}.`)]
  })
}

/** Every field of every operation once. */
export const answerFields: readonly AnswerField[] = operationIds.flatMap((operation) => {
  const seen = new Set<string>()
  return variants.flatMap((variant) =>
    fieldsIn(routeOf(operation).answer[variant], '').flatMap(({ path, type }) => {
      if (seen.has(path)) return []
      seen.add(path)
      return [{ operation, path, type, variant }]
    }),
  )
})
