/** Parts of the API reference: tables of fields, types in a few words, examples, and the sections of resources. */
import { z } from 'zod'
import { errorBody } from '#contract/errors.ts'
import type { Variant } from '#contract/route.ts'
import { contractSchemas, type ResourceName, resourceOf, unwrap } from '#fixtures/resources.ts'
import { table } from '#reporting/markdown.ts'

/** Resources whose fields the contract names, with the place in the specification that describes them. */
const described = {
  organization: 'the-organization',
  key: 'api-keys',
  task: 'tasks',
  document: 'documents',
  notification: 'notifications',
  prospect: 'resources-of-the-extended-set',
} as const satisfies Partial<Record<ResourceName, string>>

const isDescribed = (name: string): name is keyof typeof described => Object.hasOwn(described, name)

/** A block of JSON. */
export function blockOf(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}

/** How the page names a variant. */
export const labelOf = (variant: Variant) => `${variant} variant`

/** The fields of an object; empty where the contract names none. `required`: mark those that a body must have. */
export function fieldTable(schema: z.ZodObject, required?: 'required'): string {
  const fields = Object.entries(schema.shape) as [string, z.ZodType][]
  const rows = fields.map(([name, field]) => {
    const must = required && !(field instanceof z.ZodOptional) ? ', required' : ''
    const optional = !required && field instanceof z.ZodOptional ? ', may be missing' : ''
    return [`\`${name}\``, `${typeOf(field)}${must}${optional}`, noteOf(field)]
  })
  return rows.length === 0 ? '' : table(['Field', 'Type', ''], rows)
}

/** The description of a field, unless its type links to a section that has it. */
function noteOf(schema: z.ZodType): string {
  return (schema.description ?? unwrap(schema).description ?? '').replaceAll('|', '\\|')
}

function typeOf(schema: z.ZodType): string {
  const inner = unwrap(schema)
  const types =
    inner instanceof z.ZodUnion ? inner.options.map((one) => nameOf(one as z.ZodType)) : [nameOf(inner)]
  return [...types, ...(inner === schema || !schema.isNullable() ? [] : ['null'])].join(' or ')
}

function nameOf(schema: z.ZodType): string {
  const resource = resourceOf(schema)
  if (resource && isDescribed(resource)) return `[${resource}](#${resource})`
  if (schema instanceof z.ZodArray) return `list of ${nameOf(schema.element as z.ZodType)}`
  if (schema instanceof z.ZodLiteral) return `\`${schema.value}\``
  if (schema instanceof z.ZodNumber) return schema.isInt ? 'whole number' : 'number'
  if (schema instanceof z.ZodString) return 'text'
  if (schema instanceof z.ZodBoolean) return 'true or false'
  if (schema instanceof z.ZodNull) return 'null'
  return schema instanceof z.ZodObject ? 'object' : 'anything'
}

/** A section for each resource whose fields the contract names. */
export function resourceSections(): string {
  const sections = Object.entries(described).map(([name, anchor]) => {
    const table = fieldTable(contractSchemas[name as keyof typeof described])
    return `### ${name}\n\n[Rules](specification.md#${anchor})\n\n${table}\n`
  })
  return `## Resources\n\nA service may add fields to each of these.\n\n${sections.join('\n')}`
}

/** The fields of every error. */
export const errorFields = () => fieldTable(errorBody)
