/** Fields and headers that no description names: a client reads what it needs and leaves the rest (§4). */
import type { Chance } from '../world.ts'
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
export function withExtras(chance: Chance, fields: object): object {
  const extra: Record<string, unknown> = {}
  for (let left = Math.floor(chance.fraction() * 3); left > 0; left--) {
    const name = pick(chance, names)
    if (!Object.hasOwn(fields, name)) extra[name] = pick(chance, values)
  }
  return happens(chance, 0.5) ? { ...extra, ...fields } : { ...fields, ...extra }
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
export function extraHeaders(chance: Chance): Record<string, string> {
  return happens(chance, 0.5) ? Object.fromEntries([pick(chance, headers), pick(chance, headers)]) : {}
}
