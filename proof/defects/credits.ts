/** §2, §3, §7.1, §8.2: credits that are charged, refunded or reported wrongly, and what happens without any. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { Failure, fail } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Run, Task } from '#mocks/core/resources.ts'
import { requestRun } from '#mocks/core/tasks.ts'
import type { Call } from '#mocks/handlers/views.ts'
import { credit } from '../history-defects/effects.ts'
import { mutationOf } from '../history-defects/occasion.ts'
import { byCreatedKey } from '../history-defects/triggers.ts'
import { combine, type Mutation } from '../mutations/mutation.ts'
import {
  delayed,
  knowing,
  onEnd,
  onSettle,
  overriding,
  refunding,
  reserving,
  whole,
} from '../mutations/organizations.ts'
import { field, insteadOf, rewriteField } from '../mutations/reply.ts'
import { after, answer, give, handle, precondition, refuse } from '../mutations/rules.ts'
import { type Defect, defectsFor, defectsOf } from './defect.ts'

const failed = ({ outcome }: Run) => outcome === 'failed'
const waited = ({ accepted_at, started_at }: Run) => started_at !== accepted_at

const completed = (run: Run) => !failed(run)
const waitedAndFailed = (run: Run) => waited(run) && failed(run)
const waitedAndCompleted = (run: Run) => waited(run) && completed(run)

/** Gives credits, or takes them, some ms after the end of some runs. */
const atEnd = (credits: number, isMeant: (run: Run, org: Organization) => boolean, delay = 0) =>
  delayed((arrange) =>
    onEnd((org, run, end) => {
      const at = end + delay
      if (isMeant(run, org)) arrange(org, at, () => org.ledger.topUp(credits, at))
    }),
  )

/** Lends credits to an organization: a reservation that cannot be paid is granted and takes nothing. */
const lending = (kind: 'run' | 'artifact', lends: (org: Organization, at: number) => unknown = () => true) =>
  reserving(kind, (entry, org, at, subject) => {
    if (entry || !lends(org, at)) return entry
    return { id: `lent_${subject}`, kind: 'reserve', amount: 0, at, subject, request_id: null }
  })

/** The credit that was reserved last, at this very moment; undefined: there is none. */
const rivalOf = ({ ledger }: Organization, at: number) => {
  const last = ledger.entries.at(-1)
  return last?.kind === 'reserve' && last.at === at ? last : undefined
}

/** Does something with tasks whose run was refused with 402. */
const onNoCredits = (effect: (task: Task, org: Organization) => void) =>
  after('runTask', ({ org, id }, outcome) => {
    const task = org.tasks.get(id)
    if (task && 'name' in outcome && outcome.name === 'no_credits') effect(task, org)
  })

/** Remembers tasks whose run was refused with 402. */
function remembering(mutate: (refused: WeakSet<Task>) => Mutation): Mutation {
  const refused = new WeakSet<Task>()
  return combine(
    onNoCredits((task) => refused.add(task)),
    mutate(refused),
  )
}

/** Whether a run has to wait. */
const isWaiting = (org: Organization, id: string, now: number) =>
  org.agent.busy(now) && org.tasks.get(id) && org.ledger.solvent

/** Takes a credit for some of the requests of a free operation. */
const charging = <O extends OperationId>(operation: O, isMeant: (call: Call<O>) => unknown) =>
  after(operation, (call, outcome) => {
    if (!(outcome instanceof Failure) && isMeant(call)) call.org.ledger.topUp(-1, call.now)
  })

const belowZero = (credits: unknown) => Number(credits) || -1

const free = operationIds.filter((operation) => routeOf(operation).cost === 0)
const readable = new Set(['whoami', 'getTask'])
const freeAtZero = free.filter((operation) => {
  const { auth, set } = routeOf(operation)
  return auth === 'key' && set === 'core' && !readable.has(operation)
})

