/** Builds an OpenAPI 3.1 document. The document of the API and that of the mock's control routes share it. */

import { z } from 'zod'
import type { Variant } from '../route.ts'

/** An object of an OpenAPI document. */
export type OpenapiObject = Record<string, unknown>

interface DocumentParts {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly OpenapiObject[]
  readonly tags?: readonly OpenapiObject[]
  readonly security?: readonly OpenapiObject[]
  /** Operation objects, each with its method and its path as routes have it: `/tasks/:id`. */
  readonly operations: readonly {
    readonly method: string
    readonly path: string
    readonly operation: OpenapiObject
  }[]
  readonly components: OpenapiObject
}

/** Assembles an OpenAPI document from its parts. */
export function assembleOpenapiDocument({
  info,
  operations,
  components,
  ...rest
}: DocumentParts): OpenapiObject {
  const paths: Record<string, OpenapiObject> = {}
  for (const { method, path, operation } of operations) {
    const template = path.replace(':id', '{id}')
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation }
  }
  const license = { name: 'MIT', identifier: 'MIT' }
  return { openapi: '3.1.0', info: { ...info, license }, ...rest, paths, components }
}

/**
 * The OpenAPI parameters of a route, in its path and its query. `example`: an example of an id, which some tools really
 * send.
 */
export function parametersOf(
  path: string,
  query: z.ZodType | undefined,
  identifier: OpenapiObject,
  example: string,
): OpenapiObject[] {
  const id = { name: 'id', in: 'path', required: true, schema: identifier, example }
  const inQuery = fieldSchemasOf(query).map(({ name, description, schema }) => {
    // Values of a list are separated by commas.
    const isList = [schema, ...(schema.anyOf ?? [])].some(({ type }) => type === 'array')
    const style = { ...(description && { description }), ...(isList && { explode: false }) }
    return { name, in: 'query', ...style, required: false, schema }
  })
  return path.includes(':id') ? [id, ...inQuery] : inQuery
}

/** Creates a `$ref` to a named schema. */
export const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Lists the fields of a body, a query or an answer, each with its name, its JSON Schema and whether it is required. */
export function fieldSchemasOf(object: z.ZodType = z.object({})) {
  const { properties = {}, required = [] } = toJsonSchema(object)
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    return { name, required: required.includes(name), schema, description }
  })
}

/** A JSON Schema, with those keywords that this code reads. */
export interface JsonSchema extends OpenapiObject {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly format?: string
  readonly description?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

/** Converts a zod schema to JSON Schema, without the safe-integer bounds that zod adds. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema }) {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return rest as JsonSchema
}

/** The text that describes the API at the top of its OpenAPI document, in Markdown. */
export function openapiDescription(variant: Variant | 'both', extended: boolean): string {
  return [
    'Runs work for an organization: tasks are created, runs of them started, and read until they are finished. § marks a section of the specification; what it leaves open is "not shown".',
    variant === 'both'
      ? '- **Variants**: where the two descriptions of the API differ, both are allowed: an answer is either shape, or has the fields of both.'
      : `- **Variant**: where the two descriptions of the API differ, this is the ${variant}.`,
    extended
      ? '- **Extended routes**, marked `x-extended`, are listed in the extended route set only and may be absent (404).'
      : '- **Extended routes** are not offered here.',
    '- **Organization**: it follows from the key or the session; no identifier is sent (§5.2).',
    '- **Cost**: `x-cost` is the number of Work Credits that one accepted request reserves. A failed run gives it back (§3.2). On 402 stop and do not retry (§7.1).',
    '- **Runs**: poll `getTask` and read `finished` (§3.1). On 409 `busy` the run is accepted and starts right after (§3.3): do not send it again.',
    '- **Errors**: branch on `error`, never on `message` (§7). On 429 wait as long as `Retry-After` says, on 503 retry shortly (§7.2, §7.3).',
    '- **Unknown fields** may be in any answer and are to be ignored.',
  ].join('\n')
}
