/** §3, §7.1: what happens at zero balance, and with the last credit. */
import { operationIds, routeOf } from '#contract/operation.ts'
import { createFailure } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Task } from '#mocks/core/resources.ts'
import { startOrQueueRun } from '#mocks/core/tasks.ts'
import { combineMutations, type Mutation } from '../mutations/mutation.ts'
import { callAfterSettling, overrideReservation, reserveAtStart } from '../mutations/organizations.ts'
import { changeField, replaceAnswersWithError } from '../mutations/reply.ts'
import {
  addPrecondition,
  callAfterHandling,
  changeAnswer,
  giveCreditBeforeHandling,
  refuseRequests,
} from '../mutations/rules.ts'
import { type Defect, defectForEach, defectsOfTable } from './defect.ts'

/** Lends credits to an organization: a reservation that cannot be paid is granted and takes nothing. */
const lending = (kind: 'run' | 'artifact', lends: (org: Organization, at: number) => unknown = () => true) =>
  overrideReservation(kind, (entry, org, at, subject) => {
    if (entry || !lends(org, at)) return entry
    return { id: `lent_${subject}`, kind: 'reserve', amount: 0, at, subject, request_id: null }
  })

/** The credit that was reserved last, at this very moment; undefined if there is none. */
const rivalOf = ({ ledger }: Organization, at: number) => {
  const last = ledger.entries.at(-1)
  return last?.kind === 'reserve' && last.at === at ? last : undefined
}

/** Does something with tasks whose run was refused with 402. */
const onNoCredits = (effect: (task: Task, org: Organization) => void) =>
  callAfterHandling('runTask', ({ org, id }, outcome) => {
    const task = org.tasks.get(id)
    if (task && 'name' in outcome && outcome.name === 'no_credits') effect(task, org)
  })

/** Remembers tasks whose run was refused with 402. */
function remembering(mutate: (refused: WeakSet<Task>) => Mutation): Mutation {
  const refused = new WeakSet<Task>()
  return combineMutations(
    onNoCredits((task) => refused.add(task)),
    mutate(refused),
  )
}

const belowZero = (credits: unknown) => Number(credits) || -1

const readable = new Set(['whoami', 'getTask'])
const freeAtZero = operationIds.filter((operation) => {
  const { auth, cost, set } = routeOf(operation)
  return cost === 0 && auth === 'key' && set === 'core' && !readable.has(operation)
})

