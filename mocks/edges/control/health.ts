/** `/__admin/health` and `/__admin/version`: whether the mock is there, and what it is. */
import suite from '../../../package.json' with { type: 'json' }
import { control } from './route.ts'

export const healthRoutes = [
  control({
    method: 'GET',
    path: '/health',
    summary: 'Whether the mock is well: bugs are errors of its own.',
    run: ({ service }) => ({
      status: service.bugs.length === 0 ? 'healthy' : 'failing',
      version: suite.version,
      seed: service.settings.seed,
      bugs: service.bugs.length,
    }),
  }),
  control({
    method: 'GET',
    path: '/version',
    summary: 'Name and version of the mock.',
    run: () => ({ name: suite.name, version: suite.version }),
  }),
]
