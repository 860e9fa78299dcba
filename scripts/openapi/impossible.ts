/** A document that no answer can meet: held against it, every exchange that is looked at must be found wrong. */
import type { openapi } from '#contract/openapi/document.ts'

type Json = Record<string, unknown>

/** The document with a demand on every response that nothing fulfils. */
export function impossible(document: ReturnType<typeof openapi>): Json {
  const { paths, components } = structuredClone(document) as {
    paths: Record<string, Record<string, { responses: Json }>>
    components: { responses: Json }
  }
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  for (const responses of [components.responses, ...operations.map((operation) => operation.responses)])
    for (const response of Object.values(responses) as { content?: Json }[])
      if (response.content) response.content = { 'application/json': { schema: { not: {} } } }
  return { ...document, paths, components }
}
