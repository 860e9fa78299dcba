/** One answer that quirks: drawn when it is given. */
import { type OperationId, routeOf } from '#contract/operation.ts'
import type { SeededRandom } from '../core/random.ts'
import { happens, pick } from './draws.ts'
import { extraHeaders, withExtras } from './extras.ts'
import type { QuirkProfile } from './quirk-profile.ts'
import type { Quirk } from './quirks.ts'
import { reworded } from './refusals.ts'
import { retold } from './resources.ts'
import { mediaTypes, reordered, respelt, written } from './spelling.ts'

/** Statuses of a success, by what the operation does; every 2xx will do (§4 names none). */
const successes = {
  read: [200],
  made: [200, 201],
  taken: [200, 202],
} as const

function kindOf(operation: OperationId): keyof typeof successes {
  if (routeOf(operation).method === 'GET') return 'read'
  return /^create|^generate/.test(operation) ? 'made' : 'taken'
}

export function createQuirk(
  random: SeededRandom,
  profile: QuirkProfile,
  operation: OperationId | null,
): Quirk {
  return {
    retryAfter: pick(random, ['seconds', 'date']),
    errorTable: pick(random, ['first', 'second']),
    rewrite({ status, headers, body }) {
      const told = { ...headers, ...extraHeaders(random), 'content-type': pick(random, mediaTypes) }
      if (status >= 300 || operation === null) {
        const other = reordered(random, withExtras(random, reworded(random, status, body)))
        return { status, headers: told, body: other }
      }
      return {
        status: pick(random, successes[kindOf(operation)]),
        headers: told,
        body: retold(random, profile, operation, body),
      }
    },
    serialize: ({ status, headers, body }) => ({ status, headers, text: written(random, body) }),
    spell: (headers) => (happens(random, 0.7) ? respelt(random, headers) : { ...headers }),
  }
}
