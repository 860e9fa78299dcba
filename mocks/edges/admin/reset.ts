/** `/__admin/reset`: back to the seed, all of it or one part, for one organization or for all. */
import { type Part, parts, reset } from '../../control/reset.ts'
import { bodyOf, control } from './route.ts'

export const resetRoutes = [
  control({
    method: 'POST',
    path: '/reset',
    summary: 'Back to how the mock began: state, faults, journal and clock.',
    body: bodyOf({}),
    run: ({ service, org }) => reset(service, parts, org),
  }),
  ...parts.map((part: Part) =>
    control({
      method: 'POST',
      path: `/reset/${part}`,
      summary: `Back to how the mock began: its ${part}, and nothing else.`,
      body: bodyOf({}),
      run: ({ service, org }) => reset(service, [part], org),
    }),
  ),
]
