/** One operation of the OpenAPI document: parameters, body, cost and responses. */
import { type OperationId, routeOf } from '../operation.ts'
import type { Route, Variant } from '../route.ts'
import { type Json, parametersOf, refTo } from './builder.ts'
import { errorResponses, json } from './responses.ts'
import type { NamedSchemas } from './schemas.ts'

/** An example of an operation: request body and response body. */
export interface Example {
  readonly body?: unknown
  readonly answer: unknown
}

export type Examples = Readonly<Partial<Record<OperationId, Example>>>

/** What the document shows of an operation. */
export interface View {
  readonly shown: readonly Variant[]
  readonly schemas: NamedSchemas
  readonly examples: Readonly<Partial<Record<Variant, Examples>>>
}

/** The operation object. */
export function describeOperation(operation: OperationId, { shown, schemas, examples }: View): Json {
  const route = routeOf(operation)
  const body = schemas.bodyOf(operation)
  const examplesOf = (part: keyof Example, variants: readonly Variant[]) =>
    Object.fromEntries(
      variants
        .map((variant) => [variant, { value: examples[variant]?.[operation]?.[part] }] as const)
        .filter(([, { value }]) => value !== undefined),
    )
  const sent = examplesOf('body', shown.slice(0, 1))
  const answered = examplesOf('answer', schemas.variantsOf(operation))
  return {
    operationId: operation,
    summary: route.summary,
    description: `${route.section}. ${route.cost === 1 ? 'Reserves 1 Work Credit.' : 'Free.'}`,
    tags: [tagOf(route)],
    'x-cost': route.cost,
    ...(route.set === 'extended' ? { 'x-extended': true } : {}),
    security: [{ [route.auth === 'key' ? 'key' : 'session']: [] }],
    parameters: parametersOf(route.path, route.query, refTo('Identifier')),
    ...(body ? { requestBody: { required: true, content: json(body, sent) } } : {}),
    responses: {
      200: { description: 'Success.', content: json(schemas.answerOf(operation), answered) },
      ...errorResponses(operation, shown),
    },
  }
}

/** The tag of a route. */
export function tagOf({ section }: Route): string {
  return section.replace(/^§4 /, '')
}
