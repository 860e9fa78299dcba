/** OpenAPI 3.1 of the API, derived from the route table. Pure: the same table gives the same document. */

import { z } from 'zod'
import { checked, fields, oneOf } from '../input/checked.ts'
import { type OperationId, operationIds, routeOf } from '../operation.ts'
import { type Variant, variants } from '../route.ts'
import { createDocument, type Json } from './builder.ts'
import { describeOperation, type Examples, tagOf } from './operation.ts'
import { errorSchemas, namedResponses, retryAfter } from './responses.ts'
import { NamedSchemas } from './schemas.ts'
import { openapiDescription } from './text.ts'

export interface OpenapiOptions {
  /** `both`: where the two descriptions differ, both shapes and both statuses. */
  readonly variant: Variant | 'both'
  readonly version: string
  readonly examples?: Readonly<Partial<Record<Variant, Examples>>>
  /** The URL of the service; default: a variable. */
  readonly server?: string
  /** `false`: without the extended route set. */
  readonly extended?: boolean
}

const input = fields({
  variant: oneOf([...variants, 'both']),
  version: z.string(),
  examples: z.looseObject({}).optional(),
  server: z.string().optional(),
  extended: z.boolean().optional(),
})

/** The OpenAPI document. @throws TypeError for an unknown option. */
export function openapi(options: OpenapiOptions): Json {
  checked('openapi', input, options)
  const { variant, version, examples = {}, server, extended = true } = options
  const shown = variant === 'both' ? variants : [variant]
  const operations = operationIds.filter((id) => extended || routeOf(id).set === 'core')
  const schemas = new NamedSchemas(operations, shown)
  const named = schemas.all()
  return createDocument({
    info: {
      title: 'Work-agent service',
      version,
      description: openapiDescription(variant, extended),
    },
    servers: [
      server === undefined ? anyServer : { url: server, description: 'Where this document is from.' },
    ],
    tags: tagsOf(operations),
    operations: operations.map((id) => ({
      ...routeOf(id),
      operation: describeOperation(id, { shown, schemas, examples }),
    })),
    components: {
      schemas: { ...named, ...errorSchemas(named) },
      responses: namedResponses(operations, shown),
      headers: { RetryAfter: retryAfter },
      securitySchemes,
    },
  })
}

const anyServer: Json = {
  url: '{base_url}',
  description: 'A client may override it (§1).',
  variables: { base_url: { default: 'http://127.0.0.1:4402', description: 'By default the mock.' } },
}

const securitySchemes: Json = {
  key: { type: 'http', scheme: 'bearer', description: '§5.1: `Authorization: Bearer <API_KEY>`.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'work_agent_session',
    description:
      '§5.4: a logged-in browser session. The name of the cookie is not shown; this is that of the mock.',
  },
}

function tagsOf(operations: readonly OperationId[]): Json[] {
  const groups = Map.groupBy(operations.map(routeOf), tagOf)
  return [...groups].map(([name, [route]]) => ({
    name,
    description: `${route?.section}.${route?.set === 'extended' ? ' May be absent (§1).' : ''}`,
  }))
}
