/** The options of `openapi`. */
import { type CommandLine, flag } from '../flags.ts'

export const openapiCommand: CommandLine = {
  name: 'openapi',
  summary: 'Prints the OpenAPI 3.1 document of the API.',
  example: '--variant first --output openapi.json',
  variables: 'WORK_AGENT_OPENAPI_',
  pages: ['docs/client-authors.md', 'docs/flags.md'],
  groups: {
    Document: [
      flag('--variant <both|first|second>', 'description to follow where the two differ (default: both)'),
      flag('--output <FILE>', 'write the document to a file instead of standard output'),
    ],
  },
}
