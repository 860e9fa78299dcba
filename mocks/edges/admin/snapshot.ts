/** `/__admin/state`: everything that decides about later answers, as JSON that restores exactly. */
import { z } from 'zod'
import { BadSnapshot, restoreSnapshot } from '../../control/snapshot/restore.ts'
import { takeSnapshot } from '../../control/snapshot/take.ts'
import { control, queryOf, Refusal } from './route.ts'

/** Longest snapshot that is read, bytes. */
const longest = 256 * 1_048_576

/** Its inside is not for people to write. */
const snapshotView = z.looseObject({ of: z.enum(['mock', 'organization']), version: z.int() })

export const snapshotRoutes = [
  control({
    method: 'GET',
    path: '/state',
    summary:
      'A snapshot: of one organization, or of the whole mock. It holds the secrets of keys. The journal is no part of it.',
    query: queryOf({}),
    answer: snapshotView,
    example: '-o state.json',
    run: ({ service, org }) => takeSnapshot(service, org),
  }),
  control({
    method: 'PUT',
    path: '/state',
    summary:
      'Restore a snapshot, here or in another mock: the same requests get the same answers again, byte for byte. A bad one changes nothing.',
    query: queryOf({}),
    body: snapshotView,
    example: '@state.json',
    longest,
    run({ service, org, body }) {
      try {
        restoreSnapshot(service, body, org)
      } catch (error) {
        if (error instanceof BadSnapshot) throw new Refusal(400, error.message)
        throw error
      }
    },
  }),
]
