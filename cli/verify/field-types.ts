/** The fields of requests and answers with their types, in a line. */
import { z } from 'zod'
import { type OperationId, routeOf } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'

/** Lines such as `answer: { task: { id: text or number }, finished: true or false }`. */
export function fieldLines(operation: OperationId): string[] {
  const { body, query, answer } = routeOf(operation)
  const answers = variants.map((variant) => typeOf(answer[variant]))
  const isOne = new Set(answers).size === 1
  return [
    ...(body ? [`body: ${typeOf(body)}`] : []),
    ...(query ? [`query: ${typeOf(query)}`] : []),
    ...(isOne
      ? [`answer: ${answers[0]}`]
      : answers.map((one, at) => `answer, ${variants[at]} variant: ${one}`)),
  ]
}

const names: readonly (readonly [abstract new (...args: never[]) => z.ZodType, string])[] = [
  [z.ZodNumber, 'number'],
  [z.ZodString, 'text'],
  [z.ZodBoolean, 'true or false'],
  [z.ZodNull, 'null'],
]

function typeOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodOptional) return typeOf(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodNullable) return `${typeOf(schema.unwrap() as z.ZodType)} or null`
  if (schema instanceof z.ZodUnion) return schema.options.map((one) => typeOf(one as z.ZodType)).join(' or ')
  if (schema instanceof z.ZodArray) return `[${typeOf(schema.element as z.ZodType)}]`
  if (schema instanceof z.ZodLiteral) return JSON.stringify(schema.value)
  if (schema instanceof z.ZodObject) return objectOf(schema)
  return names.find(([kind]) => schema instanceof kind)?.[1] ?? 'anything'
}

function objectOf({ shape }: z.ZodObject): string {
  const fields = Object.entries(shape as Record<string, z.ZodType>)
  const texts = fields.map(
    ([name, field]) => `${name}${field instanceof z.ZodOptional ? '?' : ''}: ${typeOf(field)}`,
  )
  return texts.length === 0 ? 'object' : `{ ${texts.join(', ')} }`
}
