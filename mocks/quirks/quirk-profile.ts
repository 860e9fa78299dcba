/** How one organization is other than the rest: drawn once from the seed and its name, and true of it for ever. */
import type { Variant } from '#contract/route.ts'
import type { SeededRandom } from '../core/random.ts'
import { happens, pick } from './draws.ts'
import { vocabularies } from './statuses.ts'
import { type TimeForm, timeForms } from './times.ts'

export interface QuirkProfile {
  readonly statuses: readonly string[]
  readonly times: TimeForm
  /** §4 Tasks: the shapes of the operations that have two. */
  readonly variants: Readonly<Record<'listTasks' | 'createTask' | 'runTask', Variant | 'both'>>
  /** §2: a string or an object. */
  readonly planAsObject: boolean
  /** §2: may be null. */
  readonly nameless: boolean
  /** `key` of a key creation is a text. */
  readonly keyAsText: boolean
  /** Tasks have descriptions. */
  readonly describes: boolean
  /** Items that lists show at most; the newest are among them. */
  readonly longestList: number
  /** Fractions of a credit that nobody can spend. */
  readonly looseCredits: number
  /** Unknown fields of a body are refused. */
  readonly refusesUnknown: boolean
  /** A finished task is not run again. */
  readonly runsOnce: boolean
  /** What is not there can be deleted, or marked as read, all the same. */
  readonly forgives: boolean
}

const shapes = ['first', 'second', 'both'] as const

export function drawProfile(random: SeededRandom): QuirkProfile {
  return {
    statuses: pick(random, vocabularies),
    times: pick(random, timeForms),
    variants: {
      listTasks: pick(random, shapes),
      createTask: pick(random, shapes),
      runTask: pick(random, shapes),
    },
    planAsObject: happens(random, 0.5),
    nameless: happens(random, 0.5),
    keyAsText: happens(random, 0.3),
    describes: happens(random, 0.5),
    longestList: pick(random, [40, 10_000]),
    looseCredits: pick(random, [0, 0.25, 0.5]),
    refusesUnknown: happens(random, 0.3),
    runsOnce: happens(random, 0.3),
    forgives: happens(random, 0.3),
  }
}