/** Deliberate defects in the answers to an organization without credits. */
export const noCreditDefects: readonly Defect[] = [
  ...defectForEach(freeAtZero, (operation) => [
    `NO-CREDITS-FREE-ROUTES no-credits-${operation}: At zero balance ${operation} is answered 402.`,
    addPrecondition((context) =>
      context.operation === operation && !context.principal.org.ledger.canReserve
        ? createFailure('no_credits')
        : undefined,
    ),
  ]),
  ...defectsOfTable({
    'NO-CREDITS-REFUSED CREDITS-ATOMIC no-credits-run-accepted: At zero balance a run is accepted.': () =>
      lending('run'),
    'NO-CREDITS-REFUSED no-credits-half-suffices: A run is accepted with half a credit.': () =>
      combineMutations(
        { options: { strictClient: 'credits-halves' } },
        giveCreditBeforeHandling('runTask', ({ org }) => org.ledger.balance > 0 && org.ledger.balance < 1),
      ),
    'NO-CREDITS-REFUSED no-credits-forbidden: At zero balance a run is answered 400 invalid_request.': () =>
      replaceAnswersWithError([402], [400, 'invalid_request'], 'runTask'),
    'NO-CREDITS-PERSISTS no-credits-limited: A run that was refused with 402 is refused as bad input the next time.':
      () => {
        const refused = new Set<string>()
        return replaceAnswersWithError(
          ({ status }, { request }) => status === 402 && refused.size === refused.add(request.url).size,
          [400, 'invalid_request'],
          'runTask',
        )
      },
    'NO-CREDITS-PERSISTS no-credits-again-free: A task that has run is run again without a credit.': () =>
      giveCreditBeforeHandling(
        'runTask',
        ({ org, id }) => org.tasks.get(id)?.run?.ended && org.ledger.balance < 1,
      ),
    'NO-CREDITS-PERSISTS CREDITS-ATOMIC no-credits-while-busy: A run without a credit is accepted while the agent is busy.':
      () => lending('run', ({ agent }, at) => agent.busy(at)),
    'NO-CREDITS-UNCHANGED no-credits-changes-task: A run that is refused with 402 gives its task the status blocked.':
      () =>
        remembering((refused) =>
          changeAnswer('getTask', ({ task }, { org, id }) => {
            const row = org.tasks.get(id)
            return row && !row.run && refused.has(row) ? { task: { ...task, status: 'blocked' } } : undefined
          }),
        ),
    'NO-CREDITS-BALANCE CREDITS-NEVER-NEGATIVE no-credits-debt: A run that is refused with 402 leaves a debt of one credit.':
      () => {
        let debt = 0
        return combineMutations(
          onNoCredits(() => {
            debt = 1
          }),
          changeField('whoami', 'credits', (credits) => Number(credits) || -debt),
        )
      },
    'NO-CREDITS-NOT-QUEUED RUN-REFUSED-LATER no-credits-queued: A run that was refused with 402 starts when credits are added.':
      () => {
        const queued = new Map<Task, Organization>()
        return combineMutations(
          callAfterSettling((org, now) => {
            const [task] = [...queued.keys()].filter((one) => queued.get(one) === org)
            if (task && org.ledger.canReserve && queued.delete(task)) startOrQueueRun(org, task, now)
          }),
          onNoCredits((task, org) => queued.set(task, org)),
        )
      },
    'NO-CREDITS-RECOVERS no-credits-for-a-while: For 30 s after a 402 every run of a task that never ran is answered 402.':
      () => {
        const until = new Map<Organization, number>()
        return combineMutations(
          refuseRequests(
            'runTask',
            'no_credits',
            ({ org, id, now }) => !org.tasks.get(id)?.run && now < (until.get(org) ?? 0),
          ),
          callAfterHandling('runTask', ({ org, now }, outcome) => {
            const isFirst = 'name' in outcome && outcome.name === 'no_credits' && !until.has(org)
            if (isFirst) until.set(org, now + 30_000)
          }),
        )
      },
    'NO-CREDITS-RECOVERS RUN-AGAIN no-credits-for-the-organization: Once a run was refused with 402, credits that are added let no task run.':
      () => {
        const refused = new Set<Organization>()
        return combineMutations(
          onNoCredits((_, org) => refused.add(org)),
          refuseRequests('runTask', 'no_credits', ({ org }) => refused.has(org)),
        )
      },
    'NO-CREDITS-RECOVERS no-credits-for-good: A task whose run was refused with 402 can never run.': () =>
      remembering((refused) =>
        refuseRequests('runTask', 'no_credits', ({ org, id }) => {
          const task = org.tasks.get(id)
          return task && refused.has(task)
        }),
      ),
    'CREATIVE-ATOMIC no-credits-creative-early: A generation needs two credits, and costs one.': () =>
      refuseRequests('generateCreative', 'no_credits', ({ org }) => org.ledger.balance === 1),
    'NO-CREDITS-CREATIVE CREATIVE-ATOMIC no-credits-creative-accepted: At zero balance a generation is accepted.':
      () => lending('artifact'),
    'CREDITS-ATOMIC credits-not-atomic: Several simultaneous runs are accepted for the last credit.': () =>
      lending('run', rivalOf),
    'CREDITS-ATOMIC credits-atomic-at-times: Of the times at which several runs are requested for the last credit, every second one ends with one run.':
      () => {
        const races = new Set<number>()
        return lending('run', (org, at) => rivalOf(org, at) && races.add(at).size % 2 === 1)
      },
    'CREDITS-ATOMIC credits-shared-by-waiting: A waiting run reserves when it starts, and starts all the same if no credit is left.':
      () => reserveAtStart(() => true),
    'CREDITS-ATOMIC credits-shared-by-kinds: A generation and a run at the same time share the last credit.':
      () =>
        lending('run', (org, at) => {
          const rival = rivalOf(org, at)
          return rival && !org.tasks.get(rival.subject ?? '')
        }),
    'CREDITS-NEVER-NEGATIVE credits-told-negative: At zero balance, whoami reports -1 credits.': () =>
      changeField('whoami', 'credits', belowZero),
    'CREDITS-NEVER-NEGATIVE credits-told-negative-by-tasks (first): At zero balance, the task routes report -1 credits.':
      () => changeField(['listTasks', 'createTask'], 'credits', belowZero),
  }),
]
