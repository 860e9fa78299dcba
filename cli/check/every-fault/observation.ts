/** A mock with the faults of a case, and what it saw of the client that was run against it. */
import type { FaultCase } from '#client-tests/every-fault/plan.ts'
import type { Trial } from '#client-tests/every-fault/trial.ts'
import { type OrganizationRows, workBetween } from '#client-tests/every-fault/work.ts'
import { createMock, type Mock } from '#mocks/app.ts'
import type { MockOptions } from '#mocks/scenarios/settings.ts'

/** How a client ended. */
interface Ending {
  readonly end: { readonly ok: boolean } | undefined
  readonly note: string
  readonly killedAfter: number | undefined
  /** What it printed; unset: not known. */
  readonly output?: string
}

export interface Observation {
  readonly mock: Mock
  /** What was seen, once the client has ended. `usual`: the run without a fault, if there was one. */
  trial(ending: Ending, usual?: Trial): Trial
}

/** Creates the mock of a case. A run takes two polls, so that every run of a client sends the same requests. */
export function observe({ id, rules, outlook, endsRuns }: FaultCase, options: MockOptions): Observation {
  const mock = createMock({
    ...options,
    fault: rules as MockOptions['fault'] & object,
    runProgress: endsRuns ? 'immediate' : 'polls:2',
  })
  const before = rowsOf(mock)
  return {
    mock,
    trial({ end, note, killedAfter, output }, usual) {
      const hasPaidWork = usual && usual.work.paid.length > 0
      const run = { canFinish: outlook === 'work', killedAfter, hasPaidWork, output }
      return {
        requests: mock.journal.entries(),
        isMet: mock.faults.list().some(({ fired }) => fired > 0),
        report: mock.report({ label: id, note, end, run }),
        end,
        note,
        work: workBetween(before, rowsOf(mock)),
      }
    },
  }
}

function rowsOf(mock: Mock): OrganizationRows {
  const snapshot = mock.organization().snapshot()
  if (snapshot.of !== 'organization') throw new Error('not the snapshot of an organization')
  return snapshot.organization.state
}
