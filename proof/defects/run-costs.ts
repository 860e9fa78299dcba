/** §3: runs beside other runs, runs that fail again, and runs that wait and fail. */

import { Failure } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Run, Task } from '#mocks/core/resources.ts'
import { requestRun } from '#mocks/core/tasks.ts'
import type { Mutation } from '../mutations/mutation.ts'
import { combine } from '../mutations/mutation.ts'
import { rewriteField } from '../mutations/reply.ts'
import { after, handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

/** Takes the refund of a failed run back. */
const unrefunded = (keeps: (run: Run, failedBefore: number) => boolean) => (): Mutation => ({
  onOrganization(org: Organization) {
    let failed = 0
    const endRun = org.endRun.bind(org)
    org.endRun = (run) => {
      endRun(run)
      if (run.outcome !== 'failed') return
      if (keeps(run, failed)) org.ledger.topUp(-1, run.ends_at ?? run.accepted_at)
      failed++
    }
  },
})

export const runCosts: readonly Defect[] = [
  {
    id: 'run-unlisted',
    title: 'A task that has run is no longer listed.',
    breaks: ['RUN-LISTED'],
    mutate: () =>
      rewriteField(
        'items',
        (items) =>
          Array.isArray(items)
            ? items.filter(({ status }) => !['completed', 'failed'].includes(status))
            : items,
        'listTasks',
      ),
  },
  {
    id: 'run-twice-costs',
    title: 'A run that is refused since its task runs already costs a credit.',
    breaks: ['RUN-TWICE'],
    mutate: () =>
      after('runTask', ({ org, now }, outcome) => {
        if (outcome instanceof Failure && outcome.name === 'conflict') org.ledger.topUp(-1, now)
      }),
  },
  {
    id: 'run-twice-queued',
    title: 'A run that is refused since its task runs already is made all the same, afterwards.',
    breaks: ['RUN-TWICE'],
    mutate() {
      const again = new Map<Task, Organization>()
      return combine(
        {
          onOrganization(org) {
            const settle = org.settle.bind(org)
            org.settle = (now) => {
              settle(now)
              for (const [task, owner] of again)
                if (owner === org && task.run?.ended && again.delete(task)) requestRun(org, task, now)
            }
          },
        },
        after('runTask', ({ org, id }, outcome) => {
          const task = org.tasks.get(id)
          if (task && outcome instanceof Failure && outcome.name === 'conflict') again.set(task, org)
        }),
      )
    },
  },
  {
    id: 'run-cut-short',
    title: 'A run never finishes if another one was requested meanwhile.',
    breaks: ['RUN-BESIDE', 'RUN-FINISHED-BY-STATUS'],
    mutate() {
      const cut = new Set<string>()
      return combine(
        handle('runTask', (call, usual) => {
          const going = call.org.tasks
            .newest(5)
            .find(({ run }) => run && !run.ended && run.started_at !== null)
          const answer = usual(call)
          if (going && going.id !== call.id && answer instanceof Failure && answer.name === 'busy')
            cut.add(going.id)
          return answer
        }),
        handle('getTask', (call, usual) => {
          const answer = usual(call)
          return 'finished' in answer && cut.has(call.id) ? { ...answer, finished: false } : answer
        }),
      )
    },
  },
  {
    id: 'credits-refund-first-only',
    title: 'Only the first failed run is refunded.',
    breaks: ['CREDITS-REFUND-AGAIN'],
    mutate: unrefunded((_, failedBefore) => failedBefore > 0),
  },
  {
    id: 'busy-unrefunded',
    title: 'A failed run that had to wait is not refunded.',
    breaks: ['BUSY-REFUND'],
    mutate: unrefunded(({ accepted_at, started_at }) => started_at !== accepted_at),
  },
  {
    id: 'busy-finished-early',
    title: 'A task whose run waits is finished, until the run starts.',
    breaks: ['BUSY-FINISHED-STAYS'],
    mutate: () =>
      handle('getTask', (call, usual) => {
        const answer = usual(call)
        const run = call.org.tasks.get(call.id)?.run
        return 'finished' in answer && run?.started_at === null ? { ...answer, finished: true } : answer
      }),
  },
]
