/** §3, §7.1, §8.2: wrong behaviour at zero balance. */
import { operationIds, routeOf } from '#contract/operation.ts'
import { fail } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { LedgerEntry, Task } from '#mocks/core/resources.ts'
import { requestRun } from '#mocks/core/tasks.ts'
import { combine } from '../mutations/mutation.ts'
import { rewrite, rewriteField } from '../mutations/reply.ts'
import { handle, precondition } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

/** Lends credits to an organization: where `lends` is true, a reservation is granted and takes nothing. */
const lending =
  (kind: 'run' | 'artifact', lends: (org: Organization, at: number) => boolean) => (org: Organization) => {
    const reserve = org.ledger.reserve.bind(org.ledger)
    org.ledger.reserve = (subject, at) => {
      const entry = reserve(subject, at)
      if (entry || !subject.startsWith(kind) || !lends(org, at)) return entry
      return {
        id: `lent_${subject}`,
        kind: 'reserve',
        amount: 0,
        at,
        subject,
        request_id: null,
      } satisfies LedgerEntry
    }
  }

/** Remembers tasks whose run was refused with 402. */
function remembering(effect: (task: Task, org: Organization) => void) {
  return handle('runTask', (call, usual) => {
    const answer = usual(call)
    const task = call.org.tasks.get(call.id)
    if (task && 'name' in answer && answer.name === 'no_credits') effect(task, call.org)
    return answer
  })
}

const freeRoutes = operationIds.filter(
  (operation) =>
    routeOf(operation).cost === 0 && routeOf(operation).auth === 'key' && routeOf(operation).set === 'core',
)

const paidAtZero = freeRoutes
  .filter((operation) => operation !== 'whoami' && operation !== 'getTask')
  .map(
    (operation): Defect => ({
      id: `no-credits-${operation}`,
      title: `At zero balance ${operation} is answered 402.`,
      breaks: ['NO-CREDITS-FREE-ROUTES'],
      mutate: () =>
        precondition((context) =>
          context.operation === operation && !context.principal.org.ledger.solvent
            ? fail('no_credits')
            : undefined,
        ),
    }),
  )

export const noCredits: readonly Defect[] = [
  ...paidAtZero,
  {
    id: 'no-credits-run-accepted',
    title: 'At zero balance a run is accepted.',
    breaks: ['NO-CREDITS-REFUSED', 'CREDITS-ATOMIC'],
    mutate: () => ({ onOrganization: lending('run', () => true) }),
  },
  {
    id: 'no-credits-forbidden',
    title: 'At zero balance a run is answered 400 invalid_request.',
    breaks: ['NO-CREDITS-REFUSED'],
    mutate: () =>
      rewrite((reply) => {
        if (reply.status !== 402) return
        reply.status = 400
        reply.body = { error: 'invalid_request', message: 'Out of credits.' }
      }, 'runTask'),
  },
  {
    id: 'no-credits-limited',
    title: 'A run that was refused with 402 is refused as bad input the next time.',
    breaks: ['NO-CREDITS-PERSISTS'],
    mutate() {
      const refused = new Set<string>()
      return rewrite((reply, { request }) => {
        if (reply.status !== 402) return
        if (refused.has(request.url)) {
          reply.status = 400
          reply.body = { error: 'invalid_request', message: 'Interception before.' }
        }
        refused.add(request.url)
      }, 'runTask')
    },
  },
  {
    id: 'no-credits-changes-task',
    title: 'A run that is refused with 402 gives its task the status blocked.',
    breaks: ['NO-CREDITS-UNCHANGED'],
    mutate() {
      const blocked = new WeakSet<Task>()
      return combine(
        remembering((task) => blocked.add(task)),
        handle('getTask', (call, usual) => {
          const answer = usual(call)
          const task = call.org.tasks.get(call.id)
          if (!task || task.run || !blocked.has(task) || !('task' in answer)) return answer
          return { ...answer, task: { ...answer.task, status: 'blocked' } }
        }),
      )
    },
  },
  {
    id: 'no-credits-debt',
    title: 'A run that is refused with 402 leaves a debt of one credit.',
    breaks: ['NO-CREDITS-BALANCE', 'CREDITS-NEVER-NEGATIVE'],
    mutate() {
      let debt = 0
      return combine(
        remembering(() => {
          debt = 1
        }),
        rewriteField('credits', (credits) => (Number(credits) === 0 ? -debt : credits), 'whoami'),
      )
    },
  },
  {
    id: 'no-credits-queued',
    title: 'A run that was refused with 402 starts when credits are added.',
    breaks: ['NO-CREDITS-NOT-QUEUED', 'RUN-REFUSED-LATER'],
    mutate() {
      const queued = new Map<Organization, Set<Task>>()
      return combine(
        {
          onOrganization(org) {
            const settle = org.settle.bind(org)
            org.settle = (now) => {
              settle(now)
              const [task] = queued.get(org) ?? []
              if (!task || !org.ledger.solvent) return
              queued.get(org)?.delete(task)
              requestRun(org, task, now)
            }
          },
        },
        remembering((task, org) => queued.set(org, (queued.get(org) ?? new Set()).add(task))),
      )
    },
  },
  {
    id: 'no-credits-for-good',
    title: 'A task whose run was refused with 402 can never run.',
    breaks: ['NO-CREDITS-RECOVERS'],
    mutate() {
      const refused = new WeakSet<Task>()
      return combine(
        remembering((task) => refused.add(task)),
        handle('runTask', (call, usual) => {
          const task = call.org.tasks.get(call.id)
          return task && refused.has(task) ? fail('no_credits') : usual(call)
        }),
      )
    },
  },
  {
    id: 'no-credits-creative-accepted',
    title: 'At zero balance a generation is accepted.',
    breaks: ['NO-CREDITS-CREATIVE', 'CREATIVE-ATOMIC'],
    mutate: () => ({ onOrganization: lending('artifact', () => true) }),
  },
  {
    id: 'credits-not-atomic',
    title: 'Several simultaneous runs are accepted for the last credit.',
    breaks: ['CREDITS-ATOMIC'],
    mutate() {
      return {
        onOrganization: lending('run', ({ ledger }, at) => {
          const last = ledger.entries.at(-1)
          return last?.kind === 'reserve' && last.at === at
        }),
      }
    },
  },
]
