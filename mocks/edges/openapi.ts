/** `/openapi.json`: the OpenAPI document of the API as the mock offers it. */

import { examples } from '#contract/examples/index.ts'
import { openapi } from '#contract/openapi/document.ts'
import suite from '../../package.json' with { type: 'json' }
import type { Settings } from '../config/options.ts'

/** Returns the OpenAPI document for the settings of a mock and the origin of its server. */
export function openapiDocument({ variant, extended }: Settings, server: string): object {
  return openapi({ variant, version: suite.version, examples, server, extended })
}