export const credits: readonly Defect[] = [
  ...defectsFor(free, (operation) => [
    `FREE-${operation} free-${operation}: ${operation} costs a credit.`,
    give(-1, operation),
  ]),
  ...defectsFor(freeAtZero, (operation) => [
    `NO-CREDITS-FREE-ROUTES no-credits-${operation}: At zero balance ${operation} is answered 402.`,
    precondition((context) =>
      context.operation === operation && !context.principal.org.ledger.solvent
        ? fail('no_credits')
        : undefined,
    ),
  ]),
  ...defectsOf({
    'FREE-listDocuments free-folder: The list of a folder costs a credit.': () =>
      charging('listDocuments', ({ query }) => query.folder_id),
    'FREE-createDocument free-filed: A document that is created in a folder costs a credit.': () =>
      charging('createDocument', ({ body }) => body.folder_id),
    'FREE-getInsights free-range: Insights of a range cost a credit.': () =>
      charging('getInsights', ({ query }) => query.range),
    'FREE-createTask free-long-text: A task with a text of more than 1,000 characters costs a credit.': () =>
      charging('createTask', ({ body }) => body.text.length > 1_000),
    'FREE-listTasks free-by-created-key: The list of tasks costs a credit if a created key asks.': () =>
      mutationOf(byCreatedKey, {
        id: 'costs',
        says: 'It costs a credit',
        on: 'listTasks',
        after: credit(-1),
      }),
    'CREDITS-RESERVED credits-taken-at-the-end: The credit of a run remains spendable until the run ends.':
      () =>
        answer('whoami', ({ credits }, { org }) => ({
          credits: credits + org.tasks.newest(Infinity, ({ run }) => run !== null && !run.ended).length,
        })),
    'CREDITS-RUN-COSTS-ONE': {
      'credits-run-costs-two: A run costs two credits.': () =>
        combine(
          reserving('run', (entry, org, at) => {
            if (entry) org.ledger.topUp(-1, at)
            return entry
          }),
          refunding((usual, org, at) => {
            usual(at)
            org.ledger.topUp(1, at)
          }),
        ),
      'credits-charged-again-at-the-end: A completed first run of a task costs another credit when it ends.':
        () => {
          const ended = new Set<string>()
          return atEnd(-1, (run) => ended.size < ended.add(run.task_id).size && completed(run))
        },
      'credits-run-free: A completed run is refunded.': () => atEnd(1, completed),
      'late-second-charge: A run costs a second credit 300 ms after it ended.': () =>
        atEnd(-1, completed, 300),
      'late-refund-of-success: A completed run is refunded after 300 ms.': () => atEnd(1, completed, 300),
    },
    'CREDITS-REFUND credits-no-refund: A failed run is not refunded.': () => refunding(() => {}),
    'CREDITS-REFUND late-refund-10min: A failed run is refunded after 10 minutes.': () =>
      delayed((arrange) =>
        refunding((usual, org, at) => arrange(org, at + 600_000, () => usual(at + 600_000))),
      ),
    'CREDITS-REFUND late-refund-taken-back: The refund of a failed run is taken back after 300 ms.': () =>
      atEnd(-1, failed, 300),
    'CREDITS-REFUND credits-refund-not-at-zero: A failed run is not refunded while the balance is zero.':
      () =>
        refunding((usual, org, at) => {
          if (org.ledger.balance !== 0) usual(at)
        }),
    'CREDITS-REFUND credits-refund-of-used: A failed run is refunded only if credits were used since they were last set.':
      () => {
        const used = new Set<Organization>()
        return combine(
          overriding(
            (org: Organization) => org.ledger,
            'setBalance',
            (usual, org) => (credits, at) => {
              used.delete(org)
              usual(credits, at)
            },
          ),
          reserving('run', (entry, org) => {
            if (entry) used.add(org)
            return entry
          }),
          refunding((usual, org, at) => {
            if (used.has(org)) usual(at)
          }),
        )
      },
    'CREDITS-REFUND credits-refund-elsewhere: A failed run is refunded to the organization that has sent the last request.':
      () => {
        const requests: (readonly [at: number, org: Organization])[] = []
        return combine(
          precondition(({ principal: { org } }) => {
            requests.push([org.clock.now(), org])
            return undefined
          }),
          refunding((_, org, at) => {
            const [, last] = requests.findLast(([then]) => then < at) ?? [at, org]
            last.ledger.topUp(1, at)
          }),
        )
      },
    'CREDITS-REFUND-ONCE credits-refund-restores: A failed run sets the balance to what it was before the run.':
      () => {
        const before = new Map<Organization, number>()
        return combine(
          reserving('run', (entry, org) => {
            if (entry) before.set(org, org.ledger.balance + 1)
            return entry
          }),
          refunding((_, org, at) => org.ledger.setBalance(before.get(org) ?? 0, at)),
        )
      },
    'CREDITS-REFUND-ONCE credits-refund-twice: A failed run is refunded twice.': () => atEnd(1, failed),
    'CREDITS-REFUND-ONCE credits-refund-each-look: Each read of a failed task refunds another credit.': () =>
      after('getTask', ({ org, id, now }) => {
        const run = org.tasks.get(id)?.run
        if (run?.ended && failed(run)) org.ledger.topUp(1, now)
      }),
    'CREDITS-REFUND-ONCE late-second-refund: A failed run is refunded again after 300 ms.': () =>
      atEnd(1, failed, 300),
    'CREDITS-REFUND-AGAIN credits-refund-first-only: Only the first failed run is refunded.': () => {
      const refunded = new Set<Organization>()
      return atEnd(-1, (run, org) => failed(run) && refunded.size === refunded.add(org).size)
    },
    'BUSY-REFUND credits-refund-alternates: Every second failed run is not refunded.': () => {
      let nth = 0
      return atEnd(-1, (run) => failed(run) && ++nth % 2 === 0)
    },
    'CREDITS-REFUND-AGAIN credits-refund-once-a-task: A task whose run was refunded once is never refunded again.':
      () => {
        const refunded = new Set<string>()
        return atEnd(-1, (run) => failed(run) && refunded.size === refunded.add(run.task_id).size)
      },
    'CREDITS-REFUND-AGAIN credits-refund-doubled-again: The second failed run of a task refunds two credits.':
      () => {
        const refunded = new Set<string>()
        return atEnd(1, (run) => failed(run) && refunded.size === refunded.add(run.task_id).size)
      },
    'CREDITS-REFUSED-RUN credits-refused-run: A run costs a credit even if there is no such task.': () =>
      give(-1, 'runTask', 'not_found'),
    'CREDITS-REFUND credits-refund-to-the-first: Every refund goes to the organization that was used first.':
      () =>
        knowing((known) =>
          refunding((usual, org, at) => {
            const [first] = known
            if (first === org) usual(at)
            else first?.ledger.topUp(1, at)
          }),
        ),
    'CREDITS-REFUND-ONCE credits-charged-to-the-first: Every run is paid for by the organization that was used first.':
      () =>
        knowing((known) =>
          after('runTask', ({ org, now }, outcome) => {
            const [first] = known
            const isTaken = !(outcome instanceof Failure) || outcome.name === 'busy'
            if (!first || first === org || !isTaken) return
            org.ledger.topUp(1, now)
            first.ledger.topUp(-1, now)
          }),
        ),
    'CREDITS-NEVER-NEGATIVE credits-told-negative: At zero balance, whoami reports -1 credits.': () =>
      field('whoami', 'credits', belowZero),
    'BUSY-REFUND busy-unrefunded: A failed run that had to wait is not refunded.': () =>
      atEnd(-1, waitedAndFailed),
    'BUSY-REFUND busy-refund-needs-key: A run that is under way when a key is deleted is not refunded if it fails.':
      () => {
        const lost = new Set<Organization>()
        return combine(
          after('deleteKey', ({ org }) => {
            if (org.agent.load > 0) lost.add(org)
          }),
          refunding((usual, org, at) => {
            if (!lost.delete(org)) usual(at)
          }),
        )
      },
    'BUSY-REFUND busy-refund-if-idle: A failed run is refunded unless another run waits behind it.': () =>
      refunding((usual, org, at) => {
        const [waiting] = org.tasks.newest(5, ({ run }) => run?.started_at === null)
        if (!waiting) usual(at)
      }),
    'BUSY-REFUND busy-refund-twice: A failed run that had to wait is refunded twice.': () =>
      atEnd(1, waitedAndFailed),
    'BUSY-REFUND busy-refund-half: A failed run that had to wait is refunded half.': () =>
      atEnd(-0.5, waitedAndFailed),
    'BUSY-COSTS busy-charged-at-start: A run that had to wait is charged again at its end.': () =>
      atEnd(-1, waitedAndCompleted),
    'BUSY-COSTS busy-refunded-success: A completed run that had to wait is refunded.': () =>
      atEnd(1, waitedAndCompleted),
    'BUSY-COSTS busy-end-restores: A completed run sets the balance to what it was when the run started.':
      () => {
        const atStart = new Map<string, number>()
        return combine(
          overriding(whole, 'emit', (usual, org) => (type, at, subject, detail) => {
            if (type === 'run_started') atStart.set(subject, org.ledger.balance)
            usual(type, at, subject, detail)
          }),
          onEnd((org, run, at) => {
            if (completed(run)) org.ledger.setBalance(atStart.get(run.id) ?? 0, at)
          }),
        )
      },
    'BUSY-COSTS busy-costs-two: A run that has to wait costs two credits.': () =>
      handle('runTask', (call, usual) => {
        const waits = isWaiting(call.org, call.id, call.now)
        const outcome = usual(call)
        if (waits && call.org.tasks.get(call.id)?.run?.ended === false) call.org.ledger.topUp(-1, call.now)
        return outcome
      }),
    'BUSY-COSTS busy-free: A run that has to wait is free.': () =>
      handle('runTask', (call, usual) => {
        if (isWaiting(call.org, call.id, call.now)) call.org.ledger.topUp(1, call.now)
        return usual(call)
      }),
    'BUSY-COSTS busy-free-namesake: A run is free if a task of the same text has run, or will.': () =>
      handle('runTask', (call, usual) => {
        const { org, id, now } = call
        const text = org.tasks.get(id)?.text
        const isNamesake = (one: Task) => one.id !== id && one.text === text && one.run !== null
        if (org.tasks.newest(Infinity, isNamesake).length > 0) org.ledger.topUp(1, now)
        return usual(call)
      }),
    'NO-CREDITS-REFUSED CREDITS-ATOMIC no-credits-run-accepted: At zero balance a run is accepted.': () =>
      lending('run'),
    'NO-CREDITS-REFUSED no-credits-forbidden: At zero balance a run is answered 400 invalid_request.': () =>
      insteadOf([402], [400, 'invalid_request'], 'runTask'),
    'NO-CREDITS-PERSISTS no-credits-limited: A run that was refused with 402 is refused as bad input the next time.':
      () => {
        const refused = new Set<string>()
        return insteadOf(
          ({ status }, { request }) => status === 402 && refused.size === refused.add(request.url).size,
          [400, 'invalid_request'],
          'runTask',
        )
      },
    'RUN-AGAIN run-free-by-created-key: A run that is requested with a created key is free.': () =>
      mutationOf(byCreatedKey, { id: 'free', says: 'A run is free', on: 'runTask', after: credit(1) }),
    'NO-CREDITS-PERSISTS no-credits-again-free: A task that has run is run again without a credit.': () =>
      handle('runTask', (call, usual) => {
        const { org, id, now } = call
        if (org.tasks.get(id)?.run?.ended && org.ledger.balance < 1) org.ledger.topUp(1, now)
        return usual(call)
      }),
    'NO-CREDITS-UNCHANGED no-credits-changes-task: A run that is refused with 402 gives its task the status blocked.':
      () =>
        remembering((refused) =>
          answer('getTask', ({ task }, { org, id }) => {
            const row = org.tasks.get(id)
            return row && !row.run && refused.has(row) ? { task: { ...task, status: 'blocked' } } : undefined
          }),
        ),
    'NO-CREDITS-BALANCE CREDITS-NEVER-NEGATIVE no-credits-debt: A run that is refused with 402 leaves a debt of one credit.':
      () => {
        let debt = 0
        return combine(
          onNoCredits(() => {
            debt = 1
          }),
          field('whoami', 'credits', (credits) => Number(credits) || -debt),
        )
      },
    'NO-CREDITS-NOT-QUEUED RUN-REFUSED-LATER no-credits-queued: A run that was refused with 402 starts when credits are added.':
      () => {
        const queued = new Map<Task, Organization>()
        return combine(
          onSettle((org, now) => {
            const [task] = [...queued.keys()].filter((one) => queued.get(one) === org)
            if (task && org.ledger.solvent && queued.delete(task)) requestRun(org, task, now)
          }),
          onNoCredits((task, org) => queued.set(task, org)),
        )
      },
    'NO-CREDITS-RECOVERS no-credits-for-a-while: For 30 s after a 402 every run of a task that never ran is answered 402.':
      () => {
        const until = new Map<Organization, number>()
        return combine(
          refuse(
            'runTask',
            'no_credits',
            ({ org, id, now }) => !org.tasks.get(id)?.run && now < (until.get(org) ?? 0),
          ),
          after('runTask', ({ org, now }, outcome) => {
            const isFirst = 'name' in outcome && outcome.name === 'no_credits' && !until.has(org)
            if (isFirst) until.set(org, now + 30_000)
          }),
        )
      },
    'NO-CREDITS-RECOVERS no-credits-for-good: A task whose run was refused with 402 can never run.': () =>
      remembering((refused) =>
        refuse('runTask', 'no_credits', ({ org, id }) => {
          const task = org.tasks.get(id)
          return task && refused.has(task)
        }),
      ),
    'NO-CREDITS-CREATIVE CREATIVE-ATOMIC no-credits-creative-accepted: At zero balance a generation is accepted.':
      () => lending('artifact'),
    'CREDITS-ATOMIC credits-not-atomic: Several simultaneous runs are accepted for the last credit.': () =>
      lending('run', rivalOf),
    'CREDITS-ATOMIC credits-atomic-at-times: Of the times at which several runs are requested for the last credit, every second one ends with one run.':
      () => {
        const races = new Set<number>()
        return lending('run', (org, at) => rivalOf(org, at) && races.add(at).size % 2 === 1)
      },
    'CREDITS-ATOMIC credits-shared-by-kinds: A generation and a run at the same time share the last credit.':
      () =>
        lending('run', (org, at) => {
          const rival = rivalOf(org, at)
          return rival && !org.tasks.get(rival.subject ?? '')
        }),
    'CREDITS-IN-LIST credits-stale-in-list (first): credits of the task list are one too many.': () =>
      field('listTasks', 'credits', (credits) => Number(credits) + 1),
    'CREDITS-PROMPT credits-of-last-list (first): The task list shows the credits that the one before it should have shown.':
      () => {
        let last: unknown
        return field('listTasks', 'credits', (credits) => {
          const before = last ?? credits
          last = credits
          return before
        })
      },
    'CREDITS-IN-CREATE credits-stale-in-create (first): credits of a created task are always 100.': () =>
      field('createTask', 'credits', 100),
    'CREDITS-NEVER-NEGATIVE credits-told-negative-by-tasks (first): At zero balance, the task routes report -1 credits.':
      () => rewriteField('credits', belowZero, 'listTasks', 'createTask'),
  }),
]
