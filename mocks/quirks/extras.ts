/** Fields and headers that no description names: a client reads what it needs and leaves the rest (§4). */
import type { SeededRandom } from '../core/random.ts'
import { happens, pick } from './draws.ts'

const names = [
  '_links',
  'etag',
  'labels',
  'owner',
  'meta',
  'visibility',
  '$schema',
  'x-trace',
  '__v',
  '',
] as const

const values = [
  null,
  false,
  0,
  -1.5e-7,
  'n/a',
  [],
  {},
  [null, [1]],
  { href: '/', rel: ['self'] },
  'é\u2028"\\',
  9_007_199_254_740_991,
] as const

/** An object with fields that nobody asked for, at its beginning or its end. */
export function withExtras(random: SeededRandom, fields: object): object {
  const extra: Record<string, unknown> = {}
  for (let left = Math.floor(random.fraction() * 3); left > 0; left--) {
    const name = pick(random, names)
    if (!Object.hasOwn(fields, name)) extra[name] = pick(random, values)
  }
  return happens(random, 0.5) ? { ...extra, ...fields } : { ...fields, ...extra }
}

const headers = [
  ['etag', 'W/"1"'],
  ['cache-control', 'no-store, max-age=0'],
  ['vary', 'accept, authorization'],
  ['x-request-id', '7f3c'],
  ['x-ratelimit-remaining', '1'],
  ['link', '</api/cli/tasks>; rel="related"'],
  ['server', 'another'],
] as const

/** Headers that nobody asked for. */
export function extraHeaders(random: SeededRandom): Record<string, string> {
  return happens(random, 0.5) ? Object.fromEntries([pick(random, headers), pick(random, headers)]) : {}
}
