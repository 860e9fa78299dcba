/** `/openapi.json`: the API as the mock serves it. */
import { openapi } from '#contract/openapi.ts'
import type { Variant } from '#contract/route.ts'
import { examples } from '#fixtures/examples/index.ts'
import suite from '../../package.json' with { type: 'json' }

/** The document of a variant, for a server at an origin. */
export function openapiDocument(variant: Variant, server: string): object {
  return openapi({ variant, version: suite.version, examples: examples[variant], server })
}
