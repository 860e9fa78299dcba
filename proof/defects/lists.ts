/** §2, §4, §5.2: answers from memory that are too old or belong to somebody else, and what follows too late. */
import type { OperationId } from '#contract/operation.ts'
import { Failure } from '#mocks/core/failure.ts'
import type { Handler } from '#mocks/handlers/handler.ts'
import { lateBalance } from '../mutations/lateness.ts'
import type { Mutation } from '../mutations/mutation.ts'
import { field } from '../mutations/reply.ts'
import { handle } from '../mutations/rules.ts'
import { type Defect, defectsFor, defectsOf } from './defect.ts'

/** Keeps a success, or some fields of it, for some ms: for each organization or for all, by the URL. */
function cached<O extends OperationId>(
  operation: O,
  ms: number,
  fields?: readonly string[],
  isShared = false,
): Mutation {
  const known = new Map<string, { readonly at: number; readonly answer: ReturnType<Handler<O>> }>()
  return handle(operation, (call, usual) => {
    const key = `${isShared || call.org.id} ${call.url}`
    const old = known.get(key)
    const isFresh = old !== undefined && call.now - old.at < ms
    if (isFresh && !fields) return old.answer
    const answer = usual(call)
    if (answer instanceof Failure) return answer
    if (!isFresh) known.set(key, { at: call.now, answer })
    const kept = Object.entries(isFresh ? old.answer : {}).filter(([name]) => fields?.includes(name))
    return { ...answer, ...Object.fromEntries(kept) }
  })
}

const slow = [
  ['listDocuments', 'DOC-ALL'],
  ['listLandingPages', 'LANDING-PAGE-LISTED'],
  ['listKeys', 'KEY-LISTED'],
  ['getTask', 'RUN-ENDS'],
] as const

const owned = [
  ['getTask', 'ISOLATION-GET-TASK'],
  ['getDocument', 'ISOLATION-GET-DOCUMENT'],
  ['whoami', 'AUTH-ORGANIZATION'],
] as const

export const lists: readonly Defect[] = [
  ...defectsFor(slow, ([operation, breaks]) => [
    breaks,
    `cache-${operation}: ${operation} answers from a cache that is up to 90 s old.`,
    cached(operation, 90_000),
  ]),
  ...defectsFor(owned, ([operation, breaks]) => [
    breaks,
    `cache-shared-${operation}: ${operation} answers every organization from one cache.`,
    cached(operation, 1, undefined, true),
  ]),
  ...defectsOf({
    'TASK-LISTED': {
      'cache-items-of-listTasks: The items of the task list are up to 10 s old, its credits are not.': () =>
        cached('listTasks', 10_000, ['items']),
    },
    'CREDITS-PROMPT': {
      'cache-balance-short: The credits of whoami are up to 800 ms old.': () =>
        cached('whoami', 800, ['credits']),
      'late-balance-300ms: The balance follows after 300 ms.': () => lateBalance(300),
    },
    'CREDITS-RUN-COSTS-ONE CREATIVE-COSTS-ONE': {
      'late-balance-6s: The balance follows after 6 s.': () => lateBalance(6_000),
    },
    'RUN-ENDS': {
      'cache-finished: The finished field of a task is as old as the first read of it.': () => {
        const first = new Map<unknown, unknown>()
        return field('getTask', 'finished', (finished, { task }) => {
          const id = Reflect.get(task as object, 'id')
          if (!first.has(id)) first.set(id, finished)
          return first.get(id)
        })
      },
    },
  }),
  ...defectsOf(
    {
      'CREDITS-IN-LIST': {
        'cache-balance-of-list: The credits of the task list are up to a minute old.': () =>
          cached('listTasks', 60_000, ['credits']),
      },
    },
    'first',
  ),
]
