/** §2, §3, §8.2: credits that are charged, refunded or reported wrongly. */
import { operationIds, routeOf } from '#contract/operation.ts'
import { Failure } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Run } from '#mocks/core/resources.ts'
import { changeBalance } from '../history-defects/effects.ts'
import { mutationFor } from '../history-defects/occasion.ts'
import { whenByCreatedKey } from '../history-defects/triggers.ts'
import { combineMutations, type Mutation } from '../mutations/mutation.ts'
import {
  callAfterRunEnd,
  delayRefunds,
  overrideMethod,
  overrideRefund,
  overrideReservation,
  refundOnlyIf,
  wholeOrganization,
  withDelayedEffects,
  withKnownOrganizations,
  withOtherOrganizationPredicate,
} from '../mutations/organizations.ts'
import { changeField } from '../mutations/reply.ts'
import {
  addPrecondition,
  callAfterHandling,
  giveCreditBeforeHandling,
  giveCreditsAfterHandling,
  replaceHandler,
} from '../mutations/rules.ts'
import { waitingTasksIn } from './busy.ts'
import { type Defect, defectForEach, defectsOfTable } from './defect.ts'

const failed = ({ outcome }: Run) => outcome === 'failed'
const waited = ({ accepted_at, started_at }: Run) => started_at !== accepted_at

const completed = (run: Run) => !failed(run)
const waitedAndFailed = (run: Run) => waited(run) && failed(run)
const waitedAndCompleted = (run: Run) => waited(run) && completed(run)

/** Gives credits, or takes them, some ms after the end of some runs. */
const atEnd = (credits: number, isMeant: (run: Run, org: Organization) => boolean, delay = 0) =>
  withDelayedEffects((arrange) =>
    callAfterRunEnd((org, run, end) => {
      const at = end + delay
      if (isMeant(run, org)) arrange(org, at, () => org.ledger.topUp(credits, at))
    }),
  )

/** True if a run has to wait. */
const isWaiting = (org: Organization, id: string, now: number) =>
  org.agent.busy(now) && org.tasks.get(id) && org.ledger.canReserve

const free = operationIds.filter((operation) => routeOf(operation).cost === 0)

/** A mutation: the credits in an answer include those that runs in progress have reserved. */
const showReservedCredits = (operation: 'whoami' | 'listTasks'): Mutation =>
  replaceHandler(operation, (call, usual) => {
    const answer = usual(call)
    if (answer instanceof Failure || !('credits' in answer)) return answer
    const running = call.org.tasks.newest(Infinity, ({ run }) => run !== null && !run.ended)
    return { ...answer, credits: answer.credits + running.length }
  })

