/** The table of all scenarios, in the order of lists. */
import { busyThenStarts } from './busy-then-starts.ts'
import { deletedKey } from './deleted-key.ts'
import { emptyOrganization } from './empty-organization.ts'
import { fiveThousandTasks } from './five-thousand-tasks.ts'
import { lostAnswer } from './lost-answer.ts'
import { mixedVariants } from './mixed-variants.ts'
import { noExtendedRoutes } from './no-extended-routes.ts'
import { oddIds } from './odd-ids.ts'
import { outOfCredits } from './out-of-credits.ts'
import { rateLimitedBurst } from './rate-limited-burst.ts'
import { rateLimitedBurstDate } from './rate-limited-burst-date.ts'
import { rejectedTask } from './rejected-task.ts'
import { runFailsAndRefunds } from './run-fails-and-refunds.ts'
import type { Scenario } from './scenario.ts'
import { secondVariant } from './second-variant.ts'
import { slowRun } from './slow-run.ts'
import { strictClient } from './strict-client.ts'
import { temporaryOutage } from './temporary-outage.ts'
import { topUpAndRecover } from './top-up-and-recover.ts'
import { twoConflicts } from './two-conflicts.ts'
import { unknownStatuses } from './unknown-statuses.ts'

const table = [
  outOfCredits,
  topUpAndRecover,
  busyThenStarts,
  twoConflicts,
  runFailsAndRefunds,
  slowRun,
  lostAnswer,
  rateLimitedBurst,
  rateLimitedBurstDate,
  temporaryOutage,
  deletedKey,
  secondVariant,
  mixedVariants,
  noExtendedRoutes,
  emptyOrganization,
  fiveThousandTasks,
  rejectedTask,
  oddIds,
  unknownStatuses,
  strictClient,
] as const

/** The id of a scenario. */
export type ScenarioId = (typeof table)[number]['id']

/** All scenarios. */
export const scenarios: readonly Scenario<ScenarioId>[] = table

/** Returns the scenario with an id. */
export function scenarioOf(id: string): Scenario<ScenarioId> | undefined {
  return scenarios.find((one) => one.id === id)
}
