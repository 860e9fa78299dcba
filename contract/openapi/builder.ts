/** Builds an OpenAPI 3.1 document. The document of the API and that of the mock's control routes share it. */
import { z } from 'zod'

export type Json = Record<string, unknown>

interface DocumentParts {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly Json[]
  readonly tags?: readonly Json[]
  readonly security?: readonly Json[]
  /** Operation objects, each with its method and its path as routes have it: `/tasks/:id`. */
  readonly operations: readonly { readonly method: string; readonly path: string; readonly operation: Json }[]
  readonly components: Json
}

/** The document. */
export function createDocument({ info, operations, components, ...rest }: DocumentParts): Json {
  const paths: Record<string, Json> = {}
  for (const { method, path, operation } of operations) {
    const template = path.replace(':id', '{id}')
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation }
  }
  const license = { name: 'MIT', identifier: 'MIT' }
  return { openapi: '3.1.0', info: { ...info, license }, ...rest, paths, components }
}

/** The path and query parameters of a route. */
export function parametersOf(path: string, query: z.ZodType | undefined, identifier: Json): Json[] {
  const id = { name: 'id', in: 'path', required: true, schema: identifier }
  const inQuery = fieldsOf(query).map(({ name, description, schema }) => {
    return { name, in: 'query', ...(description && { description }), required: false, schema }
  })
  return path.includes(':id') ? [id, ...inQuery] : inQuery
}

/** A reference to a named schema. */
export const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** A field of a body, a query or an answer. */
export interface Field {
  readonly name: string
  readonly required: boolean
  readonly schema: Json
  readonly description: string | undefined
}

/** The fields of an object, as JSON Schema. */
export function fieldsOf(object: z.ZodType = z.object({})): Field[] {
  const { properties = {}, required = [] } = jsonSchema(object)
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    return { name, required: required.includes(name), schema, description }
  })
}

interface JsonSchema extends Json {
  readonly properties?: Readonly<Record<string, Json & { description?: string }>>
  readonly required?: readonly string[]
}

/** A zod schema as JSON Schema, without the limits of safe integers. */
export function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema }) {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return rest as JsonSchema
}
