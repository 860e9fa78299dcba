/** Runs that execute in parallel, or are charged, refunded or started at other times. */

import { fail } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { LedgerEntry, Run } from '#mocks/core/resources.ts'
import { combine } from '../mutations/mutation.ts'
import { handle } from '../mutations/rules.ts'
import type { Variation } from './variation.ts'

/** Has an effect each time after an organization is settled. */
function settling(org: Organization, effect: (now: number) => void): void {
  const settle = org.settle.bind(org)
  org.settle = (now) => {
    settle(now)
    effect(now)
  }
}

/** Starts every run when it is accepted, in parallel with others. */
function inParallel(org: Organization): void {
  const going = new Set<Run>()
  const end = (now: number) => {
    for (const run of going) {
      if ((run.ends_at ?? 0) > now) continue
      going.delete(run)
      org.endRun(run)
    }
  }
  org.agent.busy = () => false
  org.agent.accept = (run, now) => {
    run.started_at = now
    run.ends_at = now + run.duration_ms
    run.outcome = org.overrides.next_run_fails ? 'failed' : 'completed'
    org.overrides.next_run_fails = false
    going.add(run)
    end(now)
  }
  org.agent.finishAll = (now) => {
    for (const run of going) run.ends_at = now
    end(now)
  }
  settling(org, end)
}

/** Returns the credit of a waiting run until the run starts, and accepts no more of them than there are credits. */
function reserveAtStart(org: Organization): void {
  const waiting = new Set<Run>()
  const reserve = org.ledger.reserve.bind(org.ledger)
  org.ledger.reserve = (...given) => (org.ledger.balance > waiting.size ? reserve(...given) : undefined)
  const accept = org.agent.accept.bind(org.agent)
  org.agent.accept = (run, now) => {
    accept(run, now)
    if (run.started_at !== null) return
    waiting.add(run)
    org.ledger.topUp(1, now)
  }
  settling(org, (now) => {
    for (const run of waiting) {
      if (run.started_at === null) continue
      waiting.delete(run)
      org.ledger.topUp(-1, now)
    }
  })
}

/** Delays the refund of a failed run. */
const refundLater = (delay_ms: number) => (org: Organization) => {
  const due: { readonly entry: LedgerEntry; readonly at: number }[] = []
  const refund = org.ledger.refund.bind(org.ledger)
  org.ledger.refund = (entry, at) => {
    if (entry.subject?.startsWith('run')) due.push({ entry, at: at + delay_ms })
    else refund(entry, at)
  }
  settling(org, (now) => {
    for (const one of due.splice(0)) {
      if (one.at <= now) refund(one.entry, one.at)
      else due.push(one)
    }
  })
}

/** Keeps the agent busy for a while after each run. */
const pauseBetween = (pause_ms: number) => (org: Organization) => {
  const endRun = org.endRun.bind(org)
  org.endRun = (run) => {
    endRun(run)
    org.agent.busyUntil((run.ends_at ?? run.accepted_at) + pause_ms)
  }
}

export const runs: readonly Variation[] = [
  {
    id: 'runs-in-parallel',
    title: 'The agent is never busy: runs execute in parallel.',
    allowed: '#busy-answer: a service may never be busy.',
    group: 'waiting',
    mutate: () => ({ onOrganization: inParallel }),
  },
  {
    id: 'runs-at-once-never-busy',
    title: 'Runs end at once, and the agent is never busy.',
    allowed: '#asynchronous-work, #busy-answer: a run may be over at once, and a service never busy.',
    group: 'waiting',
    mutate: () => ({ options: { runDuration: 0 }, onOrganization: inParallel }),
  },
  {
    id: 'runs-reserved-at-start',
    title: 'A waiting run reserves its credit when it starts.',
    allowed: '#run-reserves: a waiting run may reserve when it starts.',
    group: 'waiting',
    mutate: () => ({ onOrganization: reserveAtStart }),
  },
  {
    id: 'runs-start-later',
    title: 'A waiting run starts 1.2 s after the previous one ended.',
    allowed: '#busy-starts: a short pause is open.',
    group: 'waiting',
    mutate: () => ({ onOrganization: pauseBetween(1_200) }),
  },
  {
    id: 'runs-agent-busy-at-first',
    title: 'The agent is busy with other work when the suite begins.',
    allowed: '#busy-answer: the agent may be occupied elsewhere.',
    mutate: () => ({ options: { busy: 5 } }),
  },
  {
    id: 'refund-later',
    title: 'A refund follows the failure after 1.5 s.',
    allowed: '#run-refund: it may come shortly after the end.',
    mutate: () => ({ onOrganization: refundLater(1_500) }),
  },
  {
    id: 'run-again-bad-request',
    title: 'A finished task does not run again: bad input.',
    allowed: '#run-with-credit, #error-invalid-request: another run may be refused as bad input.',
    group: 'run again',
    mutate: () =>
      handle('runTask', (call, usual) =>
        call.org.tasks.get(call.id)?.run?.ended ? (fail('invalid') as never) : usual(call),
      ),
  },
  {
    id: 'runs-fail-at-once',
    title: 'Every run fails as soon as it is accepted.',
    allowed: '#asynchronous-work: a run may be over at once.',
    group: 'outcome',
    mutate: () => ({ options: { runOutcome: 'failed', runProgress: 'immediate' } }),
  },
  {
    id: 'run-credits-first',
    title:
      'At zero balance a run of an unknown task is answered 402 too; other organizations have no credits.',
    allowed: '#unauthorized-first: the order of later checks is open.',
    mutate: () =>
      combine(
        handle('whoami', (call, usual) => {
          const { org, tenants, now } = call
          if (org !== tenants.organization(tenants.demoName)) org.ledger.setBalance(0, now)
          return usual(call)
        }),
        handle('runTask', (call, usual) => (call.org.ledger.solvent ? usual(call) : fail('no_credits'))),
      ),
  },
]
