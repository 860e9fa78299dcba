/** The named schemas of the OpenAPI document. A generated client has a type for each name. */
import { z } from 'zod'
import { errorBody } from '../errors.ts'
import { type OperationId, routeOf } from '../operation.ts'
import type { Variant } from '../route.ts'
import {
  acknowledgement,
  document,
  documentDetail,
  key,
  notification,
  organization,
  task,
} from '../schemas/core.ts'
import { createdLandingPage, landingPage, prospect } from '../schemas/extended.ts'
import { identifier, status, timestamp } from '../schemas/values.ts'
import { type Json, refTo } from './builder.ts'

/** Schemas with their own name. Other bodies and answers are named after their operation: `CreateTaskBody`. */
const core = {
  Identifier: identifier,
  Timestamp: timestamp,
  TaskStatus: status,
  Organization: organization,
  ApiKey: key,
  Task: task,
  Document: document,
  DocumentAnswer: documentDetail,
  Notification: notification,
  Acknowledgement: acknowledgement,
  ApiError: errorBody,
}
const extended = { Prospect: prospect, LandingPage: landingPage }

/** Objects with further fields that the specification does not name (§2, §4); a client may read them. */
const open = new Set<unknown>([key, task, document, notification, landingPage, createdLandingPage])

/** `createTask` becomes `CreateTask`, `no_credits` becomes `NoCredits`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** Names every schema of some operations, and refers to them. */
export class NamedSchemas {
  readonly #shown: readonly Variant[]
  readonly #registry = z.registry<{ id: string }>()
  readonly #unions: Record<string, Json> = {}

  constructor(operations: readonly OperationId[], shown: readonly Variant[]) {
    this.#shown = shown
    const isExtended = operations.some((operation) => routeOf(operation).set === 'extended')
    const named = { ...core, ...(isExtended ? extended : {}) }
    for (const [name, schema] of Object.entries(named)) this.#name(name, schema)
    for (const operation of operations) this.#nameAll(operation)
  }

  /** All of them as JSON Schema, by name. */
  all(): Record<string, Json> {
    const { schemas } = z.toJSONSchema(this.#registry, {
      target: 'draft-2020-12',
      io: 'input',
      uri: (id) => refTo(id).$ref,
      override: ({ zodSchema, jsonSchema }) => tidy(jsonSchema as Json, open.has(zodSchema)),
    })
    const named = Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema])
    return { ...Object.fromEntries(named), ...this.#unions }
  }

  /** The body of an operation; undefined where it takes none. */
  bodyOf(operation: OperationId): Json | undefined {
    const { body } = routeOf(operation)
    return body && this.#refTo(body)
  }

  /** The success body of an operation; a union if the shown variants differ. */
  answerOf(operation: OperationId): Json {
    const [first = 'first', ...more] = this.variantsOf(operation)
    return more.length > 0 ? refTo(answerName(operation)) : this.#refTo(routeOf(operation).answer[first])
  }

  /** The shown variants, without those whose answer has the shape of an earlier one. */
  variantsOf(operation: OperationId): Variant[] {
    const { answer } = routeOf(operation)
    const schemas = this.#shown.map((variant) => answer[variant])
    return this.#shown.filter((variant, at) => schemas.indexOf(answer[variant]) === at)
  }

  #nameAll(operation: OperationId): void {
    const { body, answer } = routeOf(operation)
    if (body) this.#name(`${pascal(operation)}Body`, body)
    const name = answerName(operation)
    const differing = this.variantsOf(operation)
    if (differing.length === 1) return void this.#name(name, answer[differing[0] ?? 'first'])
    for (const variant of differing) this.#name(name + pascal(variant), answer[variant])
    this.#unions[name] = {
      description: 'As either of the two descriptions has it, or with the fields of both.',
      anyOf: differing.map((variant) => refTo(name + pascal(variant))),
    }
  }

  #name(id: string, schema: z.ZodType): void {
    if (!this.#registry.has(schema)) this.#registry.add(schema, { id })
  }

  #refTo(schema: z.ZodType): Json {
    return refTo(String(this.#registry.get(schema)?.id))
  }
}

const answerName = (operation: OperationId) => `${pascal(operation)}Answer`

/**
 * JSON Schema allows further fields by default. An explicit `additionalProperties` makes a typed client accept any
 * field, so only open objects and objects without known fields have it.
 */
function tidy(schema: Json, isOpen: boolean): void {
  if (schema.type !== 'object') return
  const isKnown = Object.keys(schema.properties ?? {}).length > 0
  if (!isKnown) delete schema.properties
  if (isOpen || !isKnown) schema.additionalProperties = true
  else delete schema.additionalProperties
}
