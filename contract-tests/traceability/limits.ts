/** §8 Limits and §9 Versioning. */
import { operationIds, routeOf } from '#contract/operation.ts'
import type { Sentence } from './sentence.ts'

export const limits: readonly Sentence[] = [
  {
    section: '§8.1',
    text: 'Every route is rate-limited per key; exceeding it gives 429 rate_limited with a Retry-After header.',
    requirements: ['LIMIT-*'],
    note: 'Cookie routes are opened without a key: how they are limited is not said.',
  },
  {
    section: '§8.2',
    text: 'Cost: a task run and a creative generation use 1 Work Credit each; all other routes are free.',
    requirements: [
      'CREDITS-RUN-COSTS-ONE',
      'CREATIVE-COSTS-ONE',
      'CREDITS-REFUSED-RUN',
      'CREATIVE-REFUSED-FREE',
      'BUSY-COSTS',
      'LEFTOVER-*',
      'CREATIVE-ATOMIC',
      'FREE-*',
      'NO-CREDITS-FREE-ROUTES',
    ],
  },
  {
    section: '§8.3',
    text: 'Task list (second variant) reports usedToday, limit and remaining as numbers; their unit and reset time are not given.',
    requirements: ['SHAPE-listTasks'],
    note: 'Numbers only: what they count is not given.',
  },
  {
    section: '§8.4',
    text: 'Numeric rate limit thresholds and window: not shown.',
    reason: 'Any limit is legitimate; the suite arranges one, or asks until it meets one.',
  },
]

export const versioning: readonly Sentence[] = [
  {
    section: '§9',
    text: 'Versioning scheme (version header, path version, deprecation policy): not shown.',
    reason: 'Nothing is said that a service could be held to.',
  },
  {
    section: '§9',
    text: 'The paths all begin with /api/cli/.',
    requirements: operationIds.filter((id) => routeOf(id).cost === 0).map((id) => `ACCEPTS-${id}`),
    note: 'The base URL may have a path of its own before it.',
  },
]
