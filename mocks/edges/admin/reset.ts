/** `/__admin/reset`: restores the initial state, completely or one part, for one organization or for all. */
import { type ResetPart, reset, resetParts } from '../../control/reset.ts'
import { bodyOf, control } from './route.ts'

/** The routes that reset. */
export const resetRoutes = [
  control({
    method: 'POST',
    path: '/reset',
    summary: 'Restore the initial state, faults, journal and clock.',
    body: bodyOf({}),
    run: ({ service, org }) => reset(service, resetParts, org),
  }),
  ...resetParts.map((part: ResetPart) =>
    control({
      method: 'POST',
      path: `/reset/${part}`,
      summary: `Restore the initial ${part} and nothing else.`,
      body: bodyOf({}),
      run: ({ service, org }) => reset(service, [part], org),
    }),
  ),
]
