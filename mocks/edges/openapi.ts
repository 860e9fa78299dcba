/** `/openapi.json`: the OpenAPI document of the API as the mock serves it. */

import { examples } from '#contract/examples/index.ts'
import { openapi } from '#contract/openapi/document.ts'
import suite from '../../package.json' with { type: 'json' }
import type { Settings } from '../config/options.ts'

/** The document of the routes that a mock serves at an origin. */
export function openapiDocument({ variant, extended }: Settings, server: string): object {
  return openapi({ variant, version: suite.version, examples, server, extended })
}
