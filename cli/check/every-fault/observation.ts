/** A mock with the faults of a case, and what it saw of the client that was run against it. */
import { inOrderOfArrival } from '#client-tests/arrival.ts'
import { pollsOn } from '#client-tests/client-report.ts'
import type { FaultCase } from '#client-tests/every-fault/plan.ts'
import type { Trial } from '#client-tests/every-fault/trial.ts'
import { type OrganizationRows, workBetween } from '#client-tests/every-fault/work.ts'
import { createMock, type Mock } from '#mocks/app.ts'
import type { RuleReport } from '#mocks/faults/rule.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'

/** How a client ended. */
interface Ending {
  readonly end: { readonly ok: boolean } | undefined
  readonly note: string
  readonly killedAfter: number | undefined
  /** Whether that was because it printed without an end. */
  readonly isFlooding?: boolean
  /** What it printed; unset: not known. */
  readonly output?: string
}

export interface Observation {
  /** The mock; requests to it are counted until they have been answered. */
  readonly mock: Pick<Mock, 'handle' | 'credentials' | 'journal' | 'clock' | 'bugs'>
  /**
   * What was seen, once the client has ended and every request of it has taken effect, at most `patience` ms later.
   * `usual`: the run without a fault, if there was one.
   */
  trial(ending: Ending, patience: number, usual?: Trial): Promise<Trial>
}

/** Creates the mock of a case. A run takes two polls, so that every run of a client sends the same requests. */
export function observe({ id, rules, outlook, endsRuns }: FaultCase, options: MockOptions): Observation {
  const mock = createMock({
    ...options,
    fault: rules as MockOptions['fault'] & object,
    runProgress: endsRuns ? 'immediate' : 'polls:2',
  })
  const before = rowsOf(mock)
  const unanswered = new Set<Promise<unknown>>()
  const handle: Mock['handle'] = (request, bindings) => {
    const answer = mock.handle(request, bindings)
    if (!(answer instanceof Promise)) return answer
    unanswered.add(answer)
    return answer.finally(() => unanswered.delete(answer))
  }
  return {
    mock: { ...mock, handle },
    async trial({ end, note, ...facts }, patience, usual) {
      const endedAt = mock.clock.now()
      const work = workBetween(before, rowsOf(mock))
      if (unanswered.size > 0) await atMost(patience, Promise.allSettled(unanswered))
      const run = {
        canFinish: outlook === 'work',
        isCompared: true,
        ...facts,
        endedAt,
        hasPaidWork: usual && usual.work.paid.length > 0,
        pollsOn: usual && pollsOn(usual.report),
      }
      const report = mock.report({ label: id, note, end, run })
      await endRuns(mock)
      return {
        requests: inOrderOfArrival(mock.journal.entries()),
        isMet: mock.faults.list().some(wasMet),
        report,
        end,
        note,
        work,
        settled: workBetween(before, rowsOf(mock)),
      }
    },
  }
}

/** Whether a rule met a request. One of `ok` alone has no fault that could fire. */
const wasMet = ({ fired, matched, faults }: RuleReport) =>
  fired > 0 || (matched > 0 && faults.every((fault) => fault === 'ok'))

/** Waits for a promise, at most so long, ms. */
async function atMost(ms: number, promise: Promise<unknown>): Promise<void> {
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, ms)
  await Promise.race([promise, over.promise])
  clearTimeout(timer)
}

/** Lets every run end, by a state that the mock offers to test suites. */
async function endRuns(mock: Mock): Promise<void> {
  const { id } = mock.organization()
  const body = JSON.stringify({ state: 'agent_idle', params: { org_id: id }, action: 'setup' })
  const { ok } = await mock.fetch('http://mock/__admin/states', { method: 'POST', body })
  if (!ok) throw new Error('the mock does not end runs')
}

function rowsOf(mock: Mock): OrganizationRows {
  const snapshot = mock.organization().snapshot()
  if (snapshot.of !== 'organization') throw new Error('not the snapshot of an organization')
  return snapshot.organization.state
}
