/** `openapi`: prints the OpenAPI document of the contract. */

import { examples } from '#contract/examples/index.ts'
import { openapi } from '#contract/openapi/document.ts'
import suite from '../package.json' with { type: 'json' }
import { type CommandLine, readCommandLine } from './flags.ts'
import { Values } from './values.ts'

export const openapiCommand: CommandLine = {
  name: 'openapi',
  summary: 'Prints the OpenAPI 3.1 document of the API.',
  variables: 'WORK_AGENT_OPENAPI_',
  pages: ['docs/client-authors.md'],
  flags: [
    {
      name: 'variant',
      value: '<both|first|second>',
      help: 'the description to follow where the two differ (default: both)',
    },
  ],
}

/** The document of a variant, as text. */
export function openapiText(variant: 'both' | 'first' | 'second'): string {
  const { version } = suite
  const document = openapi({ variant, version, examples })
  return `${JSON.stringify(document, null, 2)}\n`
}

export async function runOpenapi(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const values = new Values(readCommandLine(openapiCommand, argv, env))
  process.stdout.write(openapiText(values.choice('variant', ['both', 'first', 'second'], 'both')))
}
