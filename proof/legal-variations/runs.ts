/** Runs that execute in parallel, or are charged, refunded or started at other times. */
import { createFailure } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Run, Task } from '#mocks/core/resources.ts'
import { startOrQueueRun } from '#mocks/core/tasks.ts'
import { combineMutations, type Mutation } from '../mutations/mutation.ts'
import {
  callAfterRunEnd,
  callAfterSettling,
  delayRefunds,
  overrideMethod,
  reserveAtStart,
} from '../mutations/organizations.ts'
import { callBeforeHandling, refuseRequests, replaceHandler } from '../mutations/rules.ts'
import { flattenVariationTables, type Variation } from './variation.ts'

/** Starts every run when it is accepted, in parallel with others. */
function inParallel(): Mutation {
  const going = new Map<Run, Organization>()
  const end = (org: Organization, now: number) => {
    for (const [run, owner] of going)
      if (owner === org && (run.ends_at ?? 0) <= now && going.delete(run)) org.endRun(run)
  }
  return combineMutations(callAfterSettling(end), {
    onOrganization(org) {
      org.agent.busy = () => false
      org.agent.accept = (run, now) => {
        run.started_at = now
        run.ends_at = now + run.duration_ms
        run.outcome = org.overrides.next_run_fails ? 'failed' : 'completed'
        org.overrides.next_run_fails = false
        going.set(run, org)
        end(org, now)
      }
      org.agent.finishAll = (now) => {
        for (const [run, owner] of going) if (owner === org) run.ends_at = now
        end(org, now)
      }
    },
  })
}

/**
 * Accepts the run of a task that is already queued or running: it starts afterwards, and its credit is reserved at
 * once.
 */
function againAfterwards(): Mutation {
  const waiting = new Map<Task, number>()
  const start = (org: Organization, now: number) => {
    for (const [task, runs] of waiting) {
      if (org.tasks.get(task.id) !== task || !task.run?.ended) continue
      if (runs > 1) waiting.set(task, runs - 1)
      else waiting.delete(task)
      org.ledger.topUp(1, now)
      startOrQueueRun(org, task, now)
    }
  }
  return combineMutations(
    callAfterSettling(start),
    overrideMethod(
      (org: Organization) => org.agent,
      'finishAll',
      (usual, org) => (now) => {
        for (usual(now); org.tasks.newest(1, (task) => waiting.has(task)).length > 0; usual(now))
          start(org, now)
      },
    ),
    replaceHandler('runTask', (call, usual) => {
      const { org, id, now } = call
      const task = org.tasks.get(id)
      if (!task?.run || task.run.ended) return usual(call)
      if (!org.ledger.canReserve) return createFailure('no_credits')
      org.ledger.topUp(-1, now)
      waiting.set(task, (waiting.get(task) ?? 0) + 1)
      return createFailure('busy')
    }),
  )
}

/** Handles the requests of all keys one after the other, as a lock in front of the balance does. */
function oneAfterTheOther(): Mutation {
  let last: Promise<unknown> = Promise.resolve()
  return {
    middleware({ request }, next) {
      const answer = last.then(() => next(request))
      last = answer.catch(() => undefined)
      return answer
    },
  }
}

/** Keeps the agent busy for some ms after each run. */
const pauseBetween = (pause: number) => callAfterRunEnd((org, _, at) => org.agent.busyUntil(at + pause))

/** Legal variations (behaviour that the specification allows) of how runs execute, are charged and are refunded. */
export const runVariations: readonly Variation[] = flattenVariationTables({
  '#busy-answer: a service may never be busy.': {
    'runs-in-parallel (waiting): The agent is never busy: runs execute in parallel.': inParallel,
  },
  '#asynchronous-work, #busy-answer: a run may be over at once, and a service never busy.': {
    'runs-at-once-never-busy (waiting): Runs end at once, and the agent is never busy.': () =>
      combineMutations({ options: { runDuration: 0 } }, inParallel()),
  },
  '#run-reserves: a waiting run may reserve when it starts.': {
    'runs-reserved-at-start (waiting): A waiting run reserves its credit when it starts.': () =>
      reserveAtStart((org, waiting) => org.ledger.balance > waiting),
  },
  '#run-already-active: a task that is already running may run once more, for another credit.': {
    'run-twice-accepted (run again): A run of a task that is already queued or running waits, and costs another credit.':
      againAfterwards,
  },
  '#billing-unavoidable: how requests of the same moment are told apart is open.': {
    'PATH-SLOW-BODY requests-serialized: Requests are handled one after the other.': oneAfterTheOther,
  },
  '#busy-starts: a short pause is open.': {
    'runs-start-later (waiting): A waiting run starts 1.2 s after the previous one ended.': () =>
      pauseBetween(1_200),
  },
  '#busy-answer: the agent may be occupied elsewhere.': {
    'runs-agent-busy-at-first: The agent is busy with other work when the suite begins.': () => ({
      options: { busy: 5 },
    }),
  },
  '#run-refund: it may come shortly after the end.': {
    'refund-later: A refund follows the failure after 1.5 s.': () => delayRefunds(1_500),
  },
  '#run-with-credit, #error-invalid-request: another run may be refused as bad input.': {
    'run-again-bad-request (run again): A finished task does not run again: bad input.': () =>
      refuseRequests('runTask', 'invalid', ({ org, id }) => org.tasks.get(id)?.run?.ended),
  },
  '#asynchronous-work: some runs may take longer than others, and than a test waits.': {
    'runs-sometimes-long (outcome): Each fourth run that starts at once takes 80 s.': () => {
      let runs = 0
      return replaceHandler('runTask', (call, usual) => {
        const starts = call.org.tasks.get(call.id) && !call.org.agent.busy(call.now)
        const isLong = starts && ++runs % 4 === 0
        return usual(isLong ? { ...call, runOverrides: { duration_ms: 80_000 } } : call)
      })
    },
  },
  '#asynchronous-work: a run may be over at once.': {
    'runs-fail-at-once (outcome): Every run fails as soon as it is accepted.': () => ({
      options: { runOutcome: 'failed', runProgress: 'immediate' },
    }),
  },
  '#unauthorized-first: the order of later checks is open.': {
    // Not with a balance that follows late, which would show what a state has set, and then nothing.
    'run-credits-first (late): At zero balance a run of an unknown task is answered 402 too; other organizations have no credits.':
      () =>
        combineMutations(
          ...(['whoami', 'listTasks', 'createTask'] as const).map((operation) =>
            callBeforeHandling(operation, ({ org, tenants, now }) => {
              if (org !== tenants.organization(tenants.demoName)) org.ledger.setBalance(0, now)
            }),
          ),
          refuseRequests('runTask', 'no_credits', ({ org }) => !org.ledger.canReserve),
        ),
  },
})
