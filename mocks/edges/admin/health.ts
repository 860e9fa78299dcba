/** `/__admin/health` and `/__admin/version`: whether the mock is there, and what it is. */
import { z } from 'zod'
import suite from '../../../package.json' with { type: 'json' }
import { control } from './route.ts'

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
    about: 'mock',
    answer: z.object({ name: z.string(), version: z.string() }),
    summary: 'Name and version of the mock.',
    run: () => ({ name: suite.name, version: suite.version }),
  }),
]
