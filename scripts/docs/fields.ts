/** Tables of the fields of a body, a query or an answer, with their types in a few words. */
import type { z } from 'zod'
import { fieldsOf, type JsonSchema } from '#contract/openapi/builder.ts'
import { table } from '#reporting/markup.ts'

interface Marks {
  /** What is said of a field that must be there, and of one that need not. */
  readonly required?: string
  readonly optional?: string
  /** A link to what describes an object; undefined: nothing does. */
  readonly linked?: (schema: JsonSchema) => string | undefined
}

/** The table; empty for an object without fields. */
export function fieldTable(
  heads: readonly string[],
  object: z.ZodType | undefined,
  { required: must = '', optional = '', linked = () => undefined }: Marks = {},
): string {
  const rows = fieldsOf(object).map(({ name, required, schema, description = '' }) => [
    `\`${name}\``,
    typeOf(schema, linked) + (required ? must : optional),
    description.replaceAll('|', '\\|'),
  ])
  return rows.length === 0 ? '' : table(heads, rows)
}

const types: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
}

/** Longest list of values that is written out. */
const fewValues = 6

function typeOf(schema: JsonSchema, linked: NonNullable<Marks['linked']>): string {
  const { const: only, enum: values, anyOf, type = [], items = {}, format } = schema
  if (only !== undefined) return `\`${only}\``
  if (values && values.length <= fewValues) return values.map((value) => `\`${value}\``).join(', ')
  if (anyOf) return [...new Set(anyOf.map((one) => typeOf(one, linked)))].join(' or ')
  if (type === 'array') return `list of ${typeOf(items, linked)}`
  if (format === 'date-time') return 'moment'
  const names = [type].flat().map((one) => types[one] ?? one)
  return linked(schema) ?? (names.join(' or ') || 'anything')
}
