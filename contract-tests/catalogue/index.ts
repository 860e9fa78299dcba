/** The catalogue: every requirement, in the order of the reports. */

import type { Requirement } from '../harness/requirement.ts'
import { consistencyRequirements, responseFormatRequirements } from './answers.ts'
import { concurrencyRequirements } from './at-once.ts'
import {
  authenticationRequirements,
  credentialKindRequirements,
  keyPlaceRequirements,
} from './authentication.ts'
import { busyAgentRequirements } from './busy.ts'
import { creditRequirements } from './credits.ts'
import { documentCreationRequirements, documentRequirements } from './documents.ts'
import { creativeRequirements, extendedRouteRequirements } from './extended.ts'
import { invalidBodyRequirements, mediaTypeRequirements, rejectedCreationRequirements } from './input.ts'
import { isolationRequirements, keyIsolationRequirements } from './isolation.ts'
import { keyRequirements } from './keys.ts'
import { limitRequirements } from './limits.ts'
import { noCreditRequirements } from './no-credits.ts'
import { notificationRequirements } from './notifications.ts'
import { oddIdRequirements, unknownIdRequirements } from './odd-ids.ts'
import { oddInputRequirements } from './odd-input.ts'
import { proxyRequirements } from './path.ts'
import { runCostRequirements } from './run-costs.ts'
import { suiteEndRequirements } from './run-end.ts'
import { runRequirements } from './runs.ts'
import { taskRequirements } from './tasks.ts'
import { wholeTrafficRequirements } from './whole-run.ts'

/** Every requirement, in the order in which reports list them. */
export const catalogue: readonly Requirement[] = [
  ...responseFormatRequirements,
  ...authenticationRequirements,
  ...credentialKindRequirements,
  ...keyPlaceRequirements,
  ...keyRequirements,
  ...taskRequirements,
  ...documentRequirements,
  ...documentCreationRequirements,
  ...oddIdRequirements,
  ...invalidBodyRequirements,
  ...rejectedCreationRequirements,
  ...notificationRequirements,
  ...unknownIdRequirements,
  ...creditRequirements,
  ...runRequirements,
  ...runCostRequirements,
  ...busyAgentRequirements,
  ...extendedRouteRequirements,
  ...creativeRequirements,
  ...isolationRequirements,
  ...keyIsolationRequirements,
  ...noCreditRequirements,
  ...concurrencyRequirements,
  ...limitRequirements,
  ...suiteEndRequirements,
  ...wholeTrafficRequirements,
  ...proxyRequirements,
  ...consistencyRequirements,
  ...mediaTypeRequirements,
  ...oddInputRequirements,
]
