/** WireMock standalone: the jar of its npm package. Needs Java. */
import { globSync } from 'node:fs'
import type { Peer } from './peer.ts'
import { whoami } from './task.ts'

export const wiremock: Peer = {
  name: 'WireMock',
  setUp: 'one stub that matches the header; without its journal, its log and its templates',
  packages: ['wiremock@3'],
  files: () => ({ 'mappings/whoami.json': JSON.stringify(stub) }),
  command: (port, folder) => ({
    file: 'java',
    args: [
      '-jar',
      globSync('node_modules/wiremock/build/*.jar', { cwd: folder })[0] ?? 'wiremock.jar',
      ...['--port', String(port), '--bind-address', '127.0.0.1'],
      '--no-request-journal',
      '--disable-request-logging',
      '--disable-response-templating',
      '--disable-banner',
    ],
  }),
  cannotKeep: 'its scenarios are fixed; keeping state is an extension that the jar does not hold',
  manyCores: true,
}

const stub = {
  request: {
    method: 'GET',
    urlPath: '/api/cli/whoami',
    headers: { Authorization: { matches: 'Bearer .+' } },
  },
  response: { status: 200, jsonBody: whoami, headers: { 'Content-Type': 'application/json' } },
}
