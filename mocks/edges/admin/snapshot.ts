/** `/__admin/state`: takes and restores snapshots. */
import { z } from 'zod'
import { BadSnapshot, restoreSnapshot } from '../../control/snapshot/restore.ts'
import { takeSnapshot } from '../../control/snapshot/take.ts'
import { control, ProblemError, queryOf } from './route.ts'

/** Maximum length of a snapshot, bytes, and number of values in it. */
export const largestSnapshot = { bytes: 256 * 1_048_576, values: 10_000_000 }

/** The other fields are internal. */
const snapshotView = z.looseObject({ of: z.enum(['mock', 'organization']), version: z.int() })

/** The routes of snapshots. */
export const snapshotRoutes = [
  control({
    method: 'GET',
    path: '/state',
    summary:
      'Take a snapshot of one organization, or of the whole mock. It contains the secrets of keys, but not the journal.',
    query: queryOf({}),
    answer: snapshotView,
    example: '-o state.json',
    run: ({ service, org }) => takeSnapshot(service, org),
  }),
  control({
    method: 'PUT',
    path: '/state',
    summary:
      'Restore a snapshot in this or another mock. At the same mock times, the same requests then get the same responses again, byte for byte. An invalid snapshot changes nothing.',
    query: queryOf({}),
    body: snapshotView,
    example: '@state.json',
    largest: largestSnapshot,
    run({ service, org, body }) {
      try {
        restoreSnapshot(service, body, org)
      } catch (error) {
        if (error instanceof BadSnapshot) throw new ProblemError(400, error.message)
        throw error
      }
    },
  }),
]