/** Deliberate defects of how credits are charged, refunded or reported. */
export const creditDefects: readonly Defect[] = [
  ...defectForEach(free, (operation) => [
    `FREE-${operation} free-${operation}: ${operation} costs a credit.`,
    giveCreditsAfterHandling(-1, operation),
  ]),
  ...defectsOfTable({
    'FREE-listDocuments free-listDocuments-elsewhere: listDocuments costs a credit in all organizations but one.':
      () =>
        withOtherOrganizationPredicate((isElsewhere) =>
          giveCreditsAfterHandling(-1, 'listDocuments', ({ org }) => isElsewhere(org)),
        ),
    'FREE-listDocuments free-folder: The list of a folder costs a credit.': () =>
      giveCreditsAfterHandling(-1, 'listDocuments', ({ query }) => query.folder_id),
    'FREE-createDocument free-filed: A document that is created in a folder costs a credit.': () =>
      giveCreditsAfterHandling(-1, 'createDocument', ({ body }) => body.folder_id),
    'FREE-getInsights free-range: Insights of a range cost a credit.': () =>
      giveCreditsAfterHandling(-1, 'getInsights', ({ query }) => query.range),
    'FREE-createTask free-long-text: A task with a text of more than 1,000 characters costs a credit.': () =>
      giveCreditsAfterHandling(-1, 'createTask', ({ body }) => body.text.length > 1_000),
    'FREE-listTasks free-by-created-key: The list of tasks costs a credit if a created key asks.': () =>
      mutationFor(whenByCreatedKey, {
        id: 'costs',
        says: 'It costs a credit',
        on: 'listTasks',
        after: changeBalance(-1),
      }),
    'CREDITS-RESERVED credits-taken-at-the-end: The credit of a run remains spendable until the run ends.':
      () => showReservedCredits('whoami'),
    'CREDITS-RUN-COSTS-ONE': {
      'credits-run-costs-two: A run costs two credits.': () =>
        combineMutations(
          overrideReservation('run', (entry, org, at) => {
            if (entry) org.ledger.topUp(-1, at)
            return entry
          }),
          overrideRefund((usual, org, at) => {
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
    "CREDITS-REFUSED-RUN credits-refused-foreign-run: A refused run of another organization's task costs a credit.":
      () =>
        withKnownOrganizations((known) =>
          replaceHandler('runTask', (call, usual) => {
            const outcome = usual(call)
            const isForeign = [...known].some(({ tasks }) => tasks.get(call.id))
            if (outcome instanceof Failure && outcome.name === 'not_found' && isForeign)
              call.org.ledger.topUp(-1, call.now)
            return outcome
          }),
        ),
    'CREDITS-REFUND credits-no-refund: A failed run is not refunded.': () => overrideRefund(() => {}),
    'CREDITS-REFUND late-refund-10min: A failed run is refunded after 10 minutes.': () =>
      delayRefunds(600_000),
    'CREDITS-REFUND late-refund-taken-back: The refund of a failed run is taken back after 300 ms.': () =>
      atEnd(-1, failed, 300),
    'BUSY-REFUND credits-refund-not-at-zero: A failed run is not refunded while the balance is zero.': () =>
      refundOnlyIf((org) => org.ledger.balance !== 0),
    'BUSY-REFUND credits-refund-of-used: A failed run is refunded only if credits were used since they were last set.':
      () => {
        const used = new Set<Organization>()
        return combineMutations(
          overrideMethod(
            (org: Organization) => org.ledger,
            'setBalance',
            (usual, org) => (credits, at) => {
              used.delete(org)
              usual(credits, at)
            },
          ),
          overrideReservation('run', (entry, org) => {
            if (entry) used.add(org)
            return entry
          }),
          refundOnlyIf((org) => used.has(org)),
        )
      },
    'CREDITS-REFUND credits-refund-capped: After the refund of a failed run there are ten credits at most.':
      () =>
        overrideRefund((usual, org, at) => {
          usual(at)
          if (org.ledger.balance > 10) org.ledger.setBalance(10, at)
        }),
    'CREDITS-REFUND credits-refund-elsewhere: A failed run is refunded to the organization that has sent the last request.':
      () => {
        const requests: (readonly [at: number, org: Organization])[] = []
        return combineMutations(
          addPrecondition(({ principal: { org } }) => {
            requests.push([org.clock.now(), org])
            return undefined
          }),
          overrideRefund((_, org, at) => {
            const [, last] = requests.findLast(([then]) => then < at) ?? [at, org]
            last.ledger.topUp(1, at)
          }),
        )
      },
    'BUSY-REFUND credits-refund-restores: A failed run sets the balance to what it was before the run.':
      () => {
        const before = new Map<Organization, number>()
        return combineMutations(
          overrideReservation('run', (entry, org) => {
            if (entry) before.set(org, org.ledger.balance + 1)
            return entry
          }),
          overrideRefund((_, org, at) => org.ledger.setBalance(before.get(org) ?? 0, at)),
        )
      },
    'CREDITS-REFUND-ONCE credits-refund-twice: A failed run is refunded twice.': () => atEnd(1, failed),
    'CREDITS-REFUND-ONCE credits-refund-each-look: Each read of a failed task refunds another credit.': () =>
      callAfterHandling('getTask', ({ org, id, now }) => {
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
    'CREDITS-REFUND-EACH': {
      'credits-refund-third-lost: Every third failed run is not refunded.': () => {
        let nth = 0
        return atEnd(-1, (run) => failed(run) && ++nth % 3 === 0)
      },
      'credits-refund-third-lost-each: Every third failed run of an organization is not refunded.': () => {
        const counts = new Map<Organization, number>()
        return atEnd(-1, (run, org) => {
          if (!failed(run)) return false
          counts.set(org, (counts.get(org) ?? 0) + 1)
          return (counts.get(org) ?? 0) % 3 === 0
        })
      },
      'credits-refund-after-two: Two failed runs of an organization are refunded, and no more.': () => {
        const counts = new Map<Organization, number>()
        return atEnd(-1, (run, org) => {
          if (failed(run)) counts.set(org, (counts.get(org) ?? 0) + 1)
          return failed(run) && (counts.get(org) ?? 0) > 2
        })
      },
    },
    'CREDITS-REFUND-ONCE credits-refund-third-doubled: Every third failed run is refunded twice.': () => {
      let nth = 0
      return atEnd(1, (run) => failed(run) && ++nth % 3 === 0)
    },
    'CREDITS-REFUND-OTHER credits-refund-fourth-lost: The first failed run of one organization is not refunded, nor every fourth after it.':
      () =>
        withKnownOrganizations((known) => {
          let nth = 0
          const isFirst = (org: Organization) => [...known][0] === org
          return atEnd(-1, (run, org) => failed(run) && isFirst(org) && nth++ % 4 === 0)
        }),
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
      giveCreditsAfterHandling(-1, 'runTask', 'not_found'),
    'CREDITS-REFUND credits-refund-to-the-first: Every refund goes to the organization that was used first.':
      () =>
        withKnownOrganizations((known) =>
          overrideRefund((usual, org, at) => {
            const [first] = known
            if (first === org) usual(at)
            else first?.ledger.topUp(1, at)
          }),
        ),
    'CREDITS-REFUND-ONCE credits-charged-to-the-first: Every run is paid for by the organization that was used first.':
      () =>
        withKnownOrganizations((known) =>
          callAfterHandling('runTask', ({ org, now }, outcome) => {
            const [first] = known
            const isTaken = !(outcome instanceof Failure) || outcome.name === 'busy'
            if (!first || first === org || !isTaken) return
            org.ledger.topUp(1, now)
            first.ledger.topUp(-1, now)
          }),
        ),
    'BUSY-REFUND busy-failed-behind: A failing run ends those that wait behind it as failed, and keeps their credits.':
      () => {
        const ended = new Set<Run>()
        return combineMutations(
          callAfterRunEnd((org, run, at) => {
            const isFirst = failed(run) && !ended.has(run)
            for (const { run: behind } of isFirst ? org.tasks.all() : [])
              if (behind && !behind.ended && behind.started_at === null) {
                ended.add(behind)
                org.agent.finish(behind, 'failed', at)
              }
          }),
          atEnd(-1, (run) => ended.has(run)),
        )
      },
    'BUSY-REFUND busy-unrefunded: A failed run that had to wait is not refunded.': () =>
      atEnd(-1, waitedAndFailed),
    'BUSY-REFUND busy-refund-needs-key: A run that is under way when a key is deleted is not refunded if it fails.':
      () => {
        const lost = new Set<Organization>()
        return combineMutations(
          callAfterHandling('deleteKey', ({ org }) => {
            if (org.agent.load > 0) lost.add(org)
          }),
          refundOnlyIf((org) => !lost.delete(org)),
        )
      },
    'BUSY-REFUND busy-refund-if-idle: A failed run is refunded unless another run waits behind it.': () =>
      refundOnlyIf((org) => waitingTasksIn(org).length === 0),
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
        return combineMutations(
          overrideMethod(wholeOrganization, 'emit', (usual, org) => (type, at, subject, detail) => {
            if (type === 'run_started') atStart.set(subject, org.ledger.balance)
            usual(type, at, subject, detail)
          }),
          callAfterRunEnd((org, run, at) => {
            if (completed(run)) org.ledger.setBalance(atStart.get(run.id) ?? 0, at)
          }),
        )
      },
    'BUSY-COSTS busy-costs-two: A run that has to wait costs two credits.': () =>
      replaceHandler('runTask', (call, usual) => {
        const waits = isWaiting(call.org, call.id, call.now)
        const outcome = usual(call)
        if (waits && call.org.tasks.get(call.id)?.run?.ended === false) call.org.ledger.topUp(-1, call.now)
        return outcome
      }),
    'BUSY-COSTS busy-free: A run that has to wait is free.': () =>
      giveCreditBeforeHandling('runTask', ({ org, id, now }) => isWaiting(org, id, now)),
    'BUSY-COSTS busy-free-namesake: A run is free if a task of the same text has run, or will.': () =>
      giveCreditBeforeHandling('runTask', ({ org, id }) => {
        const text = org.tasks.get(id)?.text
        return org.tasks.newest(1, (one) => one.id !== id && one.text === text && one.run !== null)[0]
      }),
    'RUN-AGAIN run-free-by-created-key: A run that is requested with a created key is free.': () =>
      mutationFor(whenByCreatedKey, {
        id: 'free',
        says: 'A run is free',
        on: 'runTask',
        after: changeBalance(1),
      }),
    'CREDITS-IN-LIST credits-stale-in-list (first): credits of the task list are one too many.': () =>
      changeField('listTasks', 'credits', (credits) => Number(credits) + 1),
    'CREDITS-PROMPT credits-of-last-list (first): The task list shows the credits that the one before it should have shown.':
      () => {
        let last: unknown
        return changeField('listTasks', 'credits', (credits) => {
          const before = last ?? credits
          last = credits
          return before
        })
      },
    'CREDITS-PROMPT credits-of-list-unreserved (first): The credits of the task list hold those that runs have reserved.':
      () => showReservedCredits('listTasks'),
    'CREDITS-IN-CREATE credits-stale-in-create (first): credits of a created task are always 100.': () =>
      changeField('createTask', 'credits', 100),
  }),
]
