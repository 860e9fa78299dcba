/** json-server: a REST service over a JSON file. */
import { byNode, type Peer } from './peer.ts'
import { whoami } from './task.ts'

export const jsonServer: Peer = {
  name: 'json-server',
  setUp: 'a middleware of one line refuses what has no key; it writes its file at each change',
  packages: ['json-server@0.17'],
  files: (tasks) => ({
    'db.json': `{"whoami":${JSON.stringify(whoami)},"tasks":${tasks}}`,
    'routes.json': JSON.stringify({ '/api/cli/*': '/$1' }),
    'key.js': `module.exports = (request, response, next) =>
  request.headers.authorization?.startsWith('Bearer ') ? next() : response.status(401).json({ error: 'unauthorized' })
`,
  }),
  command: (port) =>
    byNode(
      port,
      'node_modules/json-server/lib/cli/bin.js',
      'db.json',
      ...['--routes', 'routes.json', '--middlewares', 'key.js', '--host', '127.0.0.1', '--quiet'],
    ),
}
