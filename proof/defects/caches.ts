/** §2, §4, §5.2: answers from memory that are too old, or belong to somebody else. */
import type { OperationId } from '#contract/operation.ts'
import { Failure } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Handler } from '#mocks/handlers/handler.ts'
import type { Rules } from '#mocks/pipeline/service.ts'
import type { Mutation } from '../mutations/mutation.ts'
import { rewriteField } from '../mutations/reply.ts'
import { handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

/** Keeps what a handler answers for some ms, for each organization or for all, by the URL. */
function cache<O extends OperationId>(operation: O, ms: number, isShared = false): Mutation {
  const known = new Map<string, { readonly at: number; readonly answer: ReturnType<Handler<O>> }>()
  return handle(operation, (call, usual) => {
    const key = `${isShared || call.org.id} ${call.url}`
    const old = known.get(key)
    if (old && call.now - old.at < ms) return old.answer
    const answer = usual(call)
    if (!(answer instanceof Failure)) known.set(key, { at: call.now, answer })
    return answer
  })
}

/** Keeps the balance that an operation reports for some ms. */
function cacheBalance(operation: 'whoami' | 'listTasks', ms: number): Mutation {
  const known = new Map<Organization, { readonly at: number; readonly credits: number }>()
  return handle(operation, (call, usual) => {
    const answer = usual(call)
    const old = known.get(call.org)
    if (old && call.now - old.at < ms) return { ...answer, credits: old.credits }
    if ('credits' in answer) known.set(call.org, { at: call.now, credits: answer.credits })
    return answer
  })
}

const cached = (operation: OperationId, seconds: number, breaks: readonly string[]): Defect => ({
  id: `cache-${operation}`,
  title: `${operation} answers from a cache that is up to ${seconds} s old.`,
  breaks,
  mutate: () => cache(operation, seconds * 1_000),
})

const shared = (operation: OperationId, breaks: readonly string[]): Defect => ({
  id: `cache-shared-${operation}`,
  title: `${operation} answers every organization from one cache.`,
  breaks,
  mutate: () => cache(operation, 1, true),
})

export const caches: readonly Defect[] = [
  cached('listDocuments', 90, ['DOC-ALL']),
  cached('listLandingPages', 90, ['LANDING-PAGE-LISTED']),
  cached('listKeys', 90, ['KEY-LISTED']),
  cached('getTask', 90, ['RUN-ENDS']),
  shared('getTask', ['ISOLATION-GET-TASK']),
  shared('getDocument', ['ISOLATION-GET-DOCUMENT']),
  shared('whoami', ['AUTH-ORGANIZATION']),
  {
    id: 'cache-items-of-listTasks',
    title: 'The items of the task list are up to 10 s old, its credits are not.',
    breaks: ['TASK-LISTED'],
    mutate: () => {
      const { rules = (same: Rules) => same } = cache('listTasks', 10_000)
      return {
        rules: (usual) => {
          const { listTasks } = usual.handlers
          const old = rules(usual).handlers.listTasks
          const handler: Handler<'listTasks'> = (call) => {
            const [now, then] = [listTasks(call), old(call)]
            return 'items' in now && 'items' in then ? { ...now, items: then.items } : now
          }
          return { ...usual, handlers: { ...usual.handlers, listTasks: handler } }
        },
      }
    },
  },
  {
    id: 'cache-balance-of-list',
    title: 'The credits of the task list are up to a minute old.',
    breaks: ['CREDITS-IN-LIST'],
    variant: 'first',
    mutate: () => cacheBalance('listTasks', 60_000),
  },
  {
    id: 'cache-balance-short',
    title: 'The credits of whoami are up to 800 ms old.',
    breaks: ['CREDITS-PROMPT'],
    mutate: () => cacheBalance('whoami', 800),
  },
  {
    id: 'cache-finished',
    title: 'The finished field of a task is as old as the first read of it.',
    breaks: ['RUN-ENDS'],
    mutate() {
      const first = new Map<unknown, unknown>()
      return rewriteField(
        'finished',
        (finished, { task }) => {
          const id = Reflect.get(task as object, 'id')
          if (!first.has(id)) first.set(id, finished)
          return first.get(id)
        },
        'getTask',
      )
    },
  },
]
