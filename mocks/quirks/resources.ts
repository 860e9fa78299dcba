/** The answers of an organization of a certain character: the same things, told in its way. */
import type { OperationId } from '#contract/operation.ts'
import type { SeededRandom } from '../core/random.ts'
import { shuffled } from './draws.ts'
import { withExtras } from './extras.ts'
import { numbered } from './ids.ts'
import type { QuirkProfile } from './quirk-profile.ts'
import { reordered } from './spelling.ts'
import { renamed } from './statuses.ts'
import { retimed } from './times.ts'

type Fields = Readonly<Record<string, unknown>>

/** Fields of answers that hold a resource, or a list of them. What clients gave in resources stays as it is. */
const holders = new Set([
  'org',
  'task',
  'item',
  'key',
  'items',
  'keys',
  'prospects',
  'campaigns',
  'tiers',
  'packs',
])

/** Operations that tell statuses of tasks. */
const ofTasks = new Set<OperationId>(['listTasks', 'createTask', 'getTask', 'runTask'])

/** The body of a success, told in another way. */
export function retold(
  random: SeededRandom,
  profile: QuirkProfile,
  operation: OperationId,
  answer: object,
): object {
  const one = (fields: object) => dressed(random, resource(profile, operation, fields as Fields))
  const told = Object.entries(answer).map(([name, value]): [string, unknown] => {
    if (operation === 'createKey' && name === 'key' && profile.keyAsText) return [name, masked(value)]
    if (name === 'plan' && profile.planAsObject) return [name, { code: value, seats: null }]
    if (!holders.has(name)) return [name, value]
    if (!Array.isArray(value)) return [name, isFields(value) ? one(value) : value]
    return [name, shuffled(random, value.slice(0, profile.longestList).map(one))]
  })
  return dressed(random, resource(profile, operation, Object.fromEntries(told)))
}

function dressed(random: SeededRandom, fields: object): object {
  return reordered(random, withExtras(random, fields))
}

function resource(profile: QuirkProfile, operation: OperationId, fields: Fields): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]): [string, unknown] => {
      if (name === 'status' && ofTasks.has(operation)) return [name, renamed(profile.statuses, value)]
      if (name === 'description' && value === null && profile.describes) return [name, 'Described by nobody.']
      if (name === 'name' && operation === 'whoami' && profile.nameless) return [name, null]
      return retimed(profile.times, name, numbered(name, value))
    }),
  )
}

/** The leading part of a key, as a text. */
const masked = (key: unknown) => (isFields(key) ? `${key.prefix}…` : key)

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
