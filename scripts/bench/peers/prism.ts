/** Prism: answers from the examples of an OpenAPI document, which also says what has to be authenticated. */
import { openapiText } from '#cli/openapi.ts'
import { byNode, type Peer } from './peer.ts'

export const prism: Peer = {
  name: 'Prism',
  setUp: 'mocks the OpenAPI document of this package, which demands the key',
  packages: ['@stoplight/prism-cli@5'],
  files: () => ({ 'openapi.json': openapiText('first') }),
  command: (port) =>
    byNode(
      port,
      'node_modules/@stoplight/prism-cli/dist/index.js',
      ...['mock', 'openapi.json', '--verboseLevel', 'silent'],
    ),
  cannotKeep: 'it answers examples',
}
