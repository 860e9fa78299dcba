/** §3.2, §4, §5.3: at the end of the run, when much has been created: what was seen to show late. */

import { NotExercised, Violation } from '../client/check-errors.ts'
import { assumeQuietBalance, seesStrangers } from '../evidence/credits.ts'
import { deletedKeys } from '../evidence/key-use.ts'
import { ordinaryRun } from '../evidence/runs.ts'
import type { TestContext } from '../harness/context.ts'
import { type Requirement, should } from '../harness/requirement.ts'
import type { LateKind } from '../harness/run-state.ts'
import { document, listing, newest, newestListed, task } from './resource-kinds.ts'

export const endOfRun: Requirement[] = [
  newestListed(task),
  newestListed(document),

  should('LIST-PROMPT', '§4', null, listing)
    .states('Lists show at once what was created and deleted.')
    .check(async (t) => {
      await newest(t, task)
      expectPrompt(t, 'list', 'what was created or deleted in the next list')
    }),

  should('CREDITS-PROMPT', '§3.2', 'whoami', { writes: true, alone: true, cost: 1 })
    .states('The balance shows at once what a run or a generation costs.')
    .check(async (t) => {
      await ordinaryRun(t)
      if (t.run.lateness.of('balance').length > 0) await assumeNobodyElse(t)
      expectPrompt(t, 'balance', 'a balance that shows the credit at once')
    }),

  should('KEY-DELETED-PROMPT', '§5.3', 'deleteKey', { writes: true, alone: true, needs: ['session'] })
    .states('A deleted key returns 401 unauthorized at once.')
    .check(async (t) => {
      await deletedKeys(t)
      expectPrompt(t, 'deleted key', '401 unauthorized at once')
    }),
]

/** Continues only if nobody else changes the balance: it may then show a credit late by coincidence. */
async function assumeNobodyElse(t: TestContext): Promise<void> {
  await assumeQuietBalance(t)
  if (seesStrangers(t)) throw new NotExercised('somebody else uses the organization')
}

/** Requires nothing of a kind to have shown late. */
function expectPrompt(t: TestContext, kind: LateKind, expected: string): void {
  const late = t.run.lateness.of(kind)
  const [latest] = late
  if (latest === undefined) return
  const { what, ms, exchanges } = latest
  const times = late.length === 1 ? 'once' : `${late.length} times in all`
  throw new Violation(expected, `${what} after ${Math.round(ms)} ms; late ${times}`, ...exchanges)
}
