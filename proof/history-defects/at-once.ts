/** Defects that show only where requests arrive at once: paid requests. */
import { Failure } from '#mocks/core/failure.ts'
import type { Call } from '#mocks/handlers/handler.ts'
import { combine } from '../mutations/mutation.ts'
import { after, handle } from '../mutations/rules.ts'
import { together } from './crowd.ts'
import type { HistoryDefect } from './history-defect.ts'
import { isTaken, perOne } from './memory.ts'

/** Gives a credit to the requests from a place on that find none, as if they had read the balance before. */
const overdraft = <O extends 'runTask' | 'generateCreative'>(
  operation: O,
  allows: (call: Call<O>) => boolean,
) =>
  handle(operation, (call, usual) => {
    const { org, now } = call
    if (!org.ledger.solvent && allows(call)) org.ledger.topUp(1, now)
    return usual(call)
  })

export const atOnce: readonly HistoryDefect[] = [
  {
    id: 'crowd-reruns-overdraw',
    title: 'Of finished tasks that are run again at once, each but the first is accepted without a credit.',
    mutate: () =>
      together(['runTask'], (here) =>
        overdraft('runTask', (call) => here().rank > 0 && call.org.tasks.get(call.id)?.run?.ended === true),
      ),
  },
  {
    id: 'crowd-run-and-creative-overdraw',
    title: 'A creative that is requested at once with a run is generated without a credit.',
    mutate: () =>
      together(['runTask', 'generateCreative'], (here) =>
        overdraft('generateCreative', () => here().operations.has('runTask')),
      ),
  },
  {
    id: 'crowd-same-task-charged-each',
    title: 'Of three or more requests at once to run one task, each costs a credit.',
    mutate: () =>
      together(['runTask'], (here) =>
        after('runTask', ({ org, now }, outcome) => {
          const refused = outcome instanceof Failure && outcome.name === 'conflict'
          if (refused && here().size >= 3) org.ledger.topUp(-1, now)
        }),
      ),
  },
  {
    id: 'crowd-refused-run-charged',
    title:
      'Of three or more runs requested at once of which some find no credit, one more credit is taken next.',
    mutate() {
      const owed = perOne(() => ({ n: 0 }))
      return together(['runTask'], (here) =>
        after('runTask', ({ org, now }, outcome) => {
          const debt = owed(org)
          const isBroke = outcome instanceof Failure && outcome.name === 'no_credits'
          if (isBroke && here().size >= 3) debt.n = 1
          else if (debt.n > 0 && isTaken(outcome) && here().size < 3) {
            org.ledger.topUp(-debt.n, now)
            debt.n = 0
          }
        }),
      )
    },
  },
  {
    id: 'crowd-second-refunded-at-end',
    title:
      'Of three or more runs accepted at once, the credit of the second is given back when it completes.',
    mutate: () => {
      const lost = new Set<string>()
      return together(['runTask'], (here) =>
        combine(
          after('runTask', ({ org, id }, outcome) => {
            const run = org.tasks.get(id)?.run
            if (run && isTaken(outcome) && here().size >= 3 && here().rank === 1) lost.add(run.id)
          }),
          {
            onOrganization(org) {
              const end = org.endRun.bind(org)
              org.endRun = (run) => {
                end(run)
                if (lost.has(run.id) && run.outcome === 'completed')
                  org.ledger.topUp(1, run.ends_at ?? run.accepted_at)
              }
            },
          },
        ),
      )
    },
  },
]
