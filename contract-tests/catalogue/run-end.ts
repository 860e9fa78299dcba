/** Requirements that are tested at the end of a run of the suite: long lists, and what showed late until then. */
import { valueAtPath } from '#traffic/exchange.ts'
import { DisturbedByOthers, rethrowUnlessNotExercised, Violation } from '../client/check-errors.ts'
import { creditsSpentBetween } from '../fixtures/credits.ts'
import { deleteOldestAndNewestKey } from '../fixtures/key-use.ts'
import { createKey } from '../fixtures/keys.ts'
import { markNotificationRead, takeNewNotificationId } from '../fixtures/notifications.ts'
import { hasSeenOtherClients } from '../fixtures/other-clients.ts'
import { createDocument, createLandingPage, listAllDocuments } from '../fixtures/resources.ts'
import { type FollowedRun, ordinaryRun } from '../fixtures/runs.ts'
import { assumeBalanceUndisturbed } from '../fixtures/spending.ts'
import type { TestContext } from '../harness/context.ts'
import { expectThat } from '../harness/expect.ts'
import { type Requirement, should } from '../harness/requirement.ts'
import type { LateEffectKind } from '../harness/run-state.ts'
import { createResourceAmongMany, declareNewestListedRequirement } from './long-lists.ts'
import { documentKindDefinition, newestInListCheckTraits, taskKindDefinition } from './resource-kinds.ts'

/** Requirements that are tested at the end of a run of the suite, when there is most to list. */
export const suiteEndRequirements: Requirement[] = [
  declareNewestListedRequirement(taskKindDefinition),
  declareNewestListedRequirement(documentKindDefinition),

  should('LIST-PROMPT', '§4', null, newestInListCheckTraits)
    .tests('list-contents')
    .states('Lists show at once what was created, deleted and marked as read.')
    .judged(async (t) => {
      await createResourceAmongMany(t, taskKindDefinition)
      if (t.run.attempt === 0) return t.recorder.exchanges
      for (const [create, list] of [
        [() => createDocument(t), () => listAllDocuments(t)],
        [() => createKey(t), () => t.session.call('listKeys')],
        [() => createLandingPage(t), () => t.call('listLandingPages')],
        [
          async () => markNotificationRead(t, await takeNewNotificationId(t)),
          () => t.call('listNotifications'),
        ],
      ] as const)
        await create().then(list).catch(rethrowUnlessNotExercised)
      return undefined
    }),

  should('CREDITS-PROMPT', '§3.2', 'whoami', { cost: 1 })
    .tests('run-reserves')
    .states('The balance shows at once what a run or a generation costs.')
    .experiment('waiting', async (t) => {
      const run = await ordinaryRun(t)
      const isListLate = isChargeMissingInList(run)
      if (isListLate || t.run.lateness.of('balance').length > 0) await assumeNobodyElse(t)
      expectPrompt(t, 'balance', 'a balance that shows the credit at once')
      expectThat(!isListLate, `credits: ${run.during}`, `credits: ${run.before}`, run.answer, run.midway)
    }),

  should('KEY-DELETED-PROMPT', '§5.3', 'deleteKey', { writes: true, exclusive: true, needs: ['session'] })
    .tests('delete-key', 'deleted-key')
    .states('A deleted key returns 401 unauthorized at once.')
    .experiment('waiting', async (t) => {
      await deleteOldestAndNewestKey(t)
      expectPrompt(t, 'deleted key', '401 unauthorized at once')
    }),
]

/** True if the task list, read while a run went on, left out a charge that whoami showed before and after it. */
function isChargeMissingInList({ before, during, midway, after }: FollowedRun): boolean {
  const shown = valueAtPath(midway.json, 'credits')
  const isCharged = [during, after].every((credits) => creditsSpentBetween(before, credits) === 1)
  return isCharged && typeof shown === 'number' && creditsSpentBetween(before, shown) === 0
}

/** Continues only if nobody else changes the balance: it may then show a credit late by coincidence. */
async function assumeNobodyElse(t: TestContext): Promise<void> {
  await assumeBalanceUndisturbed(t)
  if (t.settings.shared || hasSeenOtherClients(t))
    throw new DisturbedByOthers('somebody else uses the organization')
}

/** Requires that no effect of a kind has shown late. */
function expectPrompt(t: TestContext, kind: LateEffectKind, expected: string): void {
  const late = t.run.lateness.of(kind)
  const [latest] = late
  if (latest === undefined) return
  const { what, ms, exchanges } = latest
  const times = late.length === 1 ? 'once' : `${late.length} times in all`
  throw new Violation(expected, `${what} after ${Math.round(ms)} ms; late ${times}`, ...exchanges)
}
