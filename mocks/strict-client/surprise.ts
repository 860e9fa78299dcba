/** One answer that surprises: drawn when it is given. */
import { type OperationId, routeOf } from '#contract/operation.ts'
import type { Chance } from '../world.ts'
import type { Character } from './character.ts'
import { happens, pick } from './draws.ts'
import { extraHeaders, withExtras } from './extras.ts'
import { reworded } from './refusals.ts'
import { retold } from './resources.ts'
import { mediaTypes, reordered, respelt, written } from './spelling.ts'
import type { Surprise } from './surprises.ts'

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

export function createSurprise(
  chance: Chance,
  character: Character,
  operation: OperationId | null,
): Surprise {
  return {
    retryAfter: pick(chance, ['seconds', 'date']),
    errorTable: pick(chance, ['first', 'second']),
    dress({ status, headers, body }) {
      const told = { ...headers, ...extraHeaders(chance), 'content-type': pick(chance, mediaTypes) }
      if (status >= 300 || operation === null) {
        const other = reordered(chance, withExtras(chance, reworded(chance, status, body)))
        return { status, headers: told, body: other }
      }
      return {
        status: pick(chance, successes[kindOf(operation)]),
        headers: told,
        body: retold(chance, character, operation, body),
      }
    },
    write: ({ status, headers, body }) => ({ status, headers, text: written(chance, body) }),
    spell: (headers) => (happens(chance, 0.7) ? respelt(chance, headers) : { ...headers }),
  }
}
