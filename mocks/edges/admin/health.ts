/** `/__admin/health` and `/__admin/version`: the status of the mock, its name and its version. */
import { z } from 'zod'
import suite from '../../../package.json' with { type: 'json' }
import { control } from './route.ts'

/** The routes of status and version. */
export const healthRoutes = [
  control({
    method: 'GET',
    path: '/health',
    about: 'mock',
    answer: z.object({
      status: z.enum(['healthy', 'failing']),
      version: z.string(),
      seed: z.string(),
      bugs: z.int(),
    }),
    summary: 'Get the status of the mock. `bugs` counts its internal errors.',
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
    about: 'mock',
    answer: z.object({ name: z.string(), version: z.string() }),
    summary: 'Get the name and version of the mock.',
    run: () => ({ name: suite.name, version: suite.version }),
  }),
]
