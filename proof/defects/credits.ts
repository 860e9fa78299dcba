/** §2, §3.2, §8.2: credits that are charged, refunded or reported wrongly. */
import { operationIds, routeOf } from '#contract/operation.ts'
import { Failure } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import { rewriteField } from '../mutations/reply.ts'
import { after, handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

/** Charges a credit. */
const charge = (org: Organization, now: number) => org.ledger.topUp(-1, now)

const charged = operationIds
  .filter((operation) => routeOf(operation).cost === 0)
  .map(
    (operation): Defect => ({
      id: `free-${operation}`,
      title: `${operation} costs a credit.`,
      breaks: [`FREE-${operation}`],
      mutate: () =>
        after(operation, ({ org, now }, outcome) => {
          if (!(outcome instanceof Failure)) charge(org, now)
        }),
    }),
  )

/** Does something to an organization when a run of it has ended as completed. */
const onCompletion = (effect: (org: Organization, at: number, earlier: number) => void) => () => {
  const runs = new Map<string, number>()
  return {
    onOrganization(org: Organization) {
      const endRun = org.endRun.bind(org)
      org.endRun = (run) => {
        endRun(run)
        const earlier = runs.get(run.task_id) ?? 0
        runs.set(run.task_id, earlier + 1)
        if (run.outcome === 'completed') effect(org, run.ends_at ?? run.accepted_at, earlier)
      }
    },
  }
}

const belowZero = (credits: unknown) => Number(credits) || -1

export const credits: readonly Defect[] = [
  ...charged,
  {
    id: 'credits-stale-in-list',
    title: 'credits of the task list are one too many.',
    breaks: ['CREDITS-IN-LIST'],
    variant: 'first',
    mutate: () => rewriteField('credits', (credits) => Number(credits) + 1, 'listTasks'),
  },
  {
    id: 'credits-stale-in-create',
    title: 'credits of a created task are always 100.',
    breaks: ['CREDITS-IN-CREATE'],
    variant: 'first',
    mutate: () => rewriteField('credits', () => 100, 'createTask'),
  },
  {
    id: 'credits-taken-at-the-end',
    title: 'The credit of a run remains spendable until the run ends.',
    breaks: ['CREDITS-RESERVED'],
    mutate: () =>
      handle('whoami', (call, usual) => {
        const answer = usual(call)
        const going = call.org.tasks.newest(Infinity, ({ run }) => run !== null && !run.ended).length
        return 'credits' in answer ? { ...answer, credits: answer.credits + going } : answer
      }),
  },
  {
    id: 'credits-run-costs-two',
    title: 'A run costs two credits.',
    breaks: ['CREDITS-RUN-COSTS-ONE'],
    mutate: () => ({
      onOrganization(org) {
        const reserve = org.ledger.reserve.bind(org.ledger)
        const refund = org.ledger.refund.bind(org.ledger)
        org.ledger.reserve = (subject, at) => {
          const entry = reserve(subject, at)
          if (entry && subject.startsWith('run')) charge(org, at)
          return entry
        }
        org.ledger.refund = (entry, at) => {
          refund(entry, at)
          if (entry.subject?.startsWith('run')) org.ledger.topUp(1, at)
        }
      },
    }),
  },
  {
    id: 'credits-charged-again-at-the-end',
    title: 'A completed first run of a task costs another credit when it ends.',
    breaks: ['CREDITS-RUN-COSTS-ONE'],
    mutate: onCompletion((org, at, earlier) => {
      if (earlier === 0) charge(org, at)
    }),
  },
  {
    id: 'credits-run-free',
    title: 'A completed run is refunded.',
    breaks: ['CREDITS-RUN-COSTS-ONE'],
    mutate: onCompletion((org, at) => org.ledger.topUp(1, at)),
  },
  {
    id: 'credits-no-refund',
    title: 'A failed run is not refunded.',
    breaks: ['CREDITS-REFUND'],
    mutate: () => ({
      onOrganization(org) {
        const refund = org.ledger.refund.bind(org.ledger)
        org.ledger.refund = (entry, at) => {
          if (!entry.subject?.startsWith('run')) refund(entry, at)
        }
      },
    }),
  },
  {
    id: 'credits-refund-twice',
    title: 'A failed run is refunded twice.',
    breaks: ['CREDITS-REFUND-ONCE'],
    mutate: () => ({
      onOrganization(org) {
        const refund = org.ledger.refund.bind(org.ledger)
        org.ledger.refund = (entry, at) => {
          refund(entry, at)
          if (entry.subject?.startsWith('run')) org.ledger.topUp(1, at)
        }
      },
    }),
  },
  {
    id: 'credits-refund-each-look',
    title: 'Each read of a failed task refunds another credit.',
    breaks: ['CREDITS-REFUND-ONCE'],
    mutate: () =>
      after('getTask', ({ org, id, now }) => {
        const run = org.tasks.get(id)?.run
        if (run?.ended && run.outcome === 'failed') org.ledger.topUp(1, now)
      }),
  },
  {
    id: 'credits-refused-run',
    title: 'A run costs a credit even if there is no such task.',
    breaks: ['CREDITS-REFUSED-RUN'],
    mutate: () =>
      after('runTask', ({ org, id, now }) => {
        if (!org.tasks.get(id)) charge(org, now)
      }),
  },
  {
    id: 'credits-failed-never-finished',
    title: 'A task whose run failed is never finished.',
    breaks: ['CREDITS-FAILED-FINISHED'],
    mutate: () =>
      handle('getTask', (call, usual) => {
        const answer = usual(call)
        return call.org.tasks.get(call.id)?.run?.outcome === 'failed'
          ? { ...answer, finished: false }
          : answer
      }),
  },
  {
    id: 'credits-told-negative',
    title: 'At zero balance, whoami reports -1 credits.',
    breaks: ['CREDITS-NEVER-NEGATIVE'],
    mutate: () => rewriteField('credits', belowZero, 'whoami'),
  },
  {
    id: 'credits-told-negative-by-tasks',
    title: 'At zero balance, the task routes report -1 credits.',
    breaks: ['CREDITS-NEVER-NEGATIVE'],
    variant: 'first',
    mutate: () => rewriteField('credits', belowZero, 'listTasks', 'createTask'),
  },
]
