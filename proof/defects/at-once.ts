/** §3.2, §8.2: balances that go wrong when paid requests of one organization arrive at the same moment. */
import type { OperationId } from '#contract/operation.ts'
import { Failure } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import { combineMutations, type Mutation } from '../mutations/mutation.ts'
import { answerConcurrentRequests } from '../mutations/reply.ts'
import { replaceHandler } from '../mutations/rules.ts'
import { type Defect, defectsOfTable } from './defect.ts'

type Paid = 'runTask' | 'generateCreative'

/** Does something for requests of an operation that are handled while others of the same kind are under way. */
function beside(
  operation: Paid,
  effect: (org: Organization, now: number, spent: number) => void,
  isMeant: (keys: ReadonlySet<string | null>) => boolean = () => true,
): Mutation {
  const underWay: (string | null)[] = []
  return combineMutations(
    {
      async middleware({ request, operation: asked }, next) {
        if (asked !== operation) return next(request)
        underWay.push(request.headers.get('authorization'))
        await new Promise(setImmediate)
        return next(request).finally(() => underWay.pop())
      },
    },
    replaceHandler(operation as OperationId, (call, usual) => {
      const before = call.org.ledger.balance
      const outcome = usual(call)
      const spent = before - call.org.ledger.balance
      // With few credits, more requests would be accepted than there are credits.
      const isEnough = before > 2 && spent > 0
      if (isEnough && underWay.length > 1 && isMeant(new Set(underWay))) effect(call.org, call.now, spent)
      return outcome
    }),
  )
}

/** Answers each of several simultaneous runs of one task like the first of them, the only one that starts. */
function acceptedTogether(): Mutation {
  const underWay: string[] = []
  const rivals = new Set<string>()
  return combineMutations(
    {
      async middleware({ request, operation }, next) {
        if (operation !== 'runTask') return next(request)
        const { pathname } = new URL(request.url)
        if (underWay.includes(pathname)) rivals.add(pathname)
        underWay.push(pathname)
        await new Promise(setImmediate)
        return next(request).finally(() => {
          underWay.splice(underWay.indexOf(pathname), 1)
          if (!underWay.includes(pathname)) rivals.delete(pathname)
        })
      },
    },
    replaceHandler('runTask', (call, usual) => {
      const { id, org } = call
      const outcome = usual(call)
      const isRival = [...rivals].some((path) => path.endsWith(`/${id}/run`))
      if (!isRival || !(outcome instanceof Failure) || outcome.name !== 'conflict') return outcome
      return { ok: true, taskId: id, runId: org.newId('run'), status: 'in_progress', finished: false }
    }),
  )
}

const lost = (org: Organization, now: number, spent: number) => org.ledger.topUp(spent, now)
const doubled = (org: Organization, now: number, spent: number) => org.ledger.topUp(-spent, now)
const isOfSeveralKeys = (keys: ReadonlySet<string | null>) => keys.size > 1

/** Deliberate defects of balances that show when paid requests arrive at the same moment. */
export const concurrencyDefects: readonly Defect[] = defectsOfTable({
  'RUN-COSTS-AT-ONCE': {
    'run-update-lost: Of runs that are requested at the same moment, only one is paid for.': () =>
      beside('runTask', lost),
    'run-update-lost-by-keys: Of runs that two keys request at the same moment, only one is paid for.': () =>
      beside('runTask', lost, isOfSeveralKeys),
    'run-charged-twice-at-once: A run that is requested at the same moment as others costs two credits.':
      () => beside('runTask', doubled),
    'run-refused-at-once: Of runs of different tasks that are requested at the same moment, all but one are refused.':
      () =>
        answerConcurrentRequests('runTask', 409, {
          error: 'invalid_request',
          message: 'could not obtain lock on row',
        }),
    'run-same-task-at-once: All runs of one task that are requested at the same moment are accepted, and one is paid for.':
      acceptedTogether,
  },
  'CREATIVE-COSTS-AT-ONCE': {
    'creative-update-lost: Of generations that are requested at the same moment, only one is paid for.': () =>
      beside('generateCreative', lost),
    'creative-update-lost-by-keys: Of generations that two keys request at the same moment, only one is paid for.':
      () => beside('generateCreative', lost, isOfSeveralKeys),
    'creative-charged-twice-at-once: A generation that is requested at the same moment as others costs two credits.':
      () => beside('generateCreative', doubled),
  },
})
