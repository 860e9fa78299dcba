/** The named schemas of the OpenAPI document. A generated client has a type for each name. */
import { z } from 'zod'
import { errorBody } from '../errors.ts'
import { type OperationId, routeOf } from '../operation.ts'
import type { Variant } from '../route.ts'
import * as resources from '../schemas/core.ts'
import { createdLandingPage, landingPage, prospect } from '../schemas/extended.ts'
import { type JsonSchema, type OpenapiObject, refTo } from './builder.ts'

/** Schemas with their own name. Other bodies and answers are named after their operation: `CreateTaskBody`. */
const core = {
  Identifier: resources.identifier,
  Timestamp: resources.timestamp,
  TaskStatus: resources.taskStatusField,
  Organization: resources.organization,
  ApiKey: resources.key,
  Task: resources.task,
  Document: resources.document,
  DocumentAnswer: resources.documentDetail,
  Notification: resources.notification,
  Acknowledgement: resources.acknowledgement,
  // Some generators have a class `ApiError` of their own.
  ErrorAnswer: errorBody,
}
const extended = { Prospect: prospect, LandingPage: landingPage }

/** Objects with further fields that the specification does not name (§2, §4); a client may read them. */
const open = new Set<unknown>([
  ...[resources.key, resources.task, resources.document, resources.notification],
  ...[landingPage, createdLandingPage],
])

/** Converts a name to PascalCase: `createTask` to `CreateTask`, `no_credits` to `NoCredits`. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** The named schemas of an OpenAPI document, and functions that refer to them by name. */
export type NamedSchemas = ReturnType<typeof createNamedSchemas>

/** Names every schema of some operations, and returns functions that refer to them by name. */
export function createNamedSchemas(operations: readonly OperationId[], shown: readonly Variant[]) {
  const registry = z.registry<{ id: string }>()
  const unions: Record<string, OpenapiObject> = {}
  const name = (id: string, schema: z.ZodType) => {
    if (!registry.has(schema)) registry.add(schema, { id })
  }
  const refToNamed = (schema: z.ZodType): OpenapiObject => refTo(String(registry.get(schema)?.id))
  /** The shown variants, without those whose answer has the shape of an earlier one. */
  const variantsOf = (operation: OperationId): Variant[] => {
    const { answer } = routeOf(operation)
    const schemas = shown.map((variant) => answer[variant])
    return shown.filter((variant, at) => schemas.indexOf(answer[variant]) === at)
  }
  const isExtended = operations.some((operation) => routeOf(operation).set === 'extended')
  const named = { ...core, ...(isExtended ? extended : {}) }
  for (const [id, schema] of Object.entries(named)) name(id, schema)
  for (const operation of operations) {
    const { body, answer } = routeOf(operation)
    if (body) name(`${pascalCase(operation)}Body`, body)
    const id = answerName(operation)
    const differing = variantsOf(operation)
    const isUnion = differing.length > 1
    for (const variant of differing) name(isUnion ? id + pascalCase(variant) : id, answer[variant])
    if (isUnion)
      unions[id] = {
        description: 'As either of the two descriptions has it, or with the fields of both.',
        anyOf: differing.map((variant) => refTo(id + pascalCase(variant))),
      }
  }
  return {
    variantsOf,
    /** All named schemas as JSON Schema. */
    all(): Record<string, OpenapiObject> {
      const { schemas } = z.toJSONSchema(registry, {
        target: 'draft-2020-12',
        io: 'input',
        uri: (id) => refTo(id).$ref,
        override: ({ zodSchema, jsonSchema }) => tidy(jsonSchema as OpenapiObject, open.has(zodSchema)),
      })
      const all = Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema])
      return { ...JSON.parse(JSON.stringify(Object.fromEntries(all)), withAlternatives), ...unions }
    },
    /** The body of an operation; undefined where it takes none. */
    bodyOf(operation: OperationId): OpenapiObject | undefined {
      const { body } = routeOf(operation)
      return body && refToNamed(body)
    },
    /** The success body of an operation; a union if the shown variants differ. */
    answerOf(operation: OperationId): OpenapiObject {
      const [first = 'first', ...more] = variantsOf(operation)
      return more.length > 0 ? refTo(answerName(operation)) : refToNamed(routeOf(operation).answer[first])
    },
  }
}

/** Writes a list of types as `anyOf`: on such a list kubb 4.39 recurses without an end, unless the second is null. */
function withAlternatives(_: string, value: unknown): unknown {
  const { type, ...rest }: JsonSchema = Object(value)
  if (!Array.isArray(type) || type.filter((one) => one !== 'null').length < 2) return value
  return { ...rest, anyOf: type.map((one) => ({ type: one })) }
}

const answerName = (operation: OperationId) => `${pascalCase(operation)}Answer`

/**
 * JSON Schema allows further fields by default. An explicit `additionalProperties` makes a typed client accept any
 * field, so only open objects and objects without known fields have it.
 */
function tidy(schema: OpenapiObject, isOpen: boolean): void {
  if (schema.type !== 'object') return
  const isKnown = Object.keys(schema.properties ?? {}).length > 0
  if (!isKnown) delete schema.properties
  if (isOpen || !isKnown) schema.additionalProperties = true
  else delete schema.additionalProperties
}
