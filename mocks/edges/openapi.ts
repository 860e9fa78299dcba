/** `/openapi.json`: the API as the mock serves it. */
import { openapi } from '#contract/openapi.ts'
import { examples } from '#fixtures/examples/index.ts'
import suite from '../../package.json' with { type: 'json' }
import type { Settings } from '../options.ts'

/** The document of what a mock offers, for a server at an origin. */
export function openapiDocument({ variant, extended }: Settings, server: string): object {
  return openapi({ variant, version: suite.version, examples, server, extended })
}
