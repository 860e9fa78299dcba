/** §3.2, §3.3: runs that wait, and charges, refunds and starts that come later than the answer. */
import { fail } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { LedgerEntry, Run } from '#mocks/core/resources.ts'
import { combine, type Mutation } from '../mutations/mutation.ts'
import { rewrite } from '../mutations/reply.ts'
import { handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

/** Does something to an organization later; `due` is called with the effect and its time. */
function later(
  arrange: (org: Organization, due: (at: number, effect: () => void) => void) => void,
): Mutation {
  return {
    onOrganization(org) {
      const effects: { readonly at: number; readonly effect: () => void }[] = []
      const settle = org.settle.bind(org)
      org.settle = (now) => {
        settle(now)
        for (const one of effects.splice(0)) {
          if (one.at <= now) one.effect()
          else effects.push(one)
        }
      }
      arrange(org, (at, effect) => effects.push({ at, effect }))
    },
  }
}

/** Does something some ms after a run has ended. */
const afterRuns = (
  delay: number,
  isAffected: (run: Run) => boolean,
  effect: (org: Organization, at: number) => void,
): Mutation =>
  later((org, due) => {
    const endRun = org.endRun.bind(org)
    org.endRun = (run) => {
      endRun(run)
      const at = (run.ends_at ?? run.accepted_at) + delay
      if (isAffected(run)) due(at, () => effect(org, at))
    }
  })

const failed = ({ outcome }: Run) => outcome === 'failed'
const waited = ({ accepted_at, started_at }: Run) => started_at !== accepted_at
const waitedAndFailed = (run: Run) => failed(run) && waited(run)
const give = (credits: number) => (org: Organization, at: number) => org.ledger.topUp(credits, at)

/** Answers a run that meets a busy agent otherwise; the run starts all the same. */
const busyAs = (status: number, error: string): Defect => ({
  id: `busy-as-${status}-${error.replaceAll('_', '-')}`,
  title: `A run that meets a busy agent is answered ${status} ${error}.`,
  breaks: ['BUSY-ANSWER'],
  mutate: () =>
    rewrite((reply) => {
      if (reply.status !== 409 || Reflect.get(Object(reply.body), 'error') !== 'busy') return
      reply.status = status
      reply.body = { error, message: 'The agent is busy.' }
    }, 'runTask'),
})

const row = (id: string, title: string, breaks: readonly string[], mutate: () => Mutation): Defect => ({
  id,
  title,
  breaks,
  mutate,
})

export const lateRuns: readonly Defect[] = [
  busyAs(500, 'internal_error'),
  busyAs(422, 'busy'),
  busyAs(409, 'invalid_request'),
  row('late-refund-10min', 'A failed run is refunded after 10 minutes.', ['CREDITS-REFUND'], () =>
    later((org, due) => {
      const refund = org.ledger.refund.bind(org.ledger)
      org.ledger.refund = (entry: LedgerEntry, at) => {
        if (!entry.subject?.startsWith('run')) refund(entry, at)
        else due(at + 600_000, () => refund(entry, at + 600_000))
      }
    }),
  ),
  row(
    'late-second-charge',
    'A run costs a second credit 300 ms after it ended.',
    ['CREDITS-RUN-COSTS-ONE'],
    () => afterRuns(300, (run) => !failed(run), give(-1)),
  ),
  row('late-second-refund', 'A failed run is refunded again after 300 ms.', ['CREDITS-REFUND-ONCE'], () =>
    afterRuns(300, failed, give(1)),
  ),
  row('late-refund-of-success', 'A completed run is refunded after 300 ms.', ['CREDITS-RUN-COSTS-ONE'], () =>
    afterRuns(300, (run) => !failed(run), give(1)),
  ),
  row(
    'late-refund-taken-back',
    'The refund of a failed run is taken back after 300 ms.',
    ['CREDITS-REFUND'],
    () => afterRuns(300, failed, give(-1)),
  ),
  row('busy-refund-twice', 'A failed run that had to wait is refunded twice.', ['BUSY-REFUND'], () =>
    afterRuns(0, waitedAndFailed, give(1)),
  ),
  row('busy-refund-half', 'A failed run that had to wait is refunded half.', ['BUSY-REFUND'], () =>
    afterRuns(0, waitedAndFailed, give(-0.5)),
  ),
  row('busy-charged-at-start', 'A run that had to wait is charged again at its end.', ['BUSY-COSTS'], () =>
    afterRuns(0, (run) => waited(run) && !failed(run), give(-1)),
  ),
  row('busy-refunded-success', 'A completed run that had to wait is refunded.', ['BUSY-COSTS'], () =>
    afterRuns(0, (run) => waited(run) && !failed(run), give(1)),
  ),
  row('busy-forgotten-at-last', 'Of several runs that wait, only the first starts.', ['BUSY-STARTS'], () => {
    const waiting = new Set<Organization>()
    return handle('runTask', (call, usual) => {
      const { org, now } = call
      if (!org.agent.busy(now)) waiting.delete(org)
      const isWaiting = org.agent.busy(now) && waiting.has(org)
      const run = org.tasks.get(call.id)?.run
      if (isWaiting && org.tasks.get(call.id) && !run && org.ledger.solvent) return fail('busy')
      if (org.agent.busy(now)) waiting.add(org)
      return usual(call)
    })
  }),
  row('run-longer-than-the-poll', 'A task is finished 90 s after its run has ended.', ['RUN-ENDS'], () =>
    combine(
      handle('getTask', (call, usual) => {
        const answer = usual(call)
        const run = call.org.tasks.get(call.id)?.run
        const isNew = run?.ended === true && call.now < (run.ends_at ?? 0) + 90_000
        return 'finished' in answer && isNew ? { ...answer, finished: false } : answer
      }),
    ),
  ),
]
